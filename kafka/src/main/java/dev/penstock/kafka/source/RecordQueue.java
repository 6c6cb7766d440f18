package dev.penstock.kafka.source;

import dev.penstock.Ticker;
import dev.penstock.kafka.transaction.TransactionalProducer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The records received and not ended, of all partitions: which may start, which run, and what to commit. A record is handed out
 * only while the flow has capacity for it. Thread-safe; all state of the partitions is guarded by this object.
 */
final class RecordQueue extends ReceivedRecords {
    private static final Logger LOG = LoggerFactory.getLogger(KafkaSource.class);
    private static final long RECHECK_MILLIS = 1_000;
    /** How far above the offset to commit a record may begin in a transaction, so that the metadata holds all that is completed. */
    private static final long REACH = 10_000;

    /** Of all members of this source, so that a new one ends the transaction of the one before at once. */
    final String transactionalId;

    /** The number of commits of all changes so far, and the last one that the broker confirmed. */
    private long commits;

    private long confirmed;
    /** The number of commits when the last cautious attempt began. */
    private long awaitedAfter = -1;

    private @Nullable TransactionalProducer transactions;
    /** Completed in the open transaction; they keep their keys until it is committed. */
    private final List<HeldRecord> uncommitted = new ArrayList<>();
    /** Revoked while records of theirs were processed. */
    private final Map<TopicPartition, AssignedPartition> former = new HashMap<>();

    RecordQueue(KafkaSourceBuilder built, IntSupplier capacity) {
        super(built, capacity);
        transactionalId = built.group + "-" + Uuid.randomUuid();
    }

    /** Adds a received record, unless it was completed before or is in process since an earlier assignment. */
    synchronized void add(AssignedPartition partition, ConsumerRecord<byte[], byte[]> received) {
        if (partition.stop.isAsked()) {
            return; // as if it was not received
        }
        partition.changed = true;
        boolean isNew = partition.progress.received(received.offset());
        if (partition.isTakenOver(received.offset()) || !isNew) {
            counts.recognised.increment();
            return;
        }
        HeldRecord held = new HeldRecord(
                received, partition, partition.progress.attempts(received.offset()), partition.isCautious());
        received(held);
        if (partition.order.mayStart(held)) {
            ready.add(held);
        }
    }

    /** From now on records send others in these transactions; null for none. */
    synchronized void use(@Nullable TransactionalProducer producer) {
        transactions = producer;
    }

    @Override
    synchronized @Nullable HeldRecord next() {
        if (ready.isEmpty() || stop.isAsked() || prefetchWindow.available() == 0) {
            return null;
        }
        HeldRecord held = ready.stream().filter(this::isWithinReach).findFirst().orElse(null);
        if (held == null) {
            return null;
        }
        ready.remove(held);
        if (transactions != null) {
            held.transaction = transactions.new Participant(() -> held.delivery.isReleased);
        }
        prefetchWindow.take();
        partition(held).running.add(held);
        began(held);
        return held;
    }

    private boolean isWithinReach(HeldRecord held) {
        return transactions == null || held.offset() - partition(held).progress.lowestUnfinished() < REACH;
    }

    private static AssignedPartition partition(HeldRecord held) {
        return (AssignedPartition) held.delivery;
    }

    @Override
    synchronized void began(HeldRecord held) {
        partition(held).progress.began(held.offset());
        partition(held).changed = true;
        held.commitsAtBegin = commits;
        if (held.isCautious) {
            awaitedAfter = commits;
        }
    }

    @Override
    synchronized void tried(HeldRecord held, boolean wasSent) {
        partition(held).progress.tried(held.offset(), wasSent);
        partition(held).changed = true;
    }

    @Override
    synchronized void ended(HeldRecord held, boolean mayComplete) {
        boolean isCompleted = held.transaction == null ? mayComplete : held.transaction.end(mayComplete);
        AssignedPartition partition = partition(held);
        partition.running.remove(held);
        partition.changed = true;
        prefetchWindow.release();
        notifyAll();
        if (isCompleted) {
            partition.progress.completed(held.offset());
        } else if (mayComplete) { // what it sent is rolled back
            partition.progress.tried(held.offset(), false);
        }
        if (isCompleted && held.transaction != null && held.transaction.hasJoined()) {
            uncommitted.add(held);
        } else {
            finish(held, isCompleted);
        }
    }

