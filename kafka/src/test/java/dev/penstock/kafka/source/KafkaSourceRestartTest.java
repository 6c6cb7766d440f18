package dev.penstock.kafka.source;

import static dev.penstock.kafka.source.Records.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kafka.KafkaCluster;
import dev.penstock.kafka.kit.KafkaBroker;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A broker that is killed and started again, with one partition. */
@Timeout(300)
class KafkaSourceRestartTest {

    private final Queue<String> processed = new ConcurrentLinkedQueue<>();

    @Test
    void continuesInOrder() throws Exception {
        try (KafkaBroker broker = KafkaBroker.start()) {
            broker.createTopic("orders", 1, Map.of());
            KafkaCluster cluster = KafkaCluster.at(broker.servers()).with("delivery.timeout.ms", "120000");
            try (KafkaSource source = KafkaSource.at(cluster)
                    .topic("orders", "group")
                    .key(KafkaSource.ID)
                    .to(KilledSource::value, this::process, () -> 500)) {
                source.start();
                send(cluster, 0, 500);
                await(() -> source.counts().getOrDefault("completed", 0L) == 500);
                broker.restart();
                send(cluster, 500, 600);
                await(() -> processed.contains("599") && source.inFlight() == 0);
                await(() -> source.outage() == null);
            }
        }
        // Records completed shortly before the broker was killed may come again, also in order.
        assertThat(processed.stream().distinct())
                .containsExactlyElementsOf(
                        IntStream.range(0, 600).mapToObj(Integer::toString).toList());
    }

    private String process(String value) {
        processed.add(value);
        return value;
    }

    private static void send(KafkaCluster cluster, int from, int to) throws Exception {
        Records.send(
                cluster,
                IntStream.range(from, to)
                        .mapToObj(number ->
                                new ProducerRecord<>("orders", new byte[1], Records.bytes(Integer.toString(number))))
                        .toList());
    }
}
