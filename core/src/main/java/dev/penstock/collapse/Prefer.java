package dev.penstock.collapse;

import java.util.Locale;

/** What a collapse is for: fewer calls, shorter times, or whichever pays. */
public enum Prefer {
    /**
     * The fewest calls at which the mean time of a caller stays within the budget of the shortest possible one. Items that
     * make a call slower are counted, and so are calls that wait for each other: at a target, or a limit, that is saturated,
     * batches become larger. The default.
     */
    AUTO,
    /** The fewest calls for which no caller waits longer than the budget, whatever a larger batch costs. */
    CALLS,
    /**
     * Short times for callers: nobody waits for others unless calls wait for each other. Where slots at the target are nearly
     * saturated, {@link #AUTO} can be faster.
     */
    LATENCY;

    /** The word for it in files and reports, in lower case. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
