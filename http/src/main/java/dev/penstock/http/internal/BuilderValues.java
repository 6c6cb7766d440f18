package dev.penstock.http.internal;

import dev.penstock.Setting;
import dev.penstock.Setting.Origin;
import dev.penstock.text.Durations;
import dev.penstock.text.Ranges;
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
        note(name);
        return Ranges.within(name, value, min, max);
    }

    /** Validates a duration of at most 1 h. */
    public Duration within(String name, Duration value, Duration min) {
        note(name);
        return Ranges.within(name, value, min, MAX_TIME);
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
