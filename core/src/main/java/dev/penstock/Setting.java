package dev.penstock;

import java.time.Instant;
import java.util.Locale;

/**
 * A setting of a flow, with the origin of its value and the reason for it.
 *
 * @param name dotted and unique within its flow, for instance {@code queue.time}
 * @param value the formatted value, with its unit
 * @param range the allowed values, for instance {@code 1..10000}
 * @param reason why it has this value: one sentence, with numbers
 * @param since when it took this value
 * @param origin who set it
 * @param pin whether it can be pinned at run time, and whether it is
 */
public record Setting(String name, String value, String range, String reason, Instant since, Origin origin, Pin pin) {
    /** Who set a value. */
    public enum Origin {
        /** The built-in default. */
        DEFAULT,
        /** Configured in code. */
        GIVEN,
        /** Configured in the flow file. */
        FILE,
        /** Measured by Penstock. */
        LEARNED,
        /** Set by a person, in place of a measured or default value. */
        PINNED;

        /** {@return the name in output, in lower case} */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Whether a value can be pinned at run time, and whether it is. */
    public enum Pin {
        /** Cannot be pinned. */
        NEVER,
        /** Can be pinned, and is not. */
        OFF,
        /** Is pinned. Unpinned, it becomes adaptive again, or returns to its configured value. */
        ON
    }

    /**
     * A setting that cannot be pinned at run time.
     *
     * @param name dotted and unique within its flow
     * @param value the formatted value, with its unit
     * @param range the allowed values
     * @param reason why it has this value
     * @param since when it took this value
     * @param origin who set it
     */
    public Setting(String name, String value, String range, String reason, Instant since, Origin origin) {
        this(name, value, range, reason, since, origin, Pin.NEVER);
    }

    /**
     * {@return a copy with another origin}
     *
     * @param by who set it
     */
    public Setting from(Origin by) {
        return new Setting(name, value, range, reason, since, by, pin);
    }

    /** {@return a copy that can be pinned} */
    public Setting unpinned() {
        return new Setting(name, value, range, reason, since, origin, Pin.OFF);
    }

    /** {@return whether it can be pinned, or is} */
    public boolean pinnable() {
        return pin != Pin.NEVER;
    }

    /** {@return whether the value is fixed: configured or pinned, not adaptive} */
    public boolean pinned() {
        return origin == Origin.PINNED || origin == Origin.GIVEN || origin == Origin.FILE;
    }
}
