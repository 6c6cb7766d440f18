package dev.penstock.http.pool;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * A bound on the connections of several targets together, in use or idle. Who wants to open one when all are taken closes
 * the idle one of any of these targets that lies longest; when none is idle, it waits for one to come free. Immutable but
 * for its count; safe for many threads.
 */
public final class ConnectionTotal {
    private final int most;
    private final Semaphore left;
    private final Set<ConnectionPool> pools = ConcurrentHashMap.newKeySet();

    private ConnectionTotal(int most) {
        this.most = most;
        this.left = new Semaphore(most);
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
        return most - left.availablePermits();
    }

    void join(ConnectionPool pool) {
        pools.add(pool);
    }

    void part(ConnectionPool pool) {
        pools.remove(pool);
    }

    boolean enter(long nanos) throws InterruptedException {
        if (left.tryAcquire()) {
            return true;
        }
        giveUpOldestIdle();
        return left.tryAcquire(nanos, TimeUnit.NANOSECONDS);
    }

    void leave() {
        left.release();
    }

    private void giveUpOldestIdle() {
        ConnectionPool oldest = null;
        long longest = 0;
        for (ConnectionPool pool : pools) {
            long idle = pool.longestIdle();
            if (idle > longest) {
                oldest = pool;
                longest = idle;
            }
        }
        if (oldest != null) {
            oldest.giveUpOldestIdle();
        }
    }
}
