package dev.penstock.kafka.source;

import dev.penstock.kafka.source.CommitMetadata.Attempts;
import dev.penstock.kafka.source.CommitMetadata.Range;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which records of a partition are completed, and how often the others were attempted. Offsets that the broker skips (of
 * compacted records, or of transactions) count as completed. Its size depends on the number of unfinished records, not on the
 * number of completed ones. No I/O; not thread-safe.
 */
final class PartitionProgress {
    private static final Attempts NONE = new Attempts(0, false);

    /** Received and not completed. */
    private final NavigableSet<Long> unfinished = new TreeSet<>();

    /** Completed by an earlier consumer, and not delivered to this one yet: first offset to the one after the last. */
    private final NavigableMap<Long, Long> completedAhead = new TreeMap<>();

    private final NavigableMap<Long, Attempts> attempts = new TreeMap<>();
    /** The offset after the last record received. */
    private long next;

    /** The progress as it was committed: an offset, and the metadata that was committed with it, or null. */
    PartitionProgress(long committed, @Nullable String metadata) {
        next = committed;
        CommitMetadata before = CommitMetadata.decode(committed, metadata);
        before.completed().forEach(range -> completedAhead.put(range.from(), range.to()));
        attempts.putAll(before.attempts());
    }

    /** A record was received, in the order of offsets. Returns false if it was completed before. */
    boolean received(long offset) {
        if (offset < next) { // the topic was created again, or its log truncated
            unfinished.clear();
            completedAhead.clear();
            attempts.clear();
        }
        next = offset + 1;
        Map.Entry<Long, Long> before = completedAhead.floorEntry(offset);
        completedAhead
                .headMap(before == null || offset >= before.getValue() ? offset : before.getKey())
                .clear();
        if (before != null && offset < before.getValue()) {
            return false;
        }
        unfinished.add(offset);
        return true;
    }

    /** The attempts of a record so far, including those of earlier consumers. */
    Attempts attempts(long offset) {
        return attempts.getOrDefault(offset, NONE);
    }

    /** An attempt begins. */
    void began(long offset) {
        attempts.put(offset, new Attempts(attempts(offset).count() + 1, true));
    }

    /** An attempt of another consumer of this process, which still runs. */
    void takeOver(long offset, Attempts running) {
        attempts.put(offset, running);
    }

    /** An attempt has ended, and the record is not completed; it counts if {@code wasSent}. */
    void tried(long offset, boolean wasSent) {
        int count = attempts(offset).count() - (wasSent ? 0 : 1);
        if (count > 0) {
            attempts.put(offset, new Attempts(count, false));
        } else {
            attempts.remove(offset);
        }
    }

    /** Whether a record is completed, as far as it is known. */
    boolean isCompleted(long offset) {
        Map.Entry<Long, Long> ahead = completedAhead.floorEntry(offset);
        return (ahead != null && offset < ahead.getValue()) || (offset < next && !unfinished.contains(offset));
    }

    /** A record is completed. */
    void completed(long offset) {
        attempts.remove(offset);
        unfinished.remove(offset);
        if (offset >= next) {
            Map.Entry<Long, Long> before = completedAhead.floorEntry(offset);
            if (before == null || offset > before.getValue()) {
                completedAhead.put(offset, offset + 1);
            } else if (offset == before.getValue()) {
                completedAhead.put(before.getKey(), offset + 1);
            }
        }
    }

    /** A record was completed in a transaction that was rolled back. */
    void reopen(long offset) {
        unfinished.add(offset);
    }

    /** The offset to commit: all before it are completed. */
    long lowestUnfinished() {
        if (!unfinished.isEmpty()) {
            return unfinished.first();
        }
        Map.Entry<Long, Long> ahead = completedAhead.floorEntry(next);
        return ahead == null ? next : Math.max(next, ahead.getValue());
    }

    /** What to commit with {@link #lowestUnfinished}; closed if this consumer processes none of the records any more. */
    CommitMetadata metadata(boolean isClosed) {
        List<Range> completed = new ArrayList<>();
        long from = lowestUnfinished();
        for (long offset : unfinished) {
            add(completed, from, offset);
            from = offset + 1;
        }
        add(completed, from, next);
        for (Map.Entry<Long, Long> ahead : completedAhead.entrySet()) {
            add(completed, Math.max(ahead.getKey(), Math.max(next, from)), ahead.getValue());
        }
        return new CommitMetadata(isClosed, completed, attempts.tailMap(lowestUnfinished(), true));
    }

    private static void add(List<Range> ranges, long from, long to) {
        if (from < to) {
            ranges.add(new Range(from, to));
        }
    }
}
