package dev.penstock.lab.measure;

/**
 * What another process used while it was watched.
 *
 * @param name what it is, for people
 * @param pid its id
 * @param cpuNanos CPU time of all its threads, to 10 ms on Linux; -1 where the system does not tell
 * @param rssPeak the most memory it held at once, in bytes; -1 where the system does not tell
 * @param ended whether it ended while it was watched; the figures are those of the last look then
 */
public record ChildUse(String name, long pid, long cpuNanos, long rssPeak, boolean ended) {}
