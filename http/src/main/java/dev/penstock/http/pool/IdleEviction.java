package dev.penstock.http.pool;

import dev.penstock.Ticker;
import dev.penstock.http.pool.TransportLayer.Liveness;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;

/**
 * Closes idle connections: expired ones, those that the peer closed, those idle for as long as a dead one, and the oldest when
 * another pool needs room. Learns from their ends. Thread-safe.
 */
final class IdleEviction {
    /** Minimum time between two sweeps: connections that expire soon after each other are closed together. 20 ms. */
    private static final long MIN_SWEEP_INTERVAL = 20_000_000L;

    private final ConnectionSet connections;
    private final IdleLifetime lifetime;
    private final EventLoop loop;
    private final Ticker ticker;
    private final LongAdder foundClosed = new LongAdder();
    private final LongAdder retired = new LongAdder();
    private final LongAdder evicted = new LongAdder();
    private final AtomicBoolean closingEnded = new AtomicBoolean();

    IdleEviction(ConnectionSet connections, IdleLifetime lifetime, EventLoop loop, Ticker ticker) {
        this.connections = connections;
        this.lifetime = lifetime;
        this.loop = loop;
        this.ticker = ticker;
    }

    /** Leases an idle connection if it has not expired and is alive; otherwise closes it. */
    boolean lease(Connection connection, long now) {
        if (lifetime.retireAt(connection) - now <= 0) {
            boolean _ = retire(connection);
            return false;
        }
        Liveness liveness = connection.lease(now);
        if (liveness != null && liveness != Liveness.ALIVE) {
            foundClosed(connection);
            closeEnded();
        }
        return liveness == Liveness.ALIVE;
    }

    /** Records that an idle connection was closed because its peer had closed it or sent data, and forgets it. */
    void foundClosed(Connection connection) {
        foundClosed.increment();
        connections.remove(connection);
        if (lifetime.ended(connection, ticker.nanos())) {
            loop.wakeAt(ticker.nanos());
        }
    }

    /**
     * Checks all idle connections after one was found closed: connections of the same age are mostly closed too, and the next
     * caller should not have to find that out.
     */
    private void closeEnded() {
        if (!closingEnded.compareAndSet(false, true)) {
            return;
        }
        try {
            for (Iterator<Connection> each = connections.newestFirst(); each.hasNext(); ) {
                Connection connection = each.next();
                Liveness liveness = connection.checkIdle();
                if (liveness != null && liveness != Liveness.ALIVE) {
                    each.remove();
                    foundClosed(connection);
                }
            }
        } finally {
            closingEnded.set(false);
        }
    }

    /** Records an answer on a leased connection. */
    void answered(Connection connection, long now) {
        if (lifetime.answered(connection, now)) {
            loop.wakeAt(now);
        }
    }

    /** Records that a reused connection may have been dead, and closes those that have been idle for as long. */
    void unanswered(Connection connection) {
        lifetime.unanswered(connection);
        long now = ticker.nanos();
        for (Iterator<Connection> each = connections.newestFirst(); each.hasNext(); ) {
            Connection other = each.next();
            if (now - other.idleSince() >= connection.idleAge() && retire(other)) {
                evicted.increment();
            }
        }
        loop.wakeAt(now);
    }

    /** How long the oldest idle connection has been idle, in nanoseconds; 0 if none is idle. */
    long longestIdle() {
        Connection oldest = connections.oldestIdle();
        return oldest == null ? 0 : Math.max(1, ticker.nanos() - oldest.idleSince());
    }

    /** Closes the oldest idle connection; returns false if none is idle. */
    boolean closeOldest() {
        for (Connection oldest = connections.borrowOldest(); oldest != null; oldest = connections.borrowOldest()) {
            if (retire(oldest)) {
                return true;
            }
        }
        return false;
    }

    /** Closes a connection if it is idle; returns whether it was. */
    private boolean retire(Connection connection) {
        boolean wasIdle = connection.closeIfIdle();
        if (wasIdle) {
            retired.increment();
            connections.remove(connection);
        }
        return wasIdle;
    }

    /**
     * Closes the expired idle connections; called by the loop.
     *
     * @return when to call again, at most {@code latest}
     */
    long closeExpired(long now, long latest) {
        long next = latest;
        for (Iterator<Connection> each = connections.oldestFirst(); each.hasNext(); ) {
            Connection connection = each.next();
            long at = lifetime.retireAt(connection);
            if (now - at >= 0) {
                retireOrFail(connection);
                each.remove();
            } else if (connection.isClosed()) {
                each.remove();
            } else if (at - next < 0) {
                next = at;
            }
        }
        long soonest = now + MIN_SWEEP_INTERVAL;
        return next - soonest < 0 ? soonest : next;
    }

    private void retireOrFail(Connection connection) {
        try {
            boolean _ = retire(connection);
        } catch (RuntimeException | Error e) {
            loop.failed(connection, e);
        }
    }

    /** Adds the totals {@code found_closed}, {@code retired} and {@code evicted}, see {@link ConnectionPool#counts}. */
    void addCounts(Map<String, Long> counts) {
        counts.put("found_closed", foundClosed.sum());
        counts.put("retired", retired.sum());
        counts.put("evicted", evicted.sum());
    }
}
