package dev.penstock.jdbc.guard;

import dev.penstock.Ticker;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** Counts callers that want or hold a connection, and the time they hold it. Thread-safe. */
final class Demand {
    private final Ticker ticker;
    private final AtomicInteger wanted = new AtomicInteger();
    private final AtomicInteger peak = new AtomicInteger();
    private final LongAdder returned = new LongAdder();
    private final LongAdder held = new LongAdder();
    private final AtomicLong shortest = new AtomicLong(Long.MAX_VALUE);
    private volatile long lastWanted;
    private long returnedBefore;
    private long heldBefore;
    private long windowStart;
    private int leasedBefore;

    Demand(Ticker ticker) {
        this.ticker = ticker;
        this.windowStart = ticker.nanos();
        this.lastWanted = windowStart;
    }

    /** A caller wants a connection. */
    void requested() {
        int now = wanted.incrementAndGet();
        if (now > peak.get()) {
            peak.accumulateAndGet(now, Math::max);
        }
    }

    /**
     * A caller gave its connection back.
     *
     * @param nanos how long it held the connection, in nanoseconds
     */
    void released(long nanos) {
        returned.increment();
        held.add(nanos);
        if (nanos < shortest.get()) {
            shortest.accumulateAndGet(nanos, Math::min);
        }
        abandoned();
    }

    /** A caller got no connection. */
    void abandoned() {
        lastWanted = ticker.nanos();
        wanted.decrementAndGet();
    }

    /**
     * The number of callers that want a connection and have none.
     *
     * @param leased the number of connections in use
     */
    int waiting(int leased) {
        return Math.max(0, wanted.get() - leased);
    }

    /** The time since the last caller wanted or held a connection, in nanoseconds; 0 while one does. */
    long unwantedFor(long now) {
        return wanted.get() > 0 ? 0 : now - lastWanted;
    }

    /** The measurements since the last call. For one thread. */
    PoolSizing.Sample window(long now, int leased, long connect) {
        long nanos = Math.max(1, now - windowStart);
        long returns = returned.sum();
        long time = held.sum();
        PoolSizing.Sample seen = new PoolSizing.Sample(
                nanos,
                returns - returnedBefore,
                time - heldBefore,
                shortest.getAndSet(Long.MAX_VALUE),
                inUse((double) (time - heldBefore) / nanos, leased),
                peak.getAndSet(wanted.get()),
                waiting(leased),
                connect);
        returnedBefore = returns;
        heldBefore = time;
        windowStart = now;
        leasedBefore = leased;
        return seen;
    }

    /**
     * The holding time is counted when a connection is given back; connections in use at both ends of the window are
     * added.
     */
    private double inUse(double returned, int leased) {
        return Math.max(returned, Math.min(leased, leasedBefore));
    }
}
