package dev.penstock.limit.simulate;

import dev.penstock.limit.LimitController;

/**
 * The limit of Netflix's concurrency-limits 0.5 called Gradient2, stated anew from its published description: the long-term
 * average of the times at the target, with a tolerance of 1.5, against the short one, smoothed by 0.2, between 20 and 1,000
 * permits, plus room for 4 in its queue. It never looks at what is dropped.
 */
final class Gradient2 implements Tuner {
    private static final int WARM_UP = 10;
    private static final int WINDOW = 600;

    private double limit = 20;
    private double longTerm;
    private long seen;

    @Override
    public int permits() {
        return (int) limit;
    }

    @Override
    public void finished(long now, long nanos, int inFlight, LimitController.Outcome outcome) {
        if (outcome == LimitController.Outcome.IGNORED) {
            return;
        }
        double average = average(nanos);
        if (longTerm / nanos > 2) {
            longTerm *= 0.95;
        }
        if (inFlight < limit / 2) {
            return;
        }
        double gradient = Math.clamp(1.5 * average / nanos, 0.5, 1.0);
        double next = limit * gradient + 4;
        limit = Math.clamp(0.8 * limit + 0.2 * next, 20, 1_000);
    }

    private double average(long nanos) {
        seen++;
        if (seen <= WARM_UP) {
            longTerm += (nanos - longTerm) / seen;
        } else {
            longTerm += (nanos - longTerm) * 2 / (WINDOW + 1);
        }
        return longTerm;
    }
}
