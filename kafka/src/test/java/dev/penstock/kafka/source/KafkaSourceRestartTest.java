package dev.penstock.kafka.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Ticker;
import dev.penstock.kafka.KafkaCluster;
import dev.penstock.kafka.kit.KafkaBroker;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A broker that is killed and started again, with one partition. */
@Timeout(300)
class KafkaSourceRestartTest {
    private static final long SOON = 120_000_000_000L;

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
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        try (Producer<byte[], byte[]> producer = new KafkaClients.Real(cluster).producer()) {
            for (int number = from; number < to; number++) {
                sent.add(producer.send(new ProducerRecord<>(
                        "orders", new byte[1], Integer.toString(number).getBytes(StandardCharsets.UTF_8))));
            }
        }
        for (Future<RecordMetadata> one : sent) {
            assertThat(one.get().topic()).isEqualTo("orders");
        }
    }

    private static void await(BooleanSupplier condition) {
        long end = System.nanoTime() + SOON;
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("the condition is met in time").isLessThan(end);
            Ticker.SYSTEM.parkUntil(System.nanoTime() + 5_000_000);
        }
    }
}
