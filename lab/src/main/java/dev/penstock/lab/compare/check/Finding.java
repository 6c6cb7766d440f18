package dev.penstock.lab.compare.check;

/**
 * A finding about a table of results.
 *
 * @param severity its severity
 * @param row the row's name
 * @param text one sentence with its numbers
 */
public record Finding(Severity severity, String row, String text) {
    /** The severity of a finding. */
    public enum Severity {
        /** The values contradict each other: at least one is wrong. */
        IMPOSSIBLE,
        /** The values may be correct, but are misleading or incomplete. */
        SUSPICIOUS
    }
}
