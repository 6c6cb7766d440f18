package dev.penstock.lab.measure;

import java.util.concurrent.locks.ReentrantLock;
import org.HdrHistogram.Histogram;

/**
 * A part of a recorder, under a lock of its own; about 600 KB.
 *
 * <p>For the thread that holds its lock.
 */
final class Stripe {
    final ReentrantLock lock = new ReentrantLock();
    final Histogram response = Latency.empty();
    final Histogram service = Latency.empty();
    final Histogram lag = Latency.empty();
    final long[] outcomes = new long[Outcome.all().size()];
    long ended;
    long rightInWindow;
    long lastEnd;
    boolean any;

    void add(Stripe other) {
        response.add(other.response);
        service.add(other.service);
        lag.add(other.lag);
        for (int i = 0; i < outcomes.length; i++) {
            outcomes[i] += other.outcomes[i];
        }
        ended += other.ended;
        rightInWindow += other.rightInWindow;
        if (other.any && (!any || other.lastEnd - lastEnd > 0)) {
            any = true;
            lastEnd = other.lastEnd;
        }
    }
}
