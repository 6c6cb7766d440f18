package dev.penstock.http;

import dev.penstock.Durations;
import dev.penstock.Setting;
import dev.penstock.Setting.Origin;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;

/**
 * Checks the values that a builder is given against their ranges, and remembers which were given, so that settings can tell
 * them from defaults. Not safe for many threads.
 */
final class BuilderValues {
    static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofHours(1);

    private final Set<String> names = new HashSet<>();

    void note(String name) {
        names.add(name);
    }

    int within(String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + " is " + least + " to " + most + ", not " + value);
        }
        note(name);
        return value;
    }

    /** A time of up to an hour. */
    Duration within(String name, Duration value, Duration least) {
        if (value.compareTo(least) < 0 || value.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(name + " is " + Durations.words(least) + " to "
                    + Durations.words(LONGEST) + ", not " + Durations.words(value));
        }
        note(name);
        return value;
    }

    Setting setting(String name, String value, String range, String reason) {
        Origin origin = names.contains(name) ? Origin.FILE : Origin.DEFAULT;
        return new Setting(name, value, range, reason, Instant.now(), origin);
    }
}
