package dev.penstock.http.pool;

import java.util.concurrent.atomic.AtomicLong;

/** The time limit of the current exchange of a connection. It expires on the loop's thread at most once. Thread-safe. */
final class ExchangeTimeout {
    private static final long NONE = Long.MAX_VALUE;
    private static final long EXPIRED = Long.MAX_VALUE - 1;

    private final AtomicLong at = new AtomicLong(NONE);

    /** Sets it to a time of the ticker, unless it is set already or has expired. */
    void set(long time) {
        at.compareAndSet(NONE, time);
    }

    /** Removes it; returns false if it has already expired. */
    boolean clear() {
        return at.getAndUpdate(time -> time == EXPIRED ? EXPIRED : NONE) != EXPIRED;
    }

    /** Whether it is set, or has expired. */
    boolean isSet() {
        return at.get() != NONE;
    }

    boolean hasExpired() {
        return at.get() == EXPIRED;
    }

    /** When it expires, by the ticker; {@link Long#MAX_VALUE} if it is not set or has expired. */
    long at() {
        long time = at.get();
        return time == EXPIRED ? NONE : time;
    }

    /** Expires if it is still set to this time; returns whether it was. */
    boolean expire(long time) {
        return at.compareAndSet(time, EXPIRED);
    }
}
