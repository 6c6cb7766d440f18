package dev.penstock.limit;

/** What keeps a limit from having more permits. */
public enum LimitingFactor {
    /** Somebody has set it. */
    PINNED,
    /** It has found that more would be better, and is at its upper bound. */
    AT_MOST,
    /** It has measured that more give no more, or do harm. */
    MEASURED,
    /** It has not measured enough yet. */
    LOOKING
}
