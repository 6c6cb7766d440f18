package dev.penstock.limit.simulate;

import dev.penstock.limit.LimitController.Outcome;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;

/**
 * The calls that began while one number of permits was in force, whenever they end. Thread-safe: any thread counts, one reads.
 */
final class Turn {
    /** What all turns of a limit have counted together. */
    static final class Totals {
        private final LongAdder started = new LongAdder();
        private final LongAdder answered = new LongAdder();
        private final LongAdder refused = new LongAdder();
        private final LongAdder refusedNanos = new LongAdder();
        private final LongAdder blocked = new LongAdder();

        long started() {
            return started.sum();
        }

        long answered() {
            return answered.sum();
        }

        long refused() {
            return refused.sum();
        }

        long refusedNanos() {
            return refusedNanos.sum();
        }

        long blocked() {
            return blocked.sum();
        }
    }

    /** A failure that takes a smaller share of the usual time is a refusal. */
    private static final double FAST_SHARE = 0.3;

    /** Longer times count as this multiple of the usual one. */
    private static final double LONGEST = 8;

    private final Totals totals;
    private final long from;
    private final int permits;
    private final double usualNanos;
    private final double fastNanos;
    private final LongAdder started = new LongAdder();
    private final LongAdder answered = new LongAdder();
    private final LongAdder dropped = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder ignored = new LongAdder();
    private final LongAdder blocked = new LongAdder();
    /** The ends of all calls less their starts, both since {@link #from}. */
    private final LongAdder held = new LongAdder();

    private final DoubleAdder times = new DoubleAdder();
    private final DoubleAdder squares = new DoubleAdder();

    /**
     * A turn without calls.
     *
     * @param usualNanos the time of an answer; 0 when not known
     * @param unknownFastNanos what counts as a refusal then
     */
    Turn(Totals totals, long from, int permits, double usualNanos, double unknownFastNanos) {
        this.totals = totals;
        this.from = from;
        this.permits = permits;
        this.usualNanos = usualNanos;
        this.fastNanos = usualNanos > 0 ? FAST_SHARE * usualNanos : unknownFastNanos;
    }

    /** A call begins. */
    void start(long now) {
        started.increment();
        totals.started.increment();
        held.add(from - now);
    }

    /** So many requests found no permit free. */
    void block(long requests) {
        blocked.add(requests);
        totals.blocked.add(requests);
    }

    /** A call that began at {@code start}, in this turn, has ended. */
    void end(long start, long now, Outcome outcome) {
        held.add(now - from);
        if (outcome == Outcome.SUCCESS) {
            answered.increment();
            totals.answered.increment();
        } else if (outcome != Outcome.IGNORED && now - start < fastNanos) {
            refused.increment();
            totals.refused.increment();
            totals.refusedNanos.add(now - start);
            return;
        } else if (outcome == Outcome.DROPPED) {
            dropped.increment();
        } else {
            ignored.increment();
            return;
        }
        double took = now - start;
        double counted = usualNanos > 0 ? Math.min(took, LONGEST * usualNanos) : took;
        times.add(counted);
        squares.add(counted * counted);
    }

    long from() {
        return from;
    }

    int permits() {
        return permits;
    }

    long started() {
        return started.sum();
    }

    long blocked() {
        return blocked.sum();
    }

    /** The requests that came. */
    long arrived() {
        return started() + blocked();
    }

    long answered() {
        return answered.sum();
    }

    long dropped() {
        return dropped.sum();
    }

    /** The calls that failed too soon to have been worked on. */
    long refused() {
        return refused.sum();
    }

    /** The calls whose times are known. */
    long timed() {
        return answered() + dropped();
    }

    private long ended() {
        return timed() + refused() + ignored.sum();
    }

    boolean hasEnded(double share) {
        return ended() >= share * started();
    }

    /** The logarithm of the mean time of those that have ended. */
    double meanLog() {
        return Math.log(Math.max(1, times.sum()) / Math.max(1, timed()));
    }

    /** The squared relative error of that mean. */
    double variance() {
        double n = Math.max(1, timed());
        double sum = Math.max(1, times.sum());
        return (Math.max(0, squares.sum() * n / (sum * sum) - 1) + 1e-4) / n;
    }

    /**
     * The time that permits were held, per call that has ended. With those that have not ended this is the estimate for
     * censored exponential times, so a turn can be judged before its last call.
     */
    double cost(long now) {
        long open = Math.max(0, started() - ended());
        return Math.max(1, held.sum() + (double) (now - from) * open) / Math.max(1, timed());
    }
}
