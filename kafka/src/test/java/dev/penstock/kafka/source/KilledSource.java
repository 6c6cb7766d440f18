package dev.penstock.kafka.source;

import dev.penstock.kafka.KafkaCluster;
import dev.penstock.kafka.KafkaRecord;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;

/** A process with a source, to be killed. It prints each value when it is processed; those that end with 0 never are. */
final class KilledSource {
    private KilledSource() {}

    /** The arguments: bootstrap servers, topic, group, and {@code share} for a share group. */
    public static void main(String[] args) throws Exception {
        boolean isShared = args.length > 3;
        KafkaCluster cluster = KafkaCluster.at(args[0]);
        KafkaSourceBuilder built = KafkaSource.at(isShared ? cluster : cluster.with("session.timeout.ms", "6000"))
                .topic(args[1], args[2]);
        KafkaSource source = (isShared ? built.shared() : built)
                .key(KafkaSource.ID)
                .to(KilledSource::value, KilledSource::process, () -> 500);
        source.start();
        new CountDownLatch(1).await();
    }

    static String value(KafkaRecord record) {
        return new String(record.value(), StandardCharsets.UTF_8);
    }

    private static String process(String value) throws InterruptedException {
        if (value.endsWith("0")) {
            new CountDownLatch(1).await();
        }
        System.out.println("done " + value);
        return value;
    }
}
