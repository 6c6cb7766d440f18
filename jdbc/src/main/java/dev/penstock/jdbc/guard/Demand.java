package dev.penstock.jdbc.guard;

import dev.penstock.Ticker;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** Counts who wants connections, and for how long they have them. Safe for many threads. */
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

    /** Somebody wants a connection. */
    void entered() {
        int now = wanted.incrementAndGet();
        if (now > peak.get()) {
            peak.accumulateAndGet(now, Math::max);
        }
    }

    /** Somebody has had one for that long, nanoseconds. */
    void left(long nanos) {
        returned.increment();
        held.add(nanos);
        if (nanos < shortest.get()) {
            shortest.accumulateAndGet(nanos, Math::min);
        }
        gone();
    }

    /** Somebody got none. */
    void gone() {
        lastWanted = ticker.nanos();
        wanted.decrementAndGet();
    }

    /** How many want one and have none, when so many have one. */
    int waiting(int leased) {
        return Math.max(0, wanted.get() - leased);
    }

    /** How long nobody has wanted one, nanoseconds; 0 while somebody does. */
    long resting(long now) {
        return wanted.get() > 0 ? 0 : now - lastWanted;
    }

    /** What was seen since the last call. For one thread. */
    PoolSizing.Seen window(long now, int leased, long connect) {
        long nanos = Math.max(1, now - windowStart);
        long returns = returned.sum();
        long time = held.sum();
        PoolSizing.Seen seen = new PoolSizing.Seen(
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

    /** Time is counted when a connection comes back; those that were out at both ends of the window count too. */
    private double inUse(double returned, int leased) {
        return Math.max(returned, Math.min(leased, leasedBefore));
    }
}
