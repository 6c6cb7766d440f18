package dev.penstock.kafka.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Ticker;
import dev.penstock.kafka.KafkaCluster;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;

/** What the tests with a real broker send, read and wait for. */
final class Records {
    private static final long SOON = 120_000_000_000L;

    private Records() {}

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Sends records, and returns when the broker has them all. */
    static void send(KafkaCluster cluster, List<ProducerRecord<byte[], byte[]>> records) throws Exception {
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        try (Producer<byte[], byte[]> producer = new KafkaClients.Real(cluster).producer(null)) {
            records.forEach(record -> sent.add(producer.send(record)));
        }
        for (int i = 0; i < sent.size(); i++) {
            assertThat(sent.get(i).get().topic()).isEqualTo(records.get(i).topic());
        }
    }

    /** The headers of a number of dead letters, by their values. */
    static Map<String, Map<String, String>> deadLetters(KafkaCluster cluster, String topic, int count) {
        Map<String, Map<String, String>> letters = new HashMap<>();
        try (Consumer<byte[], byte[]> consumer = new KafkaClients.Real(cluster).consumer("letters")) {
            consumer.assign(List.of(new TopicPartition(topic, 0)));
            consumer.seekToBeginning(consumer.assignment());
            await(() -> {
                for (ConsumerRecord<byte[], byte[]> letter : consumer.poll(Duration.ofMillis(100))) {
                    Map<String, String> headers = new HashMap<>();
                    for (Header header : letter.headers()) {
                        headers.put(header.key(), new String(header.value(), StandardCharsets.UTF_8));
                    }
                    letters.put(new String(letter.value(), StandardCharsets.UTF_8), headers);
                }
                return letters.size() >= count;
            });
        }
        return letters;
    }

    static void await(BooleanSupplier condition) {
        long end = System.nanoTime() + SOON;
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("the condition is met in time").isLessThan(end);
            Ticker.SYSTEM.parkUntil(System.nanoTime() + 5_000_000);
        }
    }
}
