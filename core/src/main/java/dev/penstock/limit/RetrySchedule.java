package dev.penstock.limit;

import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/**
 * When a rejected request should return: after the time to serve the current queue and all requests that were rejected before
 * and will return. So if all return, they arrive at about the rate that can be served, however many they are. The time is at
 * least {@value #SHORTEST_NANOS} ns and at most {@value #LONGEST_NANOS} ns, then multiplied by a random factor of 0.5 to 1.5,
 * so that requests rejected together do not return together. Thread-safe.
 */
final class RetrySchedule {
    static final long SHORTEST_NANOS = 100_000_000;
    static final long LONGEST_NANOS = 60_000_000_000L;

    private final RandomGenerator random;
    /** When all requests that were asked to return will have been served. */
    private final AtomicLong servedAt;

    RetrySchedule(long now, RandomGenerator random) {
        this.servedAt = new AtomicLong(now);
        this.random = random;
    }

    /** The time after which one more request should return, from the times to serve the current queue and one request. */
    long nanos(long now, long queueNanos, long requestNanos) {
        long least = Math.min(queueNanos, LONGEST_NANOS);
        long served =
                servedAt.updateAndGet(before -> now + Math.clamp(before - now, least, LONGEST_NANOS) + requestNanos);
        return (long) (Math.max(SHORTEST_NANOS, served - requestNanos - now) * (0.5 + random.nextDouble()));
    }
}
