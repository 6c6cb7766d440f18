package dev.penstock;

import java.time.Instant;
import java.util.Locale;

/**
 * A value that shapes how a flow runs, with where it came from and why it is what it is.
 *
 * @param name dotted and unique within its flow, for instance {@code queue.time}
 * @param value as a person writes it, with its unit
 * @param range what it may be, for instance {@code 1..10000}
 * @param reason one sentence, with its numbers
 * @param since when it took this value
 * @param origin who set it
 */
public record Setting(String name, String value, String range, String reason, Instant since, Origin origin) {
    /** Who set a value. */
    public enum Origin {
        /** Penstock's own starting value. */
        DEFAULT,
        /** The flow file, or code. */
        FILE,
        /** Measured by Penstock. */
        LEARNED,
        /** A person, in place of what Penstock would measure. */
        PINNED;

        /** The word for it in output. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Whether the value stays as it is whatever is measured. */
    public boolean pinned() {
        return origin == Origin.PINNED || origin == Origin.FILE;
    }
}
