package dev.penstock.collapse;

import java.util.Locale;

/** The objective of a collapse: fewer calls, lower latency, or a balance of both. */
public enum Prefer {
    /**
     * The fewest calls while the mean latency exceeds the shortest possible one by no more than the budget. The cost of
     * items and of concurrent calls is taken into account: when the target or the limit is saturated, batches become larger.
     * The default.
     */
    AUTO,
    /** The fewest calls for which no caller waits longer than the budget, regardless of the cost of larger batches. */
    CALLS,
    /**
     * The lowest latency: requests do not wait for others unless concurrent calls slow each other down. When the target is
     * nearly saturated, {@link #AUTO} can be faster.
     */
    LATENCY;

    /** Its name in configuration files and reports, in lower case. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
