package dev.penstock.collapse;

import dev.penstock.BatchCounts.SendReason;

/** The decision about an open batch: send it, or wait for more requests. */
sealed interface WindowDecision {
    /**
     * Send it now.
     *
     * @param why the reason, for statistics
     */
    record Closed(SendReason why) implements WindowDecision {}

    /**
     * Wait. Decide again at the given time or number of requests, whichever is first, and whenever a call returns.
     *
     * @param until a time
     * @param atCount a number of requests
     */
    record Open(long until, int atCount) implements WindowDecision {}
}
