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
 * @param pin whether a person may set it while it runs, and has
 */
public record Setting(String name, String value, String range, String reason, Instant since, Origin origin, Pin pin) {
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

    /** Whether a person may set a value while it runs. */
    public enum Pin {
        /** Nobody may. */
        NEVER,
        /** Whoever may see to the flow. */
        OFF,
        /** Somebody has; without the pin it goes back to what finds itself, or to what was given. */
        ON
    }

    /** A setting that nobody can pin while it runs. */
    public Setting(String name, String value, String range, String reason, Instant since, Origin origin) {
        this(name, value, range, reason, since, origin, Pin.NEVER);
    }

    /** The same, set by somebody else. */
    public Setting from(Origin by) {
        return new Setting(name, value, range, reason, since, by, pin);
    }

    /** The same, which somebody may pin. */
    public Setting unpinned() {
        return new Setting(name, value, range, reason, since, origin, Pin.OFF);
    }

    /** Whether it may be pinned, or is. */
    public boolean pinnable() {
        return pin != Pin.NEVER;
    }

    /** Whether the value stays as it is whatever is measured. */
    public boolean pinned() {
        return origin == Origin.PINNED || origin == Origin.FILE;
    }
}
