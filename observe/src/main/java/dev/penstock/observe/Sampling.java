package dev.penstock.observe;

import java.util.Locale;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which transactions get a record. It is decided when a transaction has ended.
 *
 * @param errors those without an answer, or with a status of 500 or above
 * @param slow those that took longer than 99 % of the recent transactions of their flow
 * @param percent a share of all, 0 to 100
 */
public record Sampling(boolean errors, boolean slow, double percent) {
    /** All transactions. */
    public static final Sampling ALL = new Sampling(true, true, 100);

    /** No transaction. */
    public static final Sampling NONE = new Sampling(false, false, 0);

    /** What {@link #parse} accepts. */
    public static final Pattern WRITTEN = Pattern.compile(
            "all|none|(errors|slow|\\d{1,3}(\\.\\d{1,3})?%)(\\+(errors|slow|\\d{1,3}(\\.\\d{1,3})?%)){0,2}");

    private static final Pattern SHARE = Pattern.compile("([\\d.]+)%");
    private static final double EVERY = 100;

    /**
     * Reads {@code all}, {@code none}, or what is sampled with {@code +} between, such as {@code errors+slow+1%}.
     *
     * @param text the text
     * @return the sampling
     * @throws IllegalArgumentException the text is something else; the message says what to write
     */
    public static Sampling parse(String text) {
        String plain = text.replace(" ", "");
        if (plain.equals("all") || plain.equals("none")) {
            return plain.equals("all") ? ALL : NONE;
        }
        Matcher share = SHARE.matcher(plain);
        double percent = share.find() ? Double.parseDouble(share.group(1)) : 0;
        if (!WRITTEN.matcher(plain).matches() || percent > EVERY) {
            throw new IllegalArgumentException("write all, none, or for instance errors+slow+1%");
        }
        return new Sampling(plain.contains("errors"), plain.contains("slow"), percent);
    }

    /** {@return whether no transaction gets a record} */
    public boolean isNone() {
        return !errors && !slow && percent <= 0;
    }

    /** The form that {@link #parse} reads. */
    @Override
    public String toString() {
        if (equals(ALL) || isNone()) {
            return isNone() ? "none" : "all";
        }
        StringJoiner all = new StringJoiner("+");
        if (errors) {
            all.add("errors");
        }
        if (slow) {
            all.add("slow");
        }
        if (percent > 0) {
            all.add(percent == Math.rint(percent) ? (long) percent + "%" : String.format(Locale.ROOT, "%s%%", percent));
        }
        return all.toString();
    }
}
