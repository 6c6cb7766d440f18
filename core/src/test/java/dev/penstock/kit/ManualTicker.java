package dev.penstock.kit;

import dev.penstock.Ticker;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A clock that stands still until a test moves it. Threads that wait for a time by it wake when it gets there.
 *
 * <p>Safe for many threads.
 */
public final class ManualTicker implements Ticker {
    private static final long PATIENCE_SECONDS = 60;

    /** Guarded by itself. A monitor, since waiting for a ReentrantLock would use up an unpark that is meant for park(). */
    private final Map<Thread, Long> parked = new HashMap<>();

    private volatile long now;

    /** A clock that begins at 0. */
    public ManualTicker() {
        this(0);
    }

    /**
     * A clock that begins at some reading, for instance just before it overflows.
     *
     * @param start the first reading, in nanoseconds
     */
    public ManualTicker(long start) {
        now = start;
    }

    @Override
    public long nanos() {
        return now;
    }

    @Override
    public void parkUntil(long nanos) {
        if (!register(nanos)) {
            return;
        }
        try {
            LockSupport.park(this);
        } finally {
            deregister();
        }
    }

    /**
     * Moves the clock on, and wakes all who waited for a time up to there. {@link #awaitParked} does not count those any more
     * until they wait anew.
     */
    public void advance(Duration by) {
        synchronized (parked) {
            long then = now + by.toNanos();
            now = then;
            parked.entrySet().removeIf(waiting -> {
                boolean due = waiting.getValue() - then <= 0;
                if (due) {
                    LockSupport.unpark(waiting.getKey());
                }
                return due;
            });
        }
    }

    /**
     * Waits until so many threads wait for this clock.
     *
     * @throws AssertionError when that takes longer than 60 s of real time
     */
    public void awaitParked(int threads) {
        long end = Ticker.SYSTEM.nanos() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        synchronized (parked) {
            try {
                while (parked.size() < threads) {
                    long left = end - Ticker.SYSTEM.nanos();
                    if (left <= 0) {
                        throw new AssertionError(parked.size() + " threads wait for the clock, not " + threads);
                    }
                    TimeUnit.NANOSECONDS.timedWait(parked, left);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError("interrupted while waiting for " + threads + " threads", e);
            }
        }
    }

    /** How many threads wait for this clock now. */
    public int parked() {
        synchronized (parked) {
            return parked.size();
        }
    }

    private boolean register(long until) {
        synchronized (parked) {
            if (until - now <= 0) {
                return false;
            }
            parked.put(Thread.currentThread(), until);
            parked.notifyAll();
            return true;
        }
    }

    private void deregister() {
        synchronized (parked) {
            parked.remove(Thread.currentThread());
            parked.notifyAll();
        }
    }
}
