package dev.penstock.text;

import java.time.Duration;

/** Checks the values of builders. Each method returns the value, or throws IllegalArgumentException with one line. */
public final class Ranges {
    private Ranges() {}

    /** A number from {@code least} to {@code most}. */
    public static int within(String what, int value, int least, int most) {
        return (int) within(what, (long) value, least, most);
    }

    /** A number from {@code least} to {@code most}, which may be the highest of its type. */
    public static long within(String what, long value, long least, long most) {
        if (value < least || value > most) {
            String upTo = most == Integer.MAX_VALUE || most == Long.MAX_VALUE ? " or more" : " to " + most;
            throw new IllegalArgumentException(what + " must be " + least + upTo + ", not " + value);
        }
        return value;
    }

    /** A time from {@code least} to {@code most}. */
    public static Duration within(String what, Duration time, Duration least, Duration most) {
        if (time.compareTo(least) < 0 || time.compareTo(most) > 0) {
            throw new IllegalArgumentException(what + " must be " + Durations.write(least) + " to "
                    + Durations.write(most) + ", not " + Durations.write(time));
        }
        return time;
    }

    /** A time above 0. */
    public static Duration positive(String what, Duration time) {
        if (time.isNegative() || time.isZero()) {
            throw new IllegalArgumentException(what + " must be above 0, not " + Durations.format(time));
        }
        return time;
    }

    /** A share: 0 to 1. */
    public static double share(String what, double value) {
        if (!(value >= 0 && value <= 1)) {
            throw new IllegalArgumentException(what + " must be 0 to 1, not " + value);
        }
        return value;
    }

    /** A name that is not blank. */
    public static String named(String what, String name) {
        if (name.isBlank()) {
            throw new IllegalArgumentException("the name of " + what + " must not be blank");
        }
        return name;
    }
}
