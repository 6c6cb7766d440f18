package dev.penstock.lab.page;

import dev.penstock.lab.report.Comparison;
import dev.penstock.lab.report.Metric;
import java.math.BigDecimal;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Formats numbers for the page, with significant digits only and independent of the locale. */
final class PageNumbers {
    static final String NOT_KNOWN = "n/a";

    private PageNumbers() {}

    /** The value of a metric; n/a when unknown. */
    static String figure(Metric metric, @Nullable Double value) {
        if (value == null || !Double.isFinite(value)) {
            return NOT_KNOWN;
        }
        boolean counted = metric.count() || (metric.better() == Metric.Better.NEITHER && value == Math.rint(value));
        return counted ? count(value) : number(value);
    }

    /** An integer, unless it is small and fractional, as a median or mean of counts may be. */
    private static String count(double value) {
        boolean whole = Math.abs(value) >= 999.5 || Math.abs(value - Math.rint(value)) < 0.05;
        return format(whole ? "%,.0f" : "%.1f", value);
    }

    /** At most four digits before the decimal point, two to four significant digits. */
    static String number(double value) {
        double size = Math.abs(value);
        if (size == 0) {
            return "0";
        }
        if (size >= 999.5) {
            return format("%,.0f", value);
        }
        if (size >= 9.995) {
            return format("%.1f", value);
        }
        if (size >= 0.0995) {
            return format(size >= 0.9995 ? "%.2f" : "%.3f", value);
        }
        int decimals = 1 - (int) Math.floor(Math.log10(size));
        return decimals <= 7 ? format("%." + decimals + "f", value) : format("%.1e", value);
    }

    /** A ratio with its sign, for instance {@code 1.19×}; n/a for NaN. */
    static String ratio(Comparison verdict) {
        return Double.isNaN(verdict.ratio()) ? NOT_KNOWN : part(verdict.ratio(), verdict) + "×";
    }

    /**
     * The confidence interval of a ratio; an unbounded end, which files store as 0 or as the largest number, is 0 or ∞.
     */
    static String interval(Comparison verdict) {
        return part(verdict.low(), verdict) + "–" + part(verdict.high(), verdict);
    }

    /** With enough digits that the ends of a narrow interval differ, but at most three decimals near 1. */
    private static String part(double value, Comparison verdict) {
        if (Double.isNaN(value)) {
            return NOT_KNOWN;
        }
        if (value <= 0) {
            return "0";
        }
        if (value >= 1e5) {
            return value >= 1e300 ? "∞" : format("%.0e", value);
        }
        if (value >= 0.0995) {
            boolean narrow = verdict.high() - verdict.low() < 0.05 && value < 9.95;
            return format(narrow ? "%.3f" : value >= 99.5 ? "%,.0f" : value >= 9.95 ? "%.1f" : "%.2f", value);
        }
        return value >= 0.00095 ? format(value >= 0.00995 ? "%.3f" : "%.4f", value) : format("%.0e", value);
    }

    /** A tick label: only the digits that the tick distance needs; k for thousands and M for millions. */
    static String tick(double value, double step) {
        double size = Math.abs(value);
        if (size < step * 1e-6) {
            return "0";
        }
        if (size >= 1e6) {
            return plain(value / 1e6, step / 1e6) + "M";
        }
        return size >= 1e5 ? plain(value / 1e3, step / 1e3) + "k" : plain(value, step);
    }

    private static String plain(double value, double step) {
        int decimals = (int) Math.clamp(Math.ceil(-Math.log10(step) - 1e-9), 0, 6);
        String digits = format("%,." + (isWhole(step, decimals) ? decimals : decimals + 1) + "f", value);
        return digits.indexOf('.') < 0 ? digits : digits.replaceAll("0+$", "").replaceAll("\\.$", "");
    }

    /** A position in a drawing: one decimal, none when it is 0. Without a formatter, because there are thousands. */
    static String place(double value) {
        return decimal(Math.round(10 * value), 1);
    }

    /** A share from 0 to 1 as a percentage with two decimals, for positions in drawings of any width. */
    static String percent(double share) {
        return decimal(Math.round(10_000 * share), 2) + "%";
    }

    /** A count with a noun, for instance {@code 3 blocks}. */
    static String many(int count, String one) {
        return count + " " + one + (count == 1 ? "" : "s");
    }

    /** A scaled integer as a decimal without trailing zeros. */
    private static String decimal(long scaled, int decimals) {
        return BigDecimal.valueOf(scaled, decimals).stripTrailingZeros().toPlainString();
    }

    private static boolean isWhole(double step, int decimals) {
        double scaled = step * Math.pow(10, decimals);
        return Math.abs(scaled - Math.rint(scaled)) < 1e-6;
    }

    private static String format(String pattern, double value) {
        return String.format(Locale.ROOT, pattern, value);
    }
}
