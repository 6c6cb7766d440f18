package dev.penstock.lab.probe;

/**
 * A setting recommended by a probe.
 *
 * @param setting the dotted key of the flow file, for instance {@code pool.idle}
 * @param value the value in the flow file's notation
 * @param reason one sentence, with the measured numbers
 */
public record Advice(String setting, String value, String reason) {}
