package dev.penstock.kafka.source;

import dev.penstock.flow.Flow;
import dev.penstock.kafka.KafkaCluster;
import dev.penstock.kafka.KafkaReceipt;
import dev.penstock.kafka.KafkaRecord;
import dev.penstock.kafka.KafkaTarget;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** A process that sends the records of a topic on in transactions, to be killed. */
final class ForwardingSource {
    private ForwardingSource() {}

    /** The arguments: bootstrap servers and topic. */
    public static void main(String[] args) throws Exception {
        KafkaTarget results = results(args[0], args[1]);
        Flow<KafkaRecord, KafkaReceipt> flow =
                Flow.named("forward").deadline(Duration.ofSeconds(20)).to(results);
        source(args[0], args[1]).to(flow).start();
        new CountDownLatch(1).await();
    }

    static KafkaTarget results(String servers, String topic) {
        return KafkaTarget.at(KafkaCluster.at(servers))
                .topic(topic + "-results")
                .build();
    }

    /** The brokers notice a dead member after 6 s, and its open transaction after 5 s. */
    static KafkaCluster cluster(String servers) {
        return KafkaCluster.at(servers).with("session.timeout.ms", "6000").with("transaction.timeout.ms", "5000");
    }

    static KafkaSourceBuilder source(String servers, String topic) {
        return KafkaSource.at(cluster(servers)).topic(topic, topic).transactional();
    }

    /** Starts the process; its output goes to a file. */
    static Process start(Path output, String... args) throws IOException {
        return KilledSource.start(ForwardingSource.class, output, args);
    }
}
