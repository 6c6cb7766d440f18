package dev.penstock.kit;

import dev.penstock.Ticker;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A clock that stands still until a test moves it. Threads that wait for a time by it wake when it gets there.
 *
 * <p>Safe for many threads.
 */
public final class ManualTicker implements Ticker {
    private static final long PATIENCE_SECONDS = 60;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition parkedChanged = lock.newCondition();
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
        lock.lock();
        try {
            long then = now + by.toNanos();
            now = then;
            parked.entrySet().removeIf(waiting -> {
                boolean due = waiting.getValue() - then <= 0;
                if (due) {
                    LockSupport.unpark(waiting.getKey());
                }
                return due;
            });
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until so many threads wait for this clock.
     *
     * @throws AssertionError when that takes longer than 60 s of real time
     */
    public void awaitParked(int threads) {
        lock.lock();
        try {
            long left = TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
            while (parked.size() < threads) {
                if (left <= 0) {
                    throw new AssertionError(parked.size() + " threads wait for the clock, not " + threads);
                }
                left = parkedChanged.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting for " + threads + " threads", e);
        } finally {
            lock.unlock();
        }
    }

    private boolean register(long until) {
        lock.lock();
        try {
            if (until - now <= 0) {
                return false;
            }
            parked.put(Thread.currentThread(), until);
            parkedChanged.signalAll();
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void deregister() {
        lock.lock();
        try {
            parked.remove(Thread.currentThread());
            parkedChanged.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
