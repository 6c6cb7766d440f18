package dev.penstock.lab.measure;

import com.sun.management.GarbageCollectionNotificationInfo;
import com.sun.management.GcInfo;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import javax.management.ListenerNotFoundException;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;
import org.jspecify.annotations.Nullable;

/**
 * Measures the resource use of this JVM until {@link #close()}.
 * <h2>Design note</h2>
 *
 * <p>The heap is fullest right before a collection, and the collector reports its size at that time. That is exact; the
 * peaks of the memory pools occur at different times and add up to more than was ever used. The collector's
 * notifications arrive with a delay, so the latest collection is also queried directly.
 *
 * <p>For one thread.
 */
public final class ProcessProbe implements AutoCloseable {
    private final Set<String> heapPools = ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP)
            .map(MemoryPoolMXBean::getName)
            .collect(Collectors.toUnmodifiableSet());
    private final NotificationListener listener = (notification, ignored) -> collected(notification);
    private final AtomicLong heapPeak = new AtomicLong();
    /** The number of collections at the start, by collector; a collection's id is its number. */
    private final Map<String, Long> collectionsBefore = ManagementFactory.getGarbageCollectorMXBeans().stream()
            .collect(Collectors.toUnmodifiableMap(
                    GarbageCollectorMXBean::getName, GarbageCollectorMXBean::getCollectionCount));

    private final JvmUse before;

    private ProcessProbe() {
        ManagementFactory.getThreadMXBean().resetPeakThreadCount();
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            if (collector instanceof NotificationEmitter emitter) {
                emitter.addNotificationListener(listener, null, null);
            }
        }
        before = JvmUse.now();
    }

    /** Starts measuring. */
    public static ProcessProbe start() {
        return new ProcessProbe();
    }

    /** Resource use since the start; may be called repeatedly, on the thread that started it. */
    public ProcessUse soFar() {
        JvmUse now = JvmUse.now();
        ManagementFactory.getPlatformMXBeans(com.sun.management.GarbageCollectorMXBean.class)
                .forEach(collector -> collected(collector.getName(), collector.getLastGcInfo()));
        return new ProcessUse(
                JvmUse.since(before.cpuNanos(), now.cpuNanos()),
                Math.max(now.heapUsed(), heapPeak.get()),
                now.gcCount() - before.gcCount(),
                now.gcNanos() - before.gcNanos(),
                ManagementFactory.getThreadMXBean().getPeakThreadCount(),
                JvmUse.since(before.allocatedBytes(), now.allocatedBytes()),
                List.of());
    }

    /** Stops measuring. */
    @Override
    public void close() {
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            if (collector instanceof NotificationEmitter emitter) {
                try {
                    emitter.removeNotificationListener(listener);
                } catch (ListenerNotFoundException e) {
                    // Already closed.
                }
            }
        }
    }

    private void collected(Notification notification) {
        if (notification.getType().equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)) {
            var info = GarbageCollectionNotificationInfo.from((CompositeData) notification.getUserData());
            collected(info.getGcName(), info.getGcInfo());
        }
    }

    private void collected(String collector, @Nullable GcInfo collection) {
        if (collection == null || collection.getId() <= collectionsBefore.getOrDefault(collector, 0L)) {
            return;
        }
        long used = collection.getMemoryUsageBeforeGc().entrySet().stream()
                .filter(pool -> heapPools.contains(pool.getKey()))
                .mapToLong(pool -> pool.getValue().getUsed())
                .sum();
        heapPeak.accumulateAndGet(used, Math::max);
    }
}
