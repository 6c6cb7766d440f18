package dev.penstock.http.pool;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A bound on the connections of several targets together, in use or idle. Who wants to open one when all are taken closes
 * the idle one of any of these targets that lies longest; when none is idle, it waits for one to be closed or to become idle. Immutable
 * but for its count; safe for many threads.
 *
 * <h2>Design note</h2>
 *
 * <p>One that becomes idle serves any waiter, so one is woken: it is told to take it when it is of its own target, and
 * closes it otherwise. Who counts as waiting looks for idle ones after that, and who lays one among the idle looks for
 * waiters after that, so they cannot miss each other.
 */
public final class ConnectionTotal {
    private final int most;
    private final Set<ConnectionPool> pools = ConcurrentHashMap.newKeySet();
    private final AtomicInteger waiting = new AtomicInteger();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    /** Guarded by the lock. */
    private int taken;

    private ConnectionTotal(int most) {
        this.most = most;
    }

    /**
     * A bound.
     *
     * @param most how many connections, 1 to 1,000,000
     * @throws IllegalArgumentException when out of range
     */
    public static ConnectionTotal of(int most) {
        if (most < 1 || most > 1_000_000) {
            throw new IllegalArgumentException("a total of connections is 1 to 1000000, not " + most);
        }
        return new ConnectionTotal(most);
    }

    /** How many connections there may be. */
    public int most() {
        return most;
    }

    /** How many there are. */
    public int taken() {
        lock.lock();
        try {
            return taken;
        } finally {
            lock.unlock();
        }
    }

    void join(ConnectionPool pool) {
        pools.add(pool);
    }

    void part(ConnectionPool pool) {
        pools.remove(pool);
    }

    /** Takes the right to open one; false when there is none in that time, and when one of that pool is idle. */
    boolean enter(ConnectionPool pool, long nanos) throws InterruptedException {
        lock.lock();
        waiting.incrementAndGet();
        try {
            long left = nanos;
            while (taken == most) {
                if (pool.longestIdle() > 0) {
                    return false;
                }
                if (!giveUpOldestIdle()) {
                    if (left <= 0) {
                        return false;
                    }
                    left = changed.awaitNanos(left);
                }
            }
            taken++;
            return true;
        } finally {
            waiting.decrementAndGet();
            lock.unlock();
        }
    }

    void leave() {
        lock.lock();
        try {
            taken--;
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    /** One of a pool's connections has become idle. */
    void oneIsIdle() {
        if (waiting.get() > 0) {
            lock.lock();
            try {
                changed.signal();
            } finally {
                lock.unlock();
            }
        }
    }

    /** False when none is idle. Closed, it {@link #leave leaves}. */
    private boolean giveUpOldestIdle() {
        ConnectionPool oldest = null;
        long longest = 0;
        for (ConnectionPool pool : pools) {
            long idle = pool.longestIdle();
            if (idle > longest) {
                oldest = pool;
                longest = idle;
            }
        }
        return oldest != null && oldest.giveUpOldestIdle();
    }
}
