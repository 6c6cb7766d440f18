package dev.penstock.limit;

/**
 * How a limit grows before the first pair: until calls return, it doubles where requests come fast; from the first answers on by
 * one for each. Not thread-safe.
 */
final class ColdStart {
    private static final long BETWEEN_DOUBLINGS = 50_000_000;
    private static final int FAST_ARRIVALS = 30;
    private static final double FAST_SHARE = 0.125;

    private final Turn.Totals totals;
    private final int max;
    private final double allowedNanos;
    private long credited;
    private long fullAt;
    private long blockedThen = -1;
    private long doubledAt;
    private long firstAt;

    /** Grows up to a bound; calls are allowed to take so long, infinite for no bound. */
    ColdStart(Turn.Totals totals, int max, double allowedNanos, long now) {
        this.totals = totals;
        this.max = max;
        this.allowedNanos = allowedNanos;
        this.doubledAt = now;
    }

    /** The next level, while too few have answered to know how long calls take. */
    double blindly(double level, long now) {
        long blocked = totals.blocked();
        if (blocked == 0) {
            return level;
        }
        if (totals.answered() > 0) {
            firstAt = credited == 0 ? now : firstAt;
            return byAnswers(level, max);
        }
        if (blockedThen < 0) {
            fullAt = now;
            blockedThen = blocked;
            return level;
        }
        long more = blocked - blockedThen;
        boolean isFast = more >= FAST_ARRIVALS && level * (now - fullAt) / more <= FAST_SHARE * allowedNanos;
        if (!isFast || now - doubledAt < BETWEEN_DOUBLINGS) {
            return level;
        }
        doubledAt = now;
        return Math.min(max, 2 * level);
    }

    /** The next level: one more for each answer since the last time, up to what is needed. */
    double byAnswers(double level, double needed) {
        double next = Math.max(level, Math.min(Math.min(max, needed), level + totals.answered() - credited));
        skipAnswers();
        return next;
    }

    /** Whether far fewer have returned since the first one than so many in flight give by Little's law. */
    boolean isLoaded(int inFlight, double usualNanos, long now) {
        return totals.answered() > 0 && 2 * totals.answered() * usualNanos < (double) inFlight * (now - firstAt);
    }

    /** The answers so far give nothing. */
    void skipAnswers() {
        credited = totals.answered();
    }
}
