package dev.penstock.races.kafkaflow;

import dev.penstock.races.messages.ConsumeCourse;
import dev.penstock.races.messages.MessageConsumer;
import dev.penstock.races.messages.MessageWork;
import io.confluent.parallelconsumer.ParallelConsumerOptions;
import io.confluent.parallelconsumer.ParallelConsumerOptions.ProcessingOrder;
import io.confluent.parallelconsumer.ParallelStreamProcessor;
import java.util.List;
import org.apache.kafka.clients.consumer.KafkaConsumer;

/** Confluent's parallel-consumer. */
final class ParallelConsumers implements MessageConsumer {
    private final ParallelStreamProcessor<byte[], byte[]> processor;

    ParallelConsumers(String url, MessageWork handling, ProcessingOrder order) {
        processor = ParallelStreamProcessor.createEosStreamProcessor(ParallelConsumerOptions.<byte[], byte[]>builder()
                .consumer(new KafkaConsumer<>(Topic.consumer(url)))
                .ordering(order)
                .maxConcurrency(ConsumeCourse.BOUND)
                .build());
        processor.subscribe(List.of(Topic.NAME));
        processor.poll(record -> handling.listen(Topic.number(record.value())));
    }

    @Override
    public void close() {
        processor.closeDontDrainFirst();
    }
}
