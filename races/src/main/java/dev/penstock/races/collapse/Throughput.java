package dev.penstock.races.collapse;

import dev.penstock.lab.load.EndListener;
import dev.penstock.lab.measure.Outcome;
import java.time.Duration;
import java.util.concurrent.atomic.DoubleAdder;

/**
 * How many right answers a second there were in a window, an answer counting for the share of its time that lies in the window.
 * Callers who are answered together end a hundred at a time: counted by its end, one group more or less within 20 s would be
 * 2.5 % of all. Pure: readings of a clock go in.
 *
 * <p>Safe for many threads.
 */
final class Throughput implements EndListener {
    private final SimulatedApi api;
    private final long windowNanos;
    private final DoubleAdder answers = new DoubleAdder();
    private volatile long windowStart;

    /**
     * Nothing counted yet.
     *
     * @param api told which time is measured
     * @param window how long is measured
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

    /** Right answers a second. */
    double perSecond() {
        return answers.sum() * 1e9 / windowNanos;
    }
}
