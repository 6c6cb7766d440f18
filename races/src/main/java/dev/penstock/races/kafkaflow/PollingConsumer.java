package dev.penstock.races.kafkaflow;

import dev.penstock.races.messages.ConsumeCourse;
import dev.penstock.races.messages.MessageConsumer;
import dev.penstock.races.messages.MessageWork;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** What people write by hand: a thread that polls a consumer, and hands its records on. */
final class PollingConsumer implements MessageConsumer {
    /** What happens with the records of a poll. */
    enum Handing {
        /** One after the other, on the polling thread; then they are committed. */
        ONE_BY_ONE,
        /** All records of a partition concurrently; it is paused meanwhile, and committed then. */
        BATCHES,
        /** Each on a thread of its own; never committed. */
        UNTHROTTLED
    }

    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration SHORT_POLL = Duration.ofMillis(1);

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final MessageWork handling;
    private final Handing handing;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Semaphore slots = new Semaphore(ConsumeCourse.BOUND);
    private final Map<TopicPartition, Future<Long>> batches = new HashMap<>();
    private final Thread polling;
    private volatile boolean closing;

    PollingConsumer(String url, MessageWork handling, Handing handing) {
        this.consumer = new KafkaConsumer<>(Topic.consumer(url));
        this.handling = handling;
        this.handing = handing;
        consumer.subscribe(List.of(Topic.NAME));
        polling = Thread.ofPlatform().name("polling").start(this::poll);
    }

    private void poll() {
        try (consumer;
                threads) {
            while (!closing) {
                ConsumerRecords<byte[], byte[]> records = consumer.poll(batches.isEmpty() ? POLL : SHORT_POLL);
                switch (handing) {
                    case ONE_BY_ONE -> oneByOne(records);
                    case BATCHES -> batches(records);
                    case UNTHROTTLED -> records.forEach(this::onItsThread);
                }
            }
            for (Map.Entry<TopicPartition, Future<Long>> batch : batches.entrySet()) {
                commit(batch.getKey(), batch.getValue().get());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    private void onItsThread(ConsumerRecord<byte[], byte[]> record) {
        handling.suspend(Topic.number(record.value()), () -> {});
    }

    private void oneByOne(ConsumerRecords<byte[], byte[]> records) throws InterruptedException {
        Map<TopicPartition, OffsetAndMetadata> done = new HashMap<>();
        for (ConsumerRecord<byte[], byte[]> record : records) {
            if (closing) {
                break;
            }
            handling.handle(Topic.number(record.value()));
            done.put(
                    new TopicPartition(record.topic(), record.partition()), new OffsetAndMetadata(record.offset() + 1));
        }
        consumer.commitSync(done);
    }

    private void batches(ConsumerRecords<byte[], byte[]> records) throws InterruptedException, ExecutionException {
        for (TopicPartition partition : records.partitions()) {
            consumer.pause(List.of(partition));
            batches.put(partition, threads.submit(() -> batch(records.records(partition))));
        }
        for (Map.Entry<TopicPartition, Future<Long>> batch : Map.copyOf(batches).entrySet()) {
            if (batch.getValue().isDone()) {
                commit(batch.getKey(), batch.getValue().get());
                batches.remove(batch.getKey());
                consumer.resume(List.of(batch.getKey()));
            }
        }
    }

    private void commit(TopicPartition partition, long next) {
        consumer.commitSync(Map.of(partition, new OffsetAndMetadata(next)));
    }

    /** Handles records concurrently, and returns the offset after the last one. */
    private long batch(List<ConsumerRecord<byte[], byte[]>> records) throws InterruptedException, ExecutionException {
        List<Future<?>> all = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> record : records) {
            slots.acquire();
            all.add(threads.submit(() -> {
                try {
                    handling.handle(Topic.number(record.value()));
                } finally {
                    slots.release();
                }
                return null;
            }));
        }
        for (Future<?> one : all) {
            one.get();
        }
        return records.getLast().offset() + 1;
    }

    @Override
    public void close() {
        closing = true;
        try {
            polling.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
