package dev.penstock.limit.simulate;

import dev.penstock.limit.LimitController;
import java.util.SplittableRandom;

/**
 * The limit of Netflix's concurrency-limits 0.5 called Vegas, stated anew from its published description, which follows TCP
 * Vegas (Brakmo and Peterson, 1995): the queue is guessed from the shortest time ever seen; below {@code 3 log10} of the
 * limit it grows by that logarithm, above {@code 6 log10} it shrinks, as it does when something is dropped. The shortest
 * time is forgotten every now and then.
 */
final class Vegas implements Tuner {
    private static final int PROBE = 30;

    private final SplittableRandom random = new SplittableRandom(1);
    private double limit = 20;
    private long shortest;
    private long probeIn = 1;
    private double jitter = 0.75;

    @Override
    public int permits() {
        return (int) limit;
    }

    @Override
    public void finished(long now, long nanos, int inFlight, LimitController.Outcome outcome) {
        if (outcome == LimitController.Outcome.IGNORED) {
            return;
        }
        probeIn++;
        if (probeIn >= jitter * PROBE * limit) {
            jitter = 0.5 + random.nextDouble() / 2;
            probeIn = 0;
            shortest = nanos;
            return;
        }
        if (shortest == 0 || nanos < shortest) {
            shortest = nanos;
            return;
        }
        limit = Math.clamp(next(nanos, inFlight, outcome), 1, 1_000);
    }

    private double next(long nanos, int inFlight, LimitController.Outcome outcome) {
        double step = Math.max(1, Math.log10(limit));
        if (outcome == LimitController.Outcome.DROPPED) {
            return limit - step;
        }
        if (2 * inFlight < limit) {
            return limit;
        }
        int queue = (int) Math.ceil(limit * (1 - (double) shortest / nanos));
        if (queue <= step) {
            return limit + 6 * step;
        }
        if (queue < 3 * step) {
            return limit + step;
        }
        return queue > 6 * step ? limit - step : limit;
    }
}
