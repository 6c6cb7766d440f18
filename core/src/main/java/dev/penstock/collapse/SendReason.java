package dev.penstock.collapse;

import java.util.Locale;

/** Why a batch stopped to wait for more requests. */
public enum SendReason {
    /** No further request was to be expected soon enough, or those that were expected did not come. */
    GAP,
    /** It had as many requests, or bytes, as it may have, or as many as do not cost more than they save. */
    FULL,
    /** Its first request had waited as long as the budget allows. */
    BUDGET,
    /** One of its requests has to be answered soon. */
    DEADLINE,
    /** The flow is shutting down. */
    DRAIN,
    /** Its one request is not fit to travel with others, or has a key beyond those that can have batches of their own. */
    ALONE;

    /** The word for it in metrics and reports, in lower case. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
