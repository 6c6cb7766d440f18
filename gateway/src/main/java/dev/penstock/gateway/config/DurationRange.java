package dev.penstock.gateway.config;

import dev.penstock.Durations;
import java.time.Duration;

/** A range of durations, both bounds in the notation of the flow file and inclusive. */
record DurationRange(String min, String max) {
    boolean contains(Duration duration) {
        return duration.compareTo(time(min)) >= 0 && duration.compareTo(time(max)) <= 0;
    }

    /** Parses a duration constant of the program. */
    static Duration time(String written) {
        return Durations.parse(written);
    }
}
