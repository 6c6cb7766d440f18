package dev.penstock.lab.compare.check;

/**
 * Something about a table of results.
 *
 * @param severity how bad it is
 * @param row which row it is about
 * @param text one sentence with its numbers
 */
public record Finding(Severity severity, String row, String text) {
    /** How bad a finding is. */
    public enum Severity {
        /** The figures contradict each other: one of them is wrong. */
        IMPOSSIBLE,
        /** The figures can be true, but do not mean what a reader takes them for, or leave something out. */
        SUSPICIOUS
    }
}
