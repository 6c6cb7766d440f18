package dev.penstock.lab.measure;

import java.util.concurrent.locks.ReentrantLock;
import org.HdrHistogram.Histogram;

/**
 * A part of a recorder, under a lock of its own; about 450 KB, and 200 KB more for each slice.
 *
 * <p>For the thread that holds its lock.
 */
final class RecorderStripe {
    final ReentrantLock lock = new ReentrantLock();
    final SliceTally[] slices;
    final Histogram service = Latency.empty();
    final Histogram lag = Latency.empty();
    final IntervalTally lately = new IntervalTally();
    long ended;
    long lastEnd;
    boolean any;

    RecorderStripe(int slices) {
        this.slices = new SliceTally[slices];
        for (int i = 0; i < slices; i++) {
            this.slices[i] = new SliceTally();
        }
    }

    void ended(long end) {
        ended++;
        latest(end);
    }

    /** Adds another stripe's numbers; all its slices go to the one slice where this has only one. */
    void add(RecorderStripe other) {
        for (int i = 0; i < other.slices.length; i++) {
            slices[Math.min(i, slices.length - 1)].add(other.slices[i]);
        }
        service.add(other.service);
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
