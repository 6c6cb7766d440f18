package dev.penstock.gateway.config;

import dev.penstock.Durations;
import java.time.Duration;

/** From one duration to another, both as a person writes them. */
record DurationRange(String least, String most) {
    boolean contains(Duration duration) {
        return duration.compareTo(time(least)) >= 0 && duration.compareTo(time(most)) <= 0;
    }

    /** A duration that this program, not a user, wrote. */
    static Duration time(String written) {
        return Durations.parse(written);
    }
}
