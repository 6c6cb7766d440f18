package dev.penstock.kafka.source;

import dev.penstock.Ticker;
import dev.penstock.kafka.transaction.TransactionalProducer;
import dev.penstock.source.SourceHealth;
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
 * A member of a consumer group, from joining to leaving: receives while there is room, and commits what is completed, in
 * transactions if it has any. For the poll thread, which also runs the callbacks of the consumer.
 */
final class GroupMember implements PollLoop.Member, ConsumerRebalanceListener {
    private static final Logger LOG = LoggerFactory.getLogger(KafkaSource.class);
    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration POLL_BEFORE_COMMIT = Duration.ofMillis(5);
    private static final Duration POLL_WHILE_PAUSED = Duration.ofMillis(20);
    /** Longer than a broker needs to roll back the transaction of a member that died: until then its offsets are not known. */
    private static final Duration BROKER_TIMEOUT = Duration.ofSeconds(30);

    private static final Duration COMMIT_TIMEOUT = Duration.ofSeconds(3);
    private static final long COMMIT_INTERVAL = 100_000_000;
    /** For those that take part in a transaction to end; then the member polls again, and others wait to join it. */
    private static final Duration PARTICIPANTS_WAIT = Duration.ofMillis(20);
    /** How long records in process may continue when their partition is revoked, which another member waits for. */
    static final Duration REVOKE_WAIT = Duration.ofSeconds(2);

    private static final int OUTAGE_SECONDS = 5;

    private final String topic;
    private final RecordQueue queue;
    private final RecordHandling<?> handling;
    private final SourceHealth health;
    private final Consumer<byte[], byte[]> consumer;
    private final @Nullable TransactionalProducer transactions;
    private final Map<TopicPartition, AssignedPartition> assigned = new HashMap<>();
    private boolean isJoined;
    private boolean isPaused;
    private long lastCommit = Ticker.SYSTEM.nanos();
    private @Nullable Metric sinceHeartbeat;

    /** Opens its clients. */
    GroupMember(RecordQueue queue, RecordHandling<?> handling, SourceHealth health) {
        this.topic = queue.built.topic;
        this.queue = queue;
        this.handling = handling;
        this.health = health;
        this.consumer = queue.built.clients.consumer(queue.built.group);
        this.transactions = queue.built.transactions(queue.transactionalId);
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
        try (TransactionalProducer _ = transactions) {
            consumer.close(CloseOptions.timeout(timeout));
        }
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
        if (transactions != null) {
            transactions.open();
        }
        queue.use(transactions);
        consumer.subscribe(List.of(topic), this);
        sinceHeartbeat = PollLoop.Member.sinceHeartbeat(consumer.metrics());
    }

    /** Receives what is there, starts what may start, and commits what has changed. */
    void pollOnce() {
        for (ConsumerRecord<byte[], byte[]> received : consumer.poll(pollTime())) {
            AssignedPartition partition = assigned.get(new TopicPartition(received.topic(), received.partition()));
            if (partition != null) {
                queue.add(partition, received);
            }
        }
        if (queue.stop.isAsked()) {
            assigned.values().forEach(queue::stop);
        }
        handling.startReady();
        commitChanged();
        pauseOrResume();
        PollLoop.Member.check(health, sinceHeartbeat, OUTAGE_SECONDS, _ -> isJoined);
    }

    private Duration pollTime() {
        if (queue.awaitsCommit() || (transactions != null && queue.size() > 0)) {
            return POLL_BEFORE_COMMIT;
        }
        return isPaused ? POLL_WHILE_PAUSED : POLL;
    }

    private void commitChanged() {
        boolean isFailed = transactions != null && transactions.isFailed();
        if (!isFailed && Ticker.SYSTEM.nanos() - lastCommit < COMMIT_INTERVAL && !queue.awaitsCommit()) {
            return;
        }
        if (transactions == null) {
            try {
                commit(List.of());
            } catch (RetriableException | RebalanceInProgressException later) {
                LOG.debug("committing to {} failed, and is tried again: {}", topic, later.toString());
            } catch (KafkaException failed) {
                LOG.warn("committing to {} failed: {}", topic, failed.toString());
            }
        } else if (transactions.awaitParticipants(PARTICIPANTS_WAIT)) {
            commit(List.of());
            handling.startReady();
        } else if (Ticker.SYSTEM.nanos() - lastCommit > KafkaClients.TRANSACTION_NANOS) {
            throw new KafkaException("a record that has sent others does not end, and so its transaction");
        }
    }

    /** Commits; a transaction may be rolled back instead, and the next one begins. */
    private void commit(Collection<AssignedPartition> givenUp) {
        Map<TopicPartition, OffsetAndMetadata> offsets = queue.toCommit(assigned.values(), givenUp);
        lastCommit = Ticker.SYSTEM.nanos();
        boolean isCommitted = false;
        try {
            if (transactions != null) {
                isCommitted = transactions.end(offsets, consumer.groupMetadata());
            } else {
                consumer.commitSync(offsets, COMMIT_TIMEOUT);
                isCommitted = true;
            }
        } finally {
            queue.committed(isCommitted, assigned.values());
        }
        if (transactions != null) {
            transactions.reopen();
        }
    }

    /** Pauses all partitions while there is no room; also those that were assigned meanwhile. */
    private void pauseOrResume() {
        if (queue.stop.isAsked() || (isPaused ? !queue.hasRoom() : queue.isFull(0))) {
            consumer.pause(consumer.assignment());
            isPaused = true;
        } else if (isPaused) {
            consumer.resume(consumer.paused());
            isPaused = false;
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
            queue.assigned(partition);
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
        if (transactions != null) {
            transactions.close(); // what others have sent is rolled back too, and a new member begins
        }
        gone.forEach(queue::released);
    }

    /** Finishes what is in process, for a while, and commits what is completed. */
    private void giveUp(Collection<TopicPartition> revoked) {
        List<AssignedPartition> gone = remove(revoked);
        if (gone.isEmpty()) {
            return;
        }
        gone.forEach(queue::stop);
        if (transactions != null) {
            transactions.reopen(); // what their records send now is in the last transaction
        }
        queue.awaitEnd(gone, REVOKE_WAIT);
        if (transactions != null && !transactions.awaitParticipants(REVOKE_WAIT)) {
            transactions.close();
        }
        gone.forEach(queue::released);
        try {
            commit(gone);
        } catch (KafkaException failed) {
            LOG.warn(
                    "the last commit of {} failed, so records completed shortly before are processed again: {}",
                    revoked,
                    failed.toString());
        }
    }

    private List<AssignedPartition> remove(Collection<TopicPartition> ids) {
        return ids.stream().map(assigned::remove).filter(Objects::nonNull).toList();
    }
}
