package dev.penstock.kafka.source;

import dev.penstock.Ticker;
import dev.penstock.source.SourceHealth;
import dev.penstock.source.SourceStop;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.RetriableException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A member of a consumer group, from joining to leaving: receives while there is room, and commits what is completed. For the
 * poll thread, which also runs the callbacks of the consumer.
 */
final class GroupMember implements Member, ConsumerRebalanceListener {
    private static final Logger LOG = LoggerFactory.getLogger(KafkaSource.class);
    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration POLL_BEFORE_COMMIT = Duration.ofMillis(5);
    private static final Duration POLL_WHILE_PAUSED = Duration.ofMillis(20);
    private static final Duration BROKER_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration LAST_COMMIT_TIMEOUT = Duration.ofSeconds(3);
    private static final long COMMIT_INTERVAL = 100_000_000;
    /** How long records in process may continue when their partition is revoked, which another member waits for. */
    static final Duration REVOKE_WAIT = Duration.ofSeconds(2);

    private static final int OUTAGE_SECONDS = 5;

    private final String topic;
    private final Consumer<byte[], byte[]> consumer;
    private final RecordQueue queue;
    private final RecordWorkers workers;
    private final FormerPartitions former;
    private final SourceStop stop;
    private final SourceHealth health;
    private final Map<TopicPartition, AssignedPartition> assigned = new HashMap<>();
    private boolean isJoined;
    private boolean isPaused;
    private boolean isCommitting;
    private long lastCommit = Ticker.SYSTEM.nanos();
    private @Nullable Metric sinceHeartbeat;

    GroupMember(
            String topic,
            Consumer<byte[], byte[]> consumer,
            RecordQueue queue,
            RecordWorkers workers,
            FormerPartitions former,
            SourceStop stop,
            SourceHealth health) {
        this.topic = topic;
        this.consumer = consumer;
        this.queue = queue;
        this.workers = workers;
        this.former = former;
        this.stop = stop;
        this.health = health;
    }

    @Override
    public void ask(Duration timeout) {
        List<?> _ = consumer.partitionsFor(topic, timeout);
    }

    @Override
    public void wakeup() {
        consumer.wakeup();
    }

    @Override
    public void close(Duration timeout) {
        consumer.close(CloseOptions.timeout(timeout));
    }

    @Override
    public void run(BooleanSupplier isOver) {
        join();
        try {
            while (!isOver.getAsBoolean()) {
                pollOnce();
            }
        } finally {
            giveUp(List.copyOf(assigned.keySet()));
        }
    }

    void join() {
        consumer.subscribe(List.of(topic), this);
        sinceHeartbeat = Member.sinceHeartbeat(consumer.metrics());
    }

    /** Receives what is there, starts what may start, and commits what has changed. */
    void pollOnce() {
        for (ConsumerRecord<byte[], byte[]> received : consumer.poll(pollTime())) {
            AssignedPartition partition = assigned.get(new TopicPartition(received.topic(), received.partition()));
            if (partition != null) {
                queue.add(partition, received);
            }
        }
        if (stop.isAsked()) {
            assigned.values().forEach(queue::stop);
        }
        workers.startReady();
        commitChanged();
        pauseOrResume();
        checkHealth();
    }

    private Duration pollTime() {
        if (queue.awaitsCommit()) {
            return POLL_BEFORE_COMMIT;
        }
        return isPaused ? POLL_WHILE_PAUSED : POLL;
    }

    private void commitChanged() {
        long now = Ticker.SYSTEM.nanos();
        if (isCommitting || (now - lastCommit < COMMIT_INTERVAL && !queue.awaitsCommit())) {
            return;
        }
        Map<TopicPartition, OffsetAndMetadata> offsets = queue.toCommit(assigned.values(), false);
        if (offsets.isEmpty()) {
            return;
        }
        lastCommit = now;
        isCommitting = true;
        long number = queue.commits();
        consumer.commitAsync(offsets, (committed, failure) -> {
            isCommitting = false;
            if (failure == null) {
                queue.confirmed(number);
            } else {
                notCommitted(offsets, failure);
            }
        });
    }

    private void notCommitted(Map<TopicPartition, OffsetAndMetadata> offsets, Exception failure) {
        queue.notCommitted(offsets.keySet().stream()
                .map(assigned::get)
                .filter(Objects::nonNull)
                .toList());
        if (failure instanceof RetriableException || failure instanceof RebalanceInProgressException) {
            LOG.debug("committing {} failed, and is tried again: {}", offsets.keySet(), failure.toString());
        } else {
            LOG.warn("committing {} failed: {}", offsets.keySet(), failure.toString());
        }
    }

    /** Pauses all partitions while there is no room; also those that were assigned meanwhile. */
    private void pauseOrResume() {
        if (stop.isAsked() || (isPaused ? !queue.hasRoom() : queue.isFull())) {
            consumer.pause(consumer.assignment());
            isPaused = true;
        } else if (isPaused) {
            consumer.resume(consumer.paused());
            isPaused = false;
        }
    }

    private void checkHealth() {
        double seconds = Member.value(sinceHeartbeat);
        if (seconds >= OUTAGE_SECONDS) {
            health.lost("no answer from the broker that coordinates the group for " + (int) seconds + " s");
        } else if (isJoined && health.isLost()) {
            health.receiving();
        }
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> added) {
        isJoined = true;
        if (added.isEmpty()) {
            checkTopic();
            return;
        }
        Map<TopicPartition, OffsetAndMetadata> committed = consumer.committed(new HashSet<>(added), BROKER_TIMEOUT);
        for (TopicPartition id : added) {
            OffsetAndMetadata known = committed.get(id);
            AssignedPartition partition = known == null
                    ? new AssignedPartition(id, consumer.position(id, BROKER_TIMEOUT), null)
                    : new AssignedPartition(id, known.offset(), known.metadata());
            former.returned(partition, queue);
            assigned.put(id, partition);
        }
    }

    /** A member without partitions is a standby, unless there are none. */
    private void checkTopic() {
        if (assigned.isEmpty() && consumer.partitionsFor(topic, BROKER_TIMEOUT).isEmpty()) {
            isJoined = false;
            health.lost("the topic " + topic + " does not exist; create it");
        }
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> revoked) {
        giveUp(revoked);
    }

    @Override
    public void onPartitionsLost(Collection<TopicPartition> lost) {
        List<AssignedPartition> gone = remove(lost);
        gone.forEach(queue::stop);
        gone.forEach(partition -> former.left(partition, queue));
    }

    /** Finishes what is in process, for a while, and commits what is completed. */
    private void giveUp(Collection<TopicPartition> revoked) {
        List<AssignedPartition> gone = remove(revoked);
        if (gone.isEmpty()) {
            return;
        }
        gone.forEach(queue::stop);
        queue.awaitEnd(gone, Ticker.SYSTEM, Ticker.SYSTEM.nanos() + REVOKE_WAIT.toNanos());
        Map<TopicPartition, OffsetAndMetadata> offsets = queue.toCommit(gone, true);
        try {
            consumer.commitSync(offsets, LAST_COMMIT_TIMEOUT);
        } catch (KafkaException failed) {
            LOG.warn(
                    "the last commit of {} failed, so records completed shortly before are processed again: {}",
                    offsets.keySet(),
                    failed.toString());
        }
        gone.forEach(partition -> former.left(partition, queue));
    }

    private List<AssignedPartition> remove(Collection<TopicPartition> ids) {
        return ids.stream().map(assigned::remove).filter(Objects::nonNull).toList();
    }
}
