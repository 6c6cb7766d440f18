package dev.penstock.lab.measure;

/**
 * What this JVM used while a load ran; the load generator itself is in it, and so is everything else in the process.
 *
 * @param cpuNanos CPU time of all threads; -1 where the system does not tell
 * @param heapPeak the largest heap in use in bytes: as seen before each collection and at the end
 * @param gcCount collections that stopped the threads
 * @param gcNanos time they stopped for, in all, to the millisecond
 * @param threadsPeak the most platform threads at once
 */
public record ProcessUse(long cpuNanos, long heapPeak, long gcCount, long gcNanos, int threadsPeak) {}
