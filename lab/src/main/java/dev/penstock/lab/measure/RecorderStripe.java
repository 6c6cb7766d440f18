package dev.penstock.lab.measure;

import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import org.HdrHistogram.Histogram;

/**
 * A part of a recorder with its own lock; about 650 KB, plus 200 KB per slice and label.
 *
 * <p>For the thread that holds its lock.
 */
final class RecorderStripe {
    final ReentrantLock lock = new ReentrantLock();
    final SliceTally[] slices;
    final SliceTally[] labels;
    /** Ended transactions by slice and label, as in {@link LoadRecorder}. */
    final long[] endedOfStarted;

    final Histogram service = Latency.empty();
    final Histogram failures = Latency.empty();
    final Histogram lag = Latency.empty();
    final IntervalTally interval = new IntervalTally();
    long ended;
    long lastEnd;
    boolean any;

    RecorderStripe(int slices, int labels, int starts) {
        this.endedOfStarted = new long[starts];
        this.slices = tallies(slices);
        this.labels = tallies(labels);
    }

    private static SliceTally[] tallies(int count) {
        SliceTally[] tallies = new SliceTally[count];
        Arrays.setAll(tallies, i -> new SliceTally());
        return tallies;
    }

    void ended(long end) {
        ended++;
        latest(end);
    }

    /** Adds another stripe; all its slices go to the single slice if this one has only one, and labels only if it has some. */
    void add(RecorderStripe other) {
        for (int i = 0; i < other.slices.length; i++) {
            slices[Math.min(i, slices.length - 1)].add(other.slices[i]);
        }
        for (int i = 0; i < labels.length; i++) {
            labels[i].add(other.labels[i]);
        }
        for (int i = 0; i < endedOfStarted.length; i++) {
            endedOfStarted[i] += other.endedOfStarted[i];
        }
        service.add(other.service);
        failures.add(other.failures);
        lag.add(other.lag);
        ended += other.ended;
        if (other.any) {
            latest(other.lastEnd);
        }
    }

    private void latest(long end) {
        if (!any || end - lastEnd > 0) {
            any = true;
            lastEnd = end;
        }
    }
}
