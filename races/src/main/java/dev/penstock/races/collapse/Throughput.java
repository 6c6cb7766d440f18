package dev.penstock.races.collapse;

import dev.penstock.lab.load.EndListener;
import dev.penstock.lab.measure.Outcome;
import java.time.Duration;
import java.util.concurrent.atomic.DoubleAdder;

/**
 * The rate of correct answers in a window, where an answer counts by the share of its time that lies in the window.
 * Callers answered together end a hundred at a time: counted by their end, one group more or less within 20 s would
 * change the rate by 2.5 %. Pure: times are arguments.
 *
 * <p>Thread-safe.
 */
final class Throughput implements EndListener {
    private final SimulatedApi api;
    private final long windowNanos;
    private final DoubleAdder answers = new DoubleAdder();
    private volatile long windowStart;

    /**
     * Nothing counted yet.
     *
     * @param api receives the measured time range
     * @param window duration of the measurement
     */
    Throughput(SimulatedApi api, Duration window) {
        this.api = api;
        this.windowNanos = window.toNanos();
    }

    @Override
    public void begins(long start) {
        windowStart = start;
        api.measure(start, windowNanos);
    }

    @Override
    public void ended(Outcome outcome, long intended, long start, long end) {
        if (outcome == Outcome.RIGHT) {
            long from = Math.max(0, intended - windowStart);
            long to = Math.min(windowNanos, end - windowStart);
            if (end - intended > 0 && to > from) {
                answers.add((double) (to - from) / (end - intended));
            }
        }
    }

    /** Correct answers per second. */
    double perSecond() {
        return answers.sum() * 1e9 / windowNanos;
    }
}
