package dev.penstock.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;

/** Reads a topic with Kafka's own consumer. */
final class TopicContents {
    private TopicContents() {}

    /** All records, in the order of each partition, as soon as one of them is the last that is waited for. */
    static List<ConsumerRecord<String, String>> until(
            String servers, String topic, Predicate<ConsumerRecord<String, String>> last) {
        Map<String, Object> settings = Map.of("bootstrap.servers", servers, "auto.offset.reset", "earliest");
        try (var consumer = new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
            consumer.assign(consumer.partitionsFor(topic).stream()
                    .map(partition -> new TopicPartition(topic, partition.partition()))
                    .toList());
            List<ConsumerRecord<String, String>> read = new ArrayList<>();
            while (read.stream().noneMatch(last)) {
                consumer.poll(Duration.ofMillis(200)).forEach(read::add);
            }
            return read;
        }
    }

    /** The values until one of them. */
    static List<String> valuesUntil(String servers, String topic, String last) {
        return until(servers, topic, record -> last.equals(record.value())).stream()
                .map(ConsumerRecord::value)
                .toList();
    }
}
