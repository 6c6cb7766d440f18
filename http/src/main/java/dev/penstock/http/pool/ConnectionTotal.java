package dev.penstock.http.pool;

import dev.penstock.text.Ranges;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Limits the connections of several targets together, in use or idle. To open a connection at the limit, the
 * longest-idle connection of any of these targets is closed; if none is idle, the caller waits until one is closed or
 * becomes idle. Thread-safe.
 *
 * <h2>Design note</h2>
 *
 * <p>A connection that becomes idle can serve any waiter, so one waiter is woken: it leases the connection if it belongs to its
 * own target, and closes it otherwise. A waiter first increments the waiting count and then looks for idle connections; a
 * returning caller first queues the idle connection and then reads the waiting count. So neither misses the other.
 */
public final class ConnectionTotal {
    private final int max;
    private final Set<IdleEviction> pools = ConcurrentHashMap.newKeySet();
    private final AtomicInteger waiting = new AtomicInteger();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    /** Guarded by the lock. */
    private int open;

    private ConnectionTotal(int max) {
        this.max = max;
    }

    /**
     * Creates a limit.
     *
     * @param max maximum number of connections, 1 to 1,000,000
     * @throws IllegalArgumentException if out of range
     */
    public static ConnectionTotal of(int max) {
        return new ConnectionTotal(Ranges.within("the total of connections", max, 1, 1_000_000));
    }

    /** Returns the maximum number of connections. */
    public int max() {
        return max;
    }

    /** Returns the current number of connections. */
    public int open() {
        lock.lock();
        try {
            return open;
        } finally {
            lock.unlock();
        }
    }

    void register(IdleEviction pool) {
        pools.add(pool);
    }

    void unregister(IdleEviction pool) {
        pools.remove(pool);
    }

    /** Acquires the permission to open one; returns false on timeout, or if a connection of that pool is idle. */
    boolean acquire(IdleEviction pool, long nanos) throws InterruptedException {
        lock.lock();
        waiting.incrementAndGet();
        try {
            long left = nanos;
            while (open == max) {
                if (pool.longestIdle() > 0) {
                    return false;
                }
                if (!closeLongestIdle()) {
                    if (left <= 0) {
                        return false;
                    }
                    left = changed.awaitNanos(left);
                }
            }
            open++;
            return true;
        } finally {
            waiting.decrementAndGet();
            lock.unlock();
        }
    }

    void release() {
        lock.lock();
        try {
            open--;
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Wakes a waiter after a connection of any pool became idle. */
    void connectionIsIdle() {
        if (waiting.get() > 0) {
            lock.lock();
            try {
                changed.signal();
            } finally {
                lock.unlock();
            }
        }
    }

    /** Returns false if none is idle. The pool of the closed connection calls {@link #release}. */
    private boolean closeLongestIdle() {
        IdleEviction oldest = null;
        long longest = 0;
        for (IdleEviction pool : pools) {
            long idle = pool.longestIdle();
            if (idle > longest) {
                oldest = pool;
                longest = idle;
            }
        }
        return oldest != null && oldest.closeOldest();
    }
}
