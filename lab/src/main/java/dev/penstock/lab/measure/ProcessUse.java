package dev.penstock.lab.measure;

import java.util.List;

/**
 * The resource use of this JVM during a load, including the load generator and everything else in the process.
 *
 * @param cpuNanos CPU time of all threads; -1 when not available
 * @param heapPeak maximum heap in use in bytes, sampled before each collection and at the end
 * @param gcCount stop-the-world collections
 * @param gcNanos their total time, with a resolution of 1 ms
 * @param threadsPeak maximum number of platform threads
 * @param allocatedBytes heap allocation of all threads, including virtual ones, except the thread that waited for the
 *     load; -1 when not available
 * @param children resource use of other watched processes
 */
public record ProcessUse(
        long cpuNanos,
        long heapPeak,
        long gcCount,
        long gcNanos,
        int threadsPeak,
        long allocatedBytes,
        List<ChildUse> children) {
    public ProcessUse {
        children = List.copyOf(children);
    }

    /** A copy with other processes. */
    public ProcessUse beside(List<ChildUse> others) {
        return new ProcessUse(cpuNanos, heapPeak, gcCount, gcNanos, threadsPeak, allocatedBytes, others);
    }
}
