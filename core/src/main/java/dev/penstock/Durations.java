package dev.penstock;

import java.time.Duration;
import java.util.Locale;

/** Durations as numbers that cannot overflow, and as people write them. */
public final class Durations {
    private Durations() {}

    /** Nanoseconds of a duration; anything beyond 146 years counts as 146 years. */
    public static long nanos(Duration duration) {
        return duration.compareTo(Duration.ofNanos(Transit.NEVER)) >= 0 ? Transit.NEVER : duration.toNanos();
    }

    /** A duration in the one unit that reads best, for instance {@code 250 ms} or {@code 1.5 s}. */
    public static String words(Duration duration) {
        return words(nanos(duration));
    }

    /** Nanoseconds in the one unit that reads best, for instance {@code 250 ms} or {@code 1.5 s}. */
    public static String words(long nanos) {
        double size = Math.abs((double) nanos);
        if (size >= 120e9) {
            return number(nanos / 60e9) + " min";
        }
        if (size >= 1e9) {
            return number(nanos / 1e9) + " s";
        }
        if (size >= 1e6) {
            return number(nanos / 1e6) + " ms";
        }
        return size >= 1e3 ? number(nanos / 1e3) + " us" : nanos + " ns";
    }

    private static String number(double value) {
        String text = String.format(Locale.ROOT, "%.2f", value);
        return text.contains(".") ? text.replaceAll("0+$", "").replaceAll("\\.$", "") : text;
    }
}
