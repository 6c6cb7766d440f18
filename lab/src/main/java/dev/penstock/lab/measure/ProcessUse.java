package dev.penstock.lab.measure;

import java.util.List;

/**
 * What this JVM used while a load ran; the load generator itself is in it, and so is everything else in the process.
 *
 * @param cpuNanos CPU time of all threads; -1 where the system does not tell
 * @param heapPeak the largest heap in use in bytes: as seen before each collection and at the end
 * @param gcCount collections that stopped the threads
 * @param gcNanos time they stopped for, in all, to the millisecond
 * @param threadsPeak the most platform threads at once
 * @param allocatedBytes what all threads allocated on the heap, virtual ones included, but not the one that only waited for
 *     the load and kept its books; -1 where the JVM does not tell
 * @param children what the processes used that were watched beside this one
 */
public record ProcessUse(
        long cpuNanos,
        long heapPeak,
        long gcCount,
        long gcNanos,
        int threadsPeak,
        long allocatedBytes,
        List<ChildUse> children) {
    /** Copies the list. */
    public ProcessUse {
        children = List.copyOf(children);
    }

    /** Of one whose allocation is not known, with no other process beside it. */
    public ProcessUse(long cpuNanos, long heapPeak, long gcCount, long gcNanos, int threadsPeak) {
        this(cpuNanos, heapPeak, gcCount, gcNanos, threadsPeak, -1, List.of());
    }

    /** The same with other processes beside it. */
    public ProcessUse beside(List<ChildUse> others) {
        return new ProcessUse(cpuNanos, heapPeak, gcCount, gcNanos, threadsPeak, allocatedBytes, others);
    }
}
