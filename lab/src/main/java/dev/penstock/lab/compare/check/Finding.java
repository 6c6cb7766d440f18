package dev.penstock.lab.compare.check;

import java.util.Locale;

/**
 * A finding about a table of results.
 *
 * @param severity its severity
 * @param row the row's name
 * @param text one sentence with its numbers
 */
public record Finding(Severity severity, String row, String text) {
    /**
     * The finding as a line.
     *
     * @param where what it is about, for instance the row's name
     */
    public String line(String where) {
        return severity.name().toLowerCase(Locale.ROOT) + ": " + where + ": " + text;
    }

    /** The severity of a finding. */
    public enum Severity {
        /** The values contradict each other: at least one is wrong. */
        IMPOSSIBLE,
        /** The values may be correct, but are misleading or incomplete. */
        SUSPICIOUS
    }
}
