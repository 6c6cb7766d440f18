package dev.penstock.text;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Rates per second as in the flow file: {@code 500/s}, {@code 0.5/s}. */
public final class Rates {
    /** How a rate is written. */
    public static final Pattern WRITTEN = Pattern.compile("(\\d{1,7}(?:\\.\\d{1,3})?) ?/ ?s");

    private Rates() {}

    /**
     * {@return the number per second}
     *
     * @throws IllegalArgumentException when it is not written like this
     */
    public static double parse(String text) {
        Matcher written = WRITTEN.matcher(text);
        if (!written.matches()) {
            throw new IllegalArgumentException("not a rate such as 500/s: " + text);
        }
        return Double.parseDouble(written.group(1));
    }

    /** {@return the rate as in the flow file, with at most one digit after the point} */
    public static String format(double perSecond) {
        return String.format(Locale.ROOT, "%.1f", perSecond).replaceFirst("\\.0$", "") + "/s";
    }
}
