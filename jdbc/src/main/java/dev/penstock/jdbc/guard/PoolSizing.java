package dev.penstock.jdbc.guard;

import java.util.Locale;

/**
 * The maximum number of connections, if it is not configured: raised while callers wait and the throughput rises. When it
 * hardly rises, the database itself is saturated, and the maximum goes back for a minute. Not thread-safe.
 */
final class PoolSizing {
    /** The initial and the least maximum, which is HikariCP's default. */
    static final int FIRST = 10;

    /** The upper bound: PostgreSQL allows 100 connections by default, and has other clients. */
    static final int CEILING = 50;

    /** Rounds without a further attempt after one that did not pay. */
    private static final int PATIENCE = 60;

    private int max = FIRST;
    private int before;
    private double rateBefore;
    private int patience;
    private String reason = "initial value; raised while callers wait and more connections raise the throughput";

    /**
     * Processes one round.
     *
     * @param rate connections given back, per second
     * @param inUse connections in use now
     * @param waiting callers waiting now
     */
    void round(double rate, int inUse, int waiting) {
        if (before > 0) {
            if (rate < (1 + (max - before) / (4.0 * before)) * rateBefore) {
                max = before;
                patience = PATIENCE;
                reason = String.format(
                        Locale.ROOT,
                        "more than %d connections did not raise the throughput above %.0f/s",
                        before,
                        rateBefore);
            }
            before = 0;
            return;
        }
        patience = Math.max(0, patience - 1);
        if (waiting > 0 && inUse >= max && patience == 0 && max < CEILING) {
            before = max;
            rateBefore = rate;
            max = Math.min(CEILING, max + max / 2);
            reason = String.format(
                    Locale.ROOT, "all %d were in use at %.0f/s, and %d callers waited", before, rate, waiting);
        }
    }

    int max() {
        return max;
    }

    String reason() {
        return reason;
    }
}
