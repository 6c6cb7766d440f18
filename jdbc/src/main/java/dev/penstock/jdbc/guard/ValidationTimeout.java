package dev.penstock.jdbc.guard;

import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How long a validation may take before a new connection is opened beside it: {@value #FACTOR} times the shortest of the
 * last {@value #KEPT} round trips, at least 30 ms (a busy machine may delay an answer so long), at most 100 ms or two
 * round trips. The shortest counts, so that the first round trips of a cold process, or a stalled database, do not make
 * it long. A timeout that is too short costs one connect, since a late answer is still accepted. Thread-safe.
 */
final class ValidationTimeout {
    private static final int FACTOR = 8;
    private static final int KEPT = 8;

    /** A connect takes at least so many round trips: TCP, login, answer. */
    private static final int ROUND_TRIPS_OF_A_CONNECT = 3;

    private static final long MIN = 30_000_000L;
    private static final long MAX = 100_000_000L;

    private final AtomicLongArray roundTrips = new AtomicLongArray(KEPT);
    private final AtomicInteger measured = new AtomicInteger();
    private volatile long connect;

    /** A connection was opened in that time, in nanoseconds. */
    void connected(long nanos) {
        connect = connect == 0 ? nanos : Math.min(connect, nanos);
    }

    /** A round trip took that time, in nanoseconds. */
    void answered(long nanos) {
        roundTrips.set(Math.floorMod(measured.getAndIncrement(), KEPT), Math.max(1, nanos));
    }

    /** The estimated round trip, in nanoseconds; 0 for unknown. */
    private long roundTrip() {
        long shortest = Long.MAX_VALUE;
        for (int i = 0; i < KEPT; i++) {
            long one = roundTrips.get(i);
            shortest = one == 0 ? shortest : Math.min(shortest, one);
        }
        return shortest == Long.MAX_VALUE ? connect / ROUND_TRIPS_OF_A_CONNECT : shortest;
    }

    /** The timeout, in nanoseconds. */
    long nanos() {
        long roundTrip = roundTrip();
        return roundTrip == 0 ? MAX : Math.min(Math.max(MIN, FACTOR * roundTrip), Math.max(MAX, 2 * roundTrip));
    }

    String value() {
        return Math.round(nanos() / 1e6) + " ms";
    }

    /** The reason, in one sentence. */
    String reason() {
        return measured.get() == 0
                ? "no round trip measured yet"
                : String.format(Locale.ROOT, "%d round trips of %.2f ms, within limits", FACTOR, roundTrip() / 1e6);
    }
}
