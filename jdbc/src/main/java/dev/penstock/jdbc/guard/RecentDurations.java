package dev.penstock.jdbc.guard;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;

/** The last {@value #KEPT} durations. Thread-safe. */
final class RecentDurations {
    private static final int KEPT = 8;

    private final AtomicLongArray times = new AtomicLongArray(KEPT);
    private final AtomicInteger added = new AtomicInteger();

    void add(long nanos) {
        times.set(Math.floorMod(added.getAndIncrement(), KEPT), Math.max(1, nanos));
    }

    /** The shortest of them; 0 when there is none. */
    long min() {
        long min = Long.MAX_VALUE;
        for (int i = 0; i < KEPT; i++) {
            long time = times.get(i);
            min = time > 0 ? Math.min(min, time) : min;
        }
        return min == Long.MAX_VALUE ? 0 : min;
    }
}
