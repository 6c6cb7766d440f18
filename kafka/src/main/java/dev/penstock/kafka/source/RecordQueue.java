package dev.penstock.kafka.source;

import dev.penstock.Ticker;
import dev.penstock.source.PrefetchWindow;
import dev.penstock.source.SourceStop;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The records received and not ended, of all partitions: which may start, which run, and what to commit. A record is handed out
 * only while the flow has capacity for it. Thread-safe; all state of the partitions is guarded by this object.
 */
final class RecordQueue implements ReceivedRecords {
    private static final Logger LOG = LoggerFactory.getLogger(KafkaSource.class);
    private static final long RECHECK_MILLIS = 1_000;

    private final PrefetchWindow prefetchWindow;
    private final KafkaSourceCounts counts;
    private final SourceStop stop;
    private final int maxRecords;
    private final long maxBytes;
    private final Deque<HeldRecord> ready = new ArrayDeque<>();
    private int records;
    private long bytes;
    /** The number of commits of all changes requested so far, and the last one that the broker confirmed. */
    private long commits;

    private long confirmed;
    /** The number of commits when the last cautious attempt began. */
    private long awaitedAfter = -1;

    RecordQueue(KafkaSourceBuilder built, PrefetchWindow prefetchWindow, SourceStop stop, KafkaSourceCounts counts) {
        this.prefetchWindow = prefetchWindow;
        this.counts = counts;
        this.stop = stop;
        this.maxRecords = built.bufferRecords;
        this.maxBytes = built.bufferBytes;
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
        records++;
        bytes += held.bytes();
        counts.received.increment();
        if (partition.order.mayStart(held)) {
            ready.add(held);
        }
    }

    @Override
    public synchronized @Nullable HeldRecord next() {
        if (ready.isEmpty() || stop.isAsked() || prefetchWindow.available() == 0) {
            return null;
        }
        HeldRecord held = ready.remove();
        prefetchWindow.take();
        partition(held).running.add(held);
        began(held);
        return held;
    }

    private static AssignedPartition partition(HeldRecord held) {
        return (AssignedPartition) held.delivery();
    }

    @Override
    public synchronized void began(HeldRecord held) {
        partition(held).progress.began(held.offset());
        partition(held).changed = true;
        held.commitsAtBegin = commits;
        if (held.isCautious()) {
            awaitedAfter = commits;
        }
    }

    @Override
    public synchronized void tried(HeldRecord held, boolean wasSent) {
        partition(held).progress.tried(held.offset(), wasSent);
        partition(held).changed = true;
    }

    @Override
    public synchronized void ended(HeldRecord held, boolean isCompleted) {
        AssignedPartition partition = partition(held);
        partition.running.remove(held);
        partition.changed = true;
        prefetchWindow.release();
        notifyAll();
        if (!isCompleted && !partition.stop.isAsked()) {
            held.before(partition.progress.attempts(held.offset()));
            ready.add(held);
            return;
        }
        if (isCompleted) {
            partition.progress.completed(held.offset());
        }
        left(held, isCompleted);
        HeldRecord next = partition.order.after(held);
        if (next != null) {
            ready.add(next);
        }
    }

    private void left(HeldRecord held, boolean isCompleted) {
        records--;
        bytes -= held.bytes();
        (isCompleted ? counts.completed : counts.givenBack).increment();
    }

    /** No further record of a partition starts; those waiting are given back. */
    synchronized void stop(AssignedPartition partition) {
        partition.stop.ask();
        Predicate<HeldRecord> its = held -> held.delivery() == partition;
        ready.stream().filter(its).forEach(held -> left(held, false));
        ready.removeIf(its);
        partition.order.forgetWaiting(held -> left(held, false));
        notifyAll();
    }

    /** Waits until no record of the partitions is processed any more, but not beyond a time. */
    synchronized void awaitEnd(Collection<AssignedPartition> partitions, Ticker ticker, long until) {
        try {
            while (partitions.stream().anyMatch(partition -> !partition.running.isEmpty())) {
                long left = (until - ticker.nanos()) / 1_000_000;
                if (left <= 0) {
                    return;
                }
                wait(left);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public synchronized boolean awaitCommitted(HeldRecord held) {
        try {
            while (confirmed <= held.commitsAtBegin) {
                if (held.delivery().stop.isAsked()) {
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

    /** Whether a record waits for {@link #confirmed}. */
    synchronized boolean awaitsCommit() {
        return awaitedAfter >= confirmed;
    }

    /** What to commit: the changed ones among these partitions, or all of them when they are given up. */
    synchronized Map<TopicPartition, OffsetAndMetadata> toCommit(
            Collection<AssignedPartition> partitions, boolean areGivenUp) {
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        for (AssignedPartition partition : partitions) {
            if (partition.changed || areGivenUp) {
                partition.changed = false;
                offsets.put(partition.id, toCommit(partition, areGivenUp && partition.running.isEmpty()));
            }
        }
        if (!areGivenUp && !offsets.isEmpty()) {
            commits++;
        }
        return offsets;
    }

    private static OffsetAndMetadata toCommit(AssignedPartition partition, boolean isClosed) {
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

    /** The number of commits of all changes requested so far. */
    synchronized long commits() {
        return commits;
    }

    /** The broker has confirmed a commit, and so all before it. */
    synchronized void confirmed(long number) {
        confirmed = Math.max(confirmed, number);
        notifyAll();
    }

    /** A commit was not confirmed. */
    synchronized void notCommitted(Collection<AssignedPartition> partitions) {
        partitions.forEach(partition -> partition.changed = true);
    }

    /** Continues, under a new assignment, with the records that still run. */
    synchronized void takeOver(AssignedPartition earlier, AssignedPartition now) {
        now.takeOver(earlier);
    }

    synchronized boolean isRunning(AssignedPartition partition) {
        return !partition.running.isEmpty();
    }

    /** Whether no more is to be received. */
    synchronized boolean isFull() {
        return records >= maxRecords || bytes >= maxBytes;
    }

    /** Whether a full queue has drained so far that more is to be received. */
    synchronized boolean hasRoom() {
        return records <= maxRecords / 4 * 3 && bytes <= maxBytes / 4 * 3;
    }

    @Override
    public synchronized int size() {
        return records;
    }
}
