package dev.penstock.lab.report;

import dev.penstock.lab.measure.LoadResult;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;

/** Formats numbers for reports, independent of the locale; n/a for unknown ones. */
public final class Figures {
    /** Stands for an unknown value. */
    public static final String NOT_KNOWN = "n/a";

    private Figures() {}

    /** A count, with thousands separators. */
    public static String count(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    /** A rate with one decimal. */
    static String rate(double value) {
        return String.format(Locale.ROOT, "%,.1f", value);
    }

    /** Nanoseconds in ms, with three significant digits. */
    static String ms(OptionalLong nanos) {
        return nanos.isEmpty() ? NOT_KNOWN : ms(nanos.getAsLong());
    }

    static String ms(long nanos) {
        double ms = nanos / 1e6;
        return String.format(Locale.ROOT, ms >= 100 ? "%,.0f" : ms >= 10 ? "%.1f" : ms >= 1 ? "%.2f" : "%.3f", ms);
    }

    /** The text of a figure, marked when it is a lower bound. */
    static String marked(Map<String, Double> metrics, String key, String text) {
        return LoadResult.isLowerBound(metrics, key) ? ">=" + text : text;
    }

    /** A figure of some metrics, with three significant digits and marked when it is a lower bound; n/a if it is absent. */
    static String of(Map<String, Double> metrics, String key) {
        Double value = metrics.get(key);
        return value == null ? NOT_KNOWN : marked(metrics, key, number(value));
    }

    /** Any number, with three significant digits. */
    public static String number(double value) {
        boolean whole = value == Math.rint(value);
        double size = Math.abs(value);
        return String.format(
                Locale.ROOT, whole || size >= 100 ? "%,.0f" : size >= 10 ? "%.1f" : size >= 1 ? "%.2f" : "%.3f", value);
    }

    /** A ratio; an unbounded end of its interval is 0 or inf. */
    public static String ratio(double ratio) {
        if (ratio <= 0 || ratio >= Double.MAX_VALUE) {
            return ratio <= 0 ? "0" : "inf";
        }
        return String.format(
                Locale.ROOT, ratio >= 100 ? "%.0f" : ratio >= 10 ? "%.1f" : ratio < 0.095 ? "%.3f" : "%.2f", ratio);
    }
}
