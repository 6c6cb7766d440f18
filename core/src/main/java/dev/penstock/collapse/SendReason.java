package dev.penstock.collapse;

import java.util.Locale;

/** Why a batch was sent instead of waiting for more requests. */
public enum SendReason {
    /** No further request was expected soon enough, or the expected ones did not arrive. */
    GAP,
    /** It had the maximum number of requests or bytes, or more requests would have cost more than they save. */
    FULL,
    /** Its first request had waited for the whole budget. */
    BUDGET,
    /** The deadline of one of its requests is near. */
    DEADLINE,
    /** The flow is shutting down. */
    DRAIN,
    /** Its only request is excluded from batches, or its key exceeds the number of keys with an open batch. */
    ALONE;

    /** Its name in metrics and reports, in lower case. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
