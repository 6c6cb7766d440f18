package dev.penstock.kafka.source;

import dev.penstock.Ticker;
import dev.penstock.kafka.source.SharedRecords.RecordId;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ShareConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A member of a share group, from joining to leaving. For the poll thread, except {@link #ended}.
 *
 * <h2>Design note: a batch at a time</h2>
 *
 * <p>Kafka's consumer takes no poll before all records of the last one are acknowledged, and while one of them is renewed, a
 * poll returns that one again, and no new ones. So a member receives a batch, acknowledges each of its records when it ends,
 * renews the others at half of their lock, and receives the next batch when the last one has ended. Other members of the same
 * source go on meanwhile: see {@link ShareMembers}.
 */
final class ShareMember extends HeldRecord.Delivery implements PollLoop.Member {
    private static final Logger LOG = LoggerFactory.getLogger(KafkaSource.class);
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration LAST_COMMIT_TIMEOUT = Duration.ofSeconds(3);
    private static final Duration ASK_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration RENEW_TIMEOUT = Duration.ofSeconds(5);
    private static final int WAIT_MILLIS = 100;
    private static final long COMMIT_INTERVAL = 100_000_000;
    private static final long LONG_BATCH = 100_000_000;
    private static final int DEFAULT_LOCK_MILLIS = 30_000;
    /** Three heartbeats, by default. */
    private static final int OUTAGE_SECONDS = 15;

    private final ShareMembers members;
    private final KafkaSourceBuilder built;
    private final SharedRecords records;
    private final int batch;
    private final ShareConsumer<byte[], byte[]> consumer;
    private final Map<RecordId, ConsumerRecord<byte[], byte[]>> unfinished = new HashMap<>();
    private final BlockingQueue<Ended> ended = new LinkedBlockingQueue<>();
    /** Of those completed, the ones whose acknowledgement the broker has not confirmed. */
    private final Set<RecordId> accepted = new HashSet<>();
    /** Whether the consumer may be receiving a batch for which nothing is claimed any more. */
    private boolean isListening;

    private boolean isSlow;
    private long busySince;
    private boolean hasAcknowledged;
    private long renewAt;
    private long lastCommit;
    private @Nullable Metric sinceHeartbeat;

    private record Ended(ConsumerRecord<byte[], byte[]> received, AcknowledgeType how) {}

    /** Opens a consumer that receives up to {@code batch} records at a time. */
    ShareMember(ShareMembers members, int batch) {
        this.members = members;
        this.built = members.records.built;
        this.records = members.records;
        this.batch = batch;
        this.consumer = built.clients.shareConsumer(built.group, batch);
    }

    /** By another consumer, which does not join; a share consumer has no call for it. */
    @Override
    public void ask(Duration timeout) {
        try (Consumer<byte[], byte[]> other = built.clients.consumer(built.group)) {
            if (other.partitionsFor(built.topic, timeout).isEmpty()) {
                throw new UnknownTopicOrPartitionException("the topic " + built.topic + " does not exist; create it");
            }
        }
    }

    @Override
    public void run(BooleanSupplier isOver) {
        if (members.health.isLost()) {
            ask(ASK_TIMEOUT);
        }
        join();
        try {
            while (!isOver.getAsBoolean()) {
                step();
            }
        } catch (InterruptedException interrupted) {
            throw new InterruptException(interrupted);
        } finally {
            leave();
        }
    }

    void join() {
        consumer.setAcknowledgementCommitCallback(this::acknowledged);
        consumer.subscribe(List.of(built.topic));
        sinceHeartbeat = PollLoop.Member.sinceHeartbeat(consumer.metrics());
    }

    /** Receives a batch, or acknowledges what has ended of the last one. */
    void step() throws InterruptedException {
        if (unfinished.isEmpty()) {
            receive();
        } else {
            awaitEnded();
        }
        slow(!unfinished.isEmpty() && Ticker.SYSTEM.nanos() - busySince >= LONG_BATCH);
        members.handling.startReady();
        PollLoop.Member.check(members.health, sinceHeartbeat, OUTAGE_SECONDS, seconds -> seconds >= 0);
    }

    private void receive() throws InterruptedException {
        acknowledgeAll(ended.poll());
        boolean isClaimed = records.claim(batch);
        if (records.stop.isAsked() || (!isClaimed && !isListening)) {
            consumer.commitAsync();
            records.awaitCapacity(Duration.ofMillis(WAIT_MILLIS));
            return;
        }
        try {
            add(consumer.poll(POLL)); // it sends the acknowledgements of the last batch too
            busySince = Ticker.SYSTEM.nanos();
            isListening = unfinished.isEmpty();
        } finally {
            if (isClaimed) {
                records.unclaim(batch);
            }
        }
    }

    private void add(Iterable<ConsumerRecord<byte[], byte[]>> received) {
        for (ConsumerRecord<byte[], byte[]> one : received) {
            unfinished.put(RecordId.of(one), one);
            if (!records.add(one, this)) {
                ended.add(new Ended(one, AcknowledgeType.ACCEPT));
            }
        }
        int lockMillis = consumer.acquisitionLockTimeoutMs().orElse(DEFAULT_LOCK_MILLIS);
        renewAt = Ticker.SYSTEM.nanos() + lockMillis * 1_000_000L / 2;
    }

    private void slow(boolean now) {
        if (now != isSlow) {
            members.slow(now ? 1 : -1);
            isSlow = now;
        }
        if (now) {
            members.addForSlow();
        }
    }

    /** A record that this member received is no longer processed. For any thread. */
    void ended(HeldRecord held, AcknowledgeType how) {
        ended.add(new Ended(held.received, how));
        if (isReleased) {
            forgetEnded();
        }
    }

    private void awaitEnded() throws InterruptedException {
        acknowledgeAll(ended.poll(WAIT_MILLIS, TimeUnit.MILLISECONDS));
        long now = Ticker.SYSTEM.nanos();
        if (!unfinished.isEmpty() && now - renewAt >= 0) {
            renew();
        } else if (hasAcknowledged && now - lastCommit >= COMMIT_INTERVAL) {
            consumer.commitAsync();
            hasAcknowledged = false;
            lastCommit = now;
        }
    }

    private void acknowledgeAll(@Nullable Ended first) {
        for (Ended one = first; one != null; one = ended.poll()) {
            acknowledge(one);
        }
    }

    private void acknowledge(Ended one) {
        RecordId id = RecordId.of(one.received);
        unfinished.remove(id);
        boolean isTaken = acknowledge(one.received, one.how);
        hasAcknowledged |= isTaken;
        if (isTaken && one.how == AcknowledgeType.ACCEPT) {
            accepted.add(id);
        } else if (one.how == AcknowledgeType.ACCEPT) {
            records.notAcknowledged(id);
        }
    }

    /** False if the consumer has lost the lock of the record. */
    private boolean acknowledge(ConsumerRecord<byte[], byte[]> received, AcknowledgeType how) {
        try {
            consumer.acknowledge(received, how);
            return true;
        } catch (IllegalStateException lost) {
            LOG.debug("the lock of {} is lost, so it is delivered again", RecordId.of(received));
            return false;
        }
    }

    /** Those that are not returned have lost their lock: they are processed to the end, and recognized when delivered again. */
    private void renew() {
        unfinished.keySet().removeIf(id -> records.isElsewhere(id, this));
        unfinished.values().removeIf(one -> !acknowledge(one, AcknowledgeType.RENEW));
        if (!unfinished.isEmpty()) {
            consumer.commitSync(RENEW_TIMEOUT);
            unfinished.clear();
            add(consumer.poll(POLL));
        }
    }

    private void acknowledged(Map<TopicIdPartition, Set<Long>> offsets, @Nullable Exception failure) {
        offsets.forEach((partition, those) -> accepted.removeIf(id -> {
            boolean isMeant = id.partition() == partition.partition() && those.contains(id.offset());
            if (isMeant && failure != null) {
                records.notAcknowledged(id);
            }
            return isMeant;
        }));
        if (failure != null) {
            LOG.warn(
                    "acknowledging records of {} failed, so they are delivered again: {}",
                    offsets.keySet(),
                    failure.toString());
        }
    }

    /** Finishes what is in process, for a while; the rest is given back by closing the consumer. */
    private void leave() {
        stop.ask();
        records.giveBack(this);
        long until = Ticker.SYSTEM.nanos() + GroupMember.REVOKE_WAIT.toNanos();
        try {
            while (!unfinished.isEmpty() && Ticker.SYSTEM.nanos() - until < 0) {
                awaitEnded();
            }
            consumer.commitSync(LAST_COMMIT_TIMEOUT);
        } catch (KafkaException failed) {
            LOG.warn(
                    "the last acknowledgements were not sent, so those records are delivered again: {}",
                    failed.toString());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } finally {
            isReleased = true;
            slow(false);
            accepted.forEach(records::notAcknowledged);
            forgetEnded();
        }
    }

    private void forgetEnded() {
        for (Ended one = ended.poll(); one != null; one = ended.poll()) {
            if (one.how == AcknowledgeType.ACCEPT) {
                records.notAcknowledged(RecordId.of(one.received));
            }
        }
    }

    @Override
    public void wakeup() {
        consumer.wakeup();
    }

    @Override
    public void close(Duration timeout) {
        consumer.close(timeout);
    }
}
