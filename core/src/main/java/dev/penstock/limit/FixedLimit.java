package dev.penstock.limit;

import dev.penstock.text.Ranges;

/**
 * A fixed number of permits.
 *
 * @param permits the number of permits; 1 to 1,000,000
 * @param reason why this number: one sentence
 * @param limitingFactor what keeps it from being more
 */
public record FixedLimit(int permits, String reason, LimitingFactor limitingFactor) implements LimitController {
    /** The maximum number of permits of any limit. */
    public static final int MOST = 1_000_000;

    /** Checks the range; throws an {@link IllegalArgumentException}. */
    public FixedLimit {
        permits = Ranges.within("a limit", permits, 1, MOST);
    }

    /** A number that a person has set. */
    public FixedLimit(int permits, String reason) {
        this(permits, reason, LimitingFactor.PINNED);
    }
}
