package dev.penstock.migrate;

/**
 * A value for a {@link Template}.
 *
 * @param key its name there, for instance {@code retry.attempts}
 * @param yaml how it is written
 * @param comment its origin, for instance {@code maxConnections=1000 (line 3)}
 * @param number the value in milliseconds or bytes, if it is a number or the default of a placeholder; -1 otherwise
 */
record FlowLine(String key, String yaml, String comment, long number) {
    FlowLine(String key, String yaml, String comment) {
        this(key, yaml, comment, -1);
    }
}
