package dev.penstock.collapse;

/** What is to become of an open batch: it leaves, or waits for more. */
sealed interface WindowDecision {
    /**
     * It leaves now.
     *
     * @param why for the record
     */
    record Closed(SendReason why) implements WindowDecision {}

    /**
     * It waits. To be looked at again when either comes true, and whenever a call comes back.
     *
     * @param until a reading of the clock
     * @param atCount a number of requests
     */
    record Open(long until, int atCount) implements WindowDecision {}
}
