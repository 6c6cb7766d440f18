package dev.penstock.limit;

import dev.penstock.limit.LimitController.Outcome;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The calls that began while one number of permits was in force, whenever they end. Thread-safe: any thread counts, one reads.
 */
public final class Turn {
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

    /** Between what is left of exponential times (five) and of those that vary little (one to two). */
    private static final double DEVIATIONS_LEFT = 4;

    /** Longer times count as this multiple of the usual one. */
    static final double LONGEST = 8;

    private final Totals totals;
    private final long from;
    private final int permits;
    private final double usualNanos;
    private final double fastNanos;
    private final @Nullable Turn next;
    private final long most;
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
        this.next = null;
        this.most = Long.MAX_VALUE;
    }

    /** A turn that takes only so many calls; all later ones belong to the next one, which began at the same time. */
    Turn(Turn next, long most) {
        this.totals = next.totals;
        this.from = next.from;
        this.permits = next.permits;
        this.usualNanos = next.usualNanos;
        this.fastNanos = next.fastNanos;
        this.next = next;
        this.most = most;
    }

    /** The turn of the next call: this one, or the next one when this has its calls. */
    Turn open() {
        return next == null || started() < most ? this : next;
    }

    /** A call begins. */
    void start(long now) {
        started.increment();
        totals.started.increment();
        held.add(from - now);
    }

    /** A request found no permit free. */
    void block() {
        blocked.increment();
        totals.blocked.increment();
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

    private long unended() {
        return Math.max(0, started() - ended());
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
     * The mean time of all calls, though few have ended: the others are taken to end some standard deviations of those from now.
     */
    double expected(long now) {
        long open = unended();
        double mean = times.sum() / Math.max(1, timed());
        double deviation = Math.sqrt(Math.max(0, squares.sum() / Math.max(1, timed()) - mean * mean));
        double all = held.sum() + (now - from + DEVIATIONS_LEFT * deviation) * open;
        return Math.max(1, all / Math.max(1, timed() + open));
    }

    /**
     * The time that permits were held, per call that has ended. With those that have not ended this is the estimate for
     * censored exponential times, so a turn can be judged before its last call.
     */
    double cost(long now) {
        return Math.max(1, held.sum() + (double) (now - from) * unended()) / Math.max(1, timed());
    }
}
