package dev.penstock.kafka.source;

import dev.penstock.source.PrefetchWindow;
import dev.penstock.source.SourceStop;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** The records of a source that are received and not ended. Thread-safe. */
abstract sealed class ReceivedRecords permits RecordQueue, SharedRecords {
    final KafkaSourceBuilder built;
    final PrefetchWindow prefetchWindow;
    final SourceStop stop = new SourceStop();
    final KafkaSourceCounts counts = new KafkaSourceCounts();
    // The fields below are guarded by the monitor.
    /** Those that may start, in this order. */
    final Deque<HeldRecord> ready = new ArrayDeque<>();

    private int records;
    private long bytes;

    ReceivedRecords(KafkaSourceBuilder built, IntSupplier capacity) {
        this.built = built;
        this.prefetchWindow = new PrefetchWindow(built.inFlight, capacity);
    }

    /** The next record to process, whose attempt begins now; null for none, or if the flow has no capacity left. */
    abstract @Nullable HeldRecord next();

    /** Waits until another consumer would see that the record's attempt has begun; false if it must not be processed. */
    boolean awaitCommitted(HeldRecord held) {
        return true;
    }

    /** An attempt begins. */
    void began(HeldRecord held) {}

    /** An attempt has ended, and the record is not completed; {@code wasSent} if it counts as an attempt. */
    void tried(HeldRecord held, boolean wasSent) {}

    /** A record is no longer processed. One that is not completed is processed again, here or by another consumer. */
    abstract void ended(HeldRecord held, boolean isCompleted);

    /** A record was received, that has to be processed. */
    final synchronized void received(HeldRecord held) {
        records++;
        bytes += held.bytes();
        counts.received.increment();
    }

    /** A record is completed or given back. */
    final synchronized void left(HeldRecord held, boolean isCompleted) {
        records--;
        bytes -= held.bytes();
        (isCompleted ? counts.completed : counts.givenBack).increment();
    }

    /** The number of records received and not ended. */
    final synchronized int size() {
        return records;
    }

    /** Whether no more is to be received than what is claimed. */
    final synchronized boolean isFull(int claimed) {
        return records + claimed >= built.bufferRecords || bytes >= built.bufferBytes;
    }

    /** Whether a full buffer has drained so far that more is to be received. */
    final synchronized boolean hasRoom() {
        return records <= built.bufferRecords / 4 * 3 && bytes <= built.bufferBytes / 4 * 3;
    }

    /** The counters of a source. Thread-safe. */
    static final class KafkaSourceCounts {
        final LongAdder received = new LongAdder();
        final LongAdder completed = new LongAdder();
        final LongAdder triedAgain = new LongAdder();
        final LongAdder deadLetters = new LongAdder();
        final LongAdder givenBack = new LongAdder();
        final LongAdder recognised = new LongAdder();
        final LongAdder rolledBack = new LongAdder();

        Map<String, Long> all() {
            Map<String, Long> all = new LinkedHashMap<>();
            all.put("received", received.sum());
            all.put("completed", completed.sum());
            all.put("tried_again", triedAgain.sum());
            all.put("dead_letters", deadLetters.sum());
            all.put("given_back", givenBack.sum());
            all.put("recognised", recognised.sum());
            all.put("rolled_back", rolledBack.sum());
            return all;
        }
    }
}
