package dev.penstock.lab.probe;

/**
 * A setting that a probe recommends.
 *
 * @param setting its name, as in a flow file and dotted, for instance {@code pool.idle}
 * @param value as it is written there
 * @param reason one sentence, with its numbers
 */
public record Advice(String setting, String value, String reason) {}
