package dev.penstock.text;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses and formats durations, and converts them to nanoseconds without overflow. */
public final class Durations {
    private static final Pattern WRITTEN = Pattern.compile("(\\d{1,12}(?:\\.\\d{1,9})?)(us|ms|s|m|h|d)");

    /** The longest time in nanoseconds, 146 years: half of the range of a ticker, so that sums do not overflow. */
    public static final long LONGEST_NANOS = Long.MAX_VALUE / 2;

    private static final Duration LONGEST = Duration.ofNanos(LONGEST_NANOS);

    private Durations() {}

    /**
     * Parses a number and a unit without a space, for instance {@code 200ms}, {@code 2s}, {@code 1.5s} or {@code 5m}. Units
     * are {@code us}, {@code ms}, {@code s}, {@code m}, {@code h} and {@code d}; {@code 0} alone is zero. Negative values are
     * not accepted. Fractions of a nanosecond are truncated.
     *
     * @param text the text to parse
     * @return the duration
     * @throws IllegalArgumentException when the text is not a duration; the message is one line that shows valid examples
     */
    public static Duration parse(String text) {
        if (text.equals("0")) {
            return Duration.ZERO;
        }
        Matcher written = WRITTEN.matcher(text);
        if (!written.matches()) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is no duration: write a number and a unit, for instance 200ms, 2s, 5m or 1h");
        }
        BigDecimal nanos = new BigDecimal(written.group(1)).multiply(BigDecimal.valueOf(unitNanos(written.group(2))));
        BigDecimal[] parts = nanos.divideAndRemainder(BigDecimal.valueOf(1_000_000_000L));
        return Duration.ofSeconds(parts[0].longValue(), parts[1].longValue());
    }

    private static long unitNanos(String unit) {
        return switch (unit) {
            case "us" -> 1_000L;
            case "ms" -> 1_000_000L;
            case "s" -> 1_000_000_000L;
            case "m" -> 60_000_000_000L;
            case "h" -> 3_600_000_000_000L;
            default -> 86_400_000_000_000L;
        };
    }

    /** The duration in nanoseconds, limited to 146 years in either direction. */
    public static long nanos(Duration duration) {
        if (duration.compareTo(LONGEST) >= 0) {
            return LONGEST_NANOS;
        }
        return duration.compareTo(LONGEST.negated()) <= 0 ? -LONGEST_NANOS : duration.toNanos();
    }

    /** Formats a duration in the most readable unit, for instance {@code 250 ms} or {@code 1.5 s}. */
    public static String format(Duration duration) {
        return format(nanos(duration));
    }

    /** Formats nanoseconds in the most readable unit, for instance {@code 250 ms} or {@code 1.5 s}. */
    public static String format(long nanos) {
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

    /** The duration as {@link #parse} reads it, in the largest unit that leaves no fraction, for instance {@code 90s}. */
    public static String write(Duration duration) {
        long nanos = nanos(duration);
        if (nanos == 0) {
            return "0s";
        }
        for (String unit : new String[] {"h", "m", "s", "ms"}) {
            if (nanos % unitNanos(unit) == 0) {
                return nanos / unitNanos(unit) + unit;
            }
        }
        return BigDecimal.valueOf(nanos, 3).stripTrailingZeros().toPlainString() + "us";
    }

    private static String number(double value) {
        String text = String.format(Locale.ROOT, "%.2f", value);
        return text.contains(".") ? text.replaceAll("0+$", "").replaceAll("\\.$", "") : text;
    }
}
