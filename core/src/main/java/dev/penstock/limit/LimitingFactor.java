package dev.penstock.limit;

/** What keeps a limit from growing. */
public enum LimitingFactor {
    /** A person has set the limit. */
    PINNED,
    /** Throughput still rises, but the limit is at its upper bound. */
    UPPER_BOUND,
    /** More in flight gives no more answers, or fewer. */
    MEASURED,
    /** Not enough has been measured yet. */
    MEASURING
}
