package dev.penstock.lab.measure;

/**
 * The resource use of another process during the measurement.
 *
 * @param name a readable name
 * @param pid process id
 * @param cpuNanos CPU time of all its threads, with a resolution of 10 ms on Linux; -1 when not available
 * @param rssPeak peak resident memory in bytes; -1 when not available
 * @param ended whether the process ended during the measurement; the values are then those of the last sample
 */
public record ChildUse(String name, long pid, long cpuNanos, long rssPeak, boolean ended) {}
