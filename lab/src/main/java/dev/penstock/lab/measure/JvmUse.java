package dev.penstock.lab.measure;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.function.ToLongFunction;

/**
 * What this JVM has used since it started, and uses now.
 *
 * <p>The JVM counts allocation by platform thread, the ended ones included; a virtual thread's is counted with its carrier,
 * so it is in the total. Whoever looks subtracts its own, for looking allocates.
 *
 * @param cpuNanos of all threads; -1 where the system does not tell
 * @param allocatedBytes on the heap, by all threads but the calling one (or by all, when that is virtual); -1 where the JVM
 *     does not tell
 * @param gcCount collections that stopped the threads
 * @param gcNanos time they stopped for, to the millisecond
 * @param heapUsed bytes, garbage included
 * @param threads platform threads
 */
record JvmUse(long cpuNanos, long allocatedBytes, long gcCount, long gcNanos, long heapUsed, int threads) {
    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    static JvmUse now() {
        return new JvmUse(
                SYSTEM.getProcessCpuTime(),
                allocated(),
                ofCollectors(GarbageCollectorMXBean::getCollectionCount),
                ofCollectors(GarbageCollectorMXBean::getCollectionTime) * 1_000_000,
                ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed(),
                THREADS.getThreadCount());
    }

    /** The difference of two of these figures; -1 when one of them is not known. */
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
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .filter(JvmUse::stopsThreads)
                .mapToLong(figure)
                .sum();
    }

    /** Collectors that report concurrent work, not pauses, say so in their names. */
    private static boolean stopsThreads(GarbageCollectorMXBean collector) {
        String name = collector.getName();
        return !name.contains("Concurrent") && !name.contains("Cycles");
    }
}
