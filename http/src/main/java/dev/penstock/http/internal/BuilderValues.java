package dev.penstock.http.internal;

import dev.penstock.Setting;
import dev.penstock.Setting.Origin;
import dev.penstock.text.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;

/**
 * Validates the values of a builder, and records which settings were configured and which have their default. Not thread-safe.
 */
public final class BuilderValues {
    /** The shortest time that a builder accepts if it has no reason for another. */
    public static final Duration MIN_TIME = Duration.ofMillis(1);

    /** The longest time that a builder accepts. */
    public static final Duration MAX_TIME = Duration.ofHours(1);

    private final Set<String> names = new HashSet<>();

    /** Records that a setting was configured. */
    public void note(String name) {
        names.add(name);
    }

    /** Validates a number. */
    public int within(String name, int value, int min, int max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(name + " must be " + min + " to " + max + ", not " + value);
        }
        note(name);
        return value;
    }

    /** Validates a duration of at most 1 h. */
    public Duration within(String name, Duration value, Duration min) {
        if (value.compareTo(min) < 0 || value.compareTo(MAX_TIME) > 0) {
            throw new IllegalArgumentException(name + " must be " + Durations.format(min) + " to "
                    + Durations.format(MAX_TIME) + ", not " + Durations.format(value));
        }
        note(name);
        return value;
    }

    /** The range of {@link #within(String, Duration, Duration)}, for a setting. */
    public static String times(Duration min) {
        return Durations.write(min) + ".." + Durations.write(MAX_TIME);
    }

    /** A setting, with its origin. */
    public Setting setting(String name, String value, String range, String reason) {
        Origin origin = names.contains(name) ? Origin.GIVEN : Origin.DEFAULT;
        return new Setting(name, value, range, reason, Instant.now(), origin);
    }
}