    /** A record leaves if it is completed, or given back; otherwise it is processed again. */
    private void finish(HeldRecord held, boolean isCompleted) {
        AssignedPartition partition = partition(held);
        if (!isCompleted && !partition.stop.isAsked()) {
            held.before = partition.progress.attempts(held.offset());
            ready.add(held);
            return;
        }
        left(held, isCompleted);
        HeldRecord next = partition.order.after(held);
        if (next != null) {
            ready.add(next);
        }
    }

    /** No further record of a partition starts; those waiting are given back. */
    synchronized void stop(AssignedPartition partition) {
        partition.stop.ask();
        Predicate<HeldRecord> its = held -> held.delivery == partition;
        ready.stream().filter(its).forEach(held -> left(held, false));
        ready.removeIf(its);
        partition.order.forgetWaiting(held -> left(held, false));
        notifyAll();
    }

    /** Waits until no record of the partitions is processed any more, but not longer than this. */
    synchronized void awaitEnd(Collection<AssignedPartition> partitions, Duration most) {
        long until = Ticker.SYSTEM.nanos() + most.toNanos();
        try {
            while (partitions.stream().anyMatch(one -> !one.running.isEmpty()) && Ticker.SYSTEM.nanos() - until < 0) {
                wait(Math.max(1, (until - Ticker.SYSTEM.nanos()) / 1_000_000));
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    synchronized boolean awaitCommitted(HeldRecord held) {
        try {
            while (confirmed <= held.commitsAtBegin) {
                if (held.delivery.stop.isAsked()) {
                    return false;
                }
                wait(RECHECK_MILLIS);
            }
            return true;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Whether a record waits for a commit: its attempt, or the key of one that is completed in the transaction. */
    synchronized boolean awaitsCommit() {
        return awaitedAfter >= confirmed
                || (!uncommitted.isEmpty() && size() > ready.size() + prefetchWindow.inFlight() + uncommitted.size());
    }

    /** What to commit: of the changed ones among the assigned partitions, and of those that are given up. */
    synchronized Map<TopicPartition, OffsetAndMetadata> toCommit(
            Collection<AssignedPartition> assigned, Collection<AssignedPartition> givenUp) {
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        assigned.stream().filter(one -> one.changed).forEach(one -> offsets.put(one.id, toCommit(one, false)));
        commits += offsets.isEmpty() ? 0 : 1;
        givenUp.forEach(one -> offsets.put(one.id, toCommit(one, one.running.isEmpty())));
        return offsets;
    }

    private static OffsetAndMetadata toCommit(AssignedPartition partition, boolean isClosed) {
        partition.changed = false;
        long offset = partition.progress.lowestUnfinished();
        CommitMetadata.Encoded metadata = partition.progress.metadata(isClosed).encode(offset);
        if (!metadata.isWhole() && !partition.isOverflowLogged) {
            partition.isOverflowLogged = true;
            LOG.warn(
                    "{}: not all completed records above offset {} fit into the metadata of a commit; a restart repeats the"
                            + " others",
                    partition.id,
                    offset);
        }
        return new OffsetAndMetadata(offset, metadata.text());
    }

    /** The last {@link #toCommit} is committed; or not, and what was completed in its transaction is processed again. */
    synchronized void committed(boolean isCommitted, Collection<AssignedPartition> assigned) {
        if (isCommitted) {
            confirmed = commits;
            notifyAll();
        } else {
            assigned.forEach(partition -> partition.changed = true);
            counts.rolledBack.add(uncommitted.size());
            uncommitted.forEach(held -> partition(held).progress.reopen(held.offset()));
        }
        uncommitted.forEach(held -> finish(held, isCommitted));
        uncommitted.clear();
    }

    /**
     * A partition is assigned. Records that still run under an earlier assignment continue, so that none is processed twice at
     * the same time, and the order by key is kept.
     */
    synchronized void assigned(AssignedPartition partition) {
        AssignedPartition earlier = former.remove(partition.id);
        if (earlier != null) {
            partition.takeOver(earlier);
        }
    }

    /** Another consumer may have a partition from now on. */
    synchronized void released(AssignedPartition partition) {
        partition.isReleased = true;
        if (!partition.running.isEmpty()) {
            former.put(partition.id, partition);
        }
    }
}
