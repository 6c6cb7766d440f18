package dev.penstock.lab.report;

import java.util.Locale;
import java.util.OptionalLong;

/** Numbers as people read them: the same in every country, and n/a for what is not known. */
public final class Figures {
    /** Stands for what is not known. */
    public static final String NOT_KNOWN = "n/a";

    private Figures() {}

    /** A count, with a comma between thousands. */
    public static String count(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    /** A rate with one decimal. */
    static String rate(double value) {
        return String.format(Locale.ROOT, "%,.1f", value);
    }

    /** Nanoseconds in ms, with as many decimals as tell something. */
    static String ms(OptionalLong nanos) {
        return nanos.isEmpty() ? NOT_KNOWN : ms(nanos.getAsLong());
    }

    static String ms(long nanos) {
        double ms = nanos / 1e6;
        return String.format(Locale.ROOT, ms >= 100 ? "%,.0f" : ms >= 10 ? "%.1f" : ms >= 1 ? "%.2f" : "%.3f", ms);
    }

    /** Any number, with as many decimals as tell something. */
    public static String number(double value) {
        boolean whole = value == Math.rint(value);
        double size = Math.abs(value);
        return String.format(
                Locale.ROOT, whole || size >= 100 ? "%,.0f" : size >= 10 ? "%.1f" : size >= 1 ? "%.2f" : "%.3f", value);
    }
}
