package dev.penstock.lab.measure;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * The resource use of this JVM: totals since its start, and current values.
 *
 * <p>The JVM counts allocation per platform thread, including ended threads. A virtual thread's allocation counts for
 * its carrier thread, so the total includes it. Sampling itself allocates, so the calling thread's share is subtracted.
 *
 * @param cpuNanos CPU time of all threads; -1 when not available
 * @param allocatedBytes heap allocation of all threads except the calling one (or of all, when that is virtual); -1
 *     when not available
 * @param gcCount stop-the-world collections
 * @param gcNanos their total time, with a resolution of 1 ms
 * @param heapUsed bytes, including garbage
 * @param threads platform threads
 */
record JvmUse(long cpuNanos, long allocatedBytes, long gcCount, long gcNanos, long heapUsed, int threads) {
    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private static final MemoryMXBean MEMORY = ManagementFactory.getMemoryMXBean();
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** The collectors that stop the threads; those that report concurrent work are recognized by their names. */
    private static final List<GarbageCollectorMXBean> STOPPING = ManagementFactory.getGarbageCollectorMXBeans().stream()
            .filter(collector -> !collector.getName().contains("Concurrent"))
            .filter(collector -> !collector.getName().contains("Cycles"))
            .toList();

    static JvmUse now() {
        return new JvmUse(
                SYSTEM.getProcessCpuTime(),
                allocated(),
                ofCollectors(GarbageCollectorMXBean::getCollectionCount),
                ofCollectors(GarbageCollectorMXBean::getCollectionTime) * 1_000_000,
                MEMORY.getHeapMemoryUsage().getUsed(),
                THREADS.getThreadCount());
    }

    /** The difference of two values; -1 when one of them is unknown. */
    static long since(long before, long now) {
        return before < 0 || now < 0 ? -1 : now - before;
    }

    private static long allocated() {
        if (!THREADS.isThreadAllocatedMemorySupported() || !THREADS.isThreadAllocatedMemoryEnabled()) {
            return -1;
        }
        long all = THREADS.getTotalThreadAllocatedBytes();
        return all < 0 ? -1 : all - Math.max(0, THREADS.getCurrentThreadAllocatedBytes());
    }

    private static long ofCollectors(ToLongFunction<GarbageCollectorMXBean> figure) {
        return STOPPING.stream().mapToLong(figure).sum();
    }
}
