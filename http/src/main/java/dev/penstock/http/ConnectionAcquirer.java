package dev.penstock.http;

import dev.penstock.Deadline;
import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Ticker;
import dev.penstock.http.pool.Connection;
import dev.penstock.http.pool.ConnectionPool;
import dev.penstock.http.pool.HostLookup;
import dev.penstock.http.pool.Lease;
import dev.penstock.text.Durations;
import java.io.IOException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Acquires connections for exchanges: first a permit, then an idle or a new connection. Errors thrown here mean that nothing
 * was sent. Thread-safe.
 */
final class ConnectionAcquirer {
    private final long poolWait;
    private final long connectTimeout;
    private final ConnectionPool pool;
    private final HostLookup lookup;
    private final HttpFaults faults;
    private final Ticker ticker;
    private volatile boolean closed;

    ConnectionAcquirer(TargetLimits limits, ConnectionPool pool, HostLookup lookup, HttpFaults faults, Ticker ticker) {
        this.poolWait = Durations.nanos(limits.poolWait());
        this.connectTimeout = Durations.nanos(limits.connectTimeout());
        this.pool = pool;
        this.lookup = lookup;
        this.faults = faults;
        this.ticker = ticker;
    }

    /** Acquires a permit, waiting for one if necessary, and the newest idle connection, or a new one. */
    Lease acquire(@Nullable Deadline deadline, ExchangeClock clock) throws Rejected, Failed {
        Lease lease = acquirePermit(deadline, clock);
        boolean acquired = false;
        try {
            connect(lease, deadline, clock);
            acquired = true;
            return lease;
        } finally {
            if (!acquired) {
                lease.close();
            }
        }
    }

    /** Acquires another connection after one that had ended before it accepted a byte, under the same permit. */
    void replaceStale(Lease lease, @Nullable Deadline deadline, ExchangeClock clock) throws Rejected, Failed {
        lease.discardStale();
        connect(lease, deadline, clock);
    }

    private Lease acquirePermit(@Nullable Deadline deadline, ExchangeClock clock) throws Rejected {
        Lease lease;
        long left = timeLeft(deadline);
        try {
            lease = pool.acquire(Math.min(left, poolWait));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw faults.interruptedBefore();
        }
        if (lease == null) {
            throw faults.exhausted(ticker.nanos() - clock.startedAt(), pool.max(), pool.waiting(), left <= poolWait);
        }
        if (closed) {
            lease.close();
            throw faults.poolClosed();
        }
        clock.permitAcquired();
        return lease;
    }

    private void connect(Lease lease, @Nullable Deadline deadline, ExchangeClock clock) throws Rejected, Failed {
        boolean idle = lease.takeIdle(clock.permitAcquiredAt());
        long now = clock.leased();
        if (!idle) {
            long left = timeLeft(deadline);
            clock.opening();
            open(lease, left, now, clock);
        }
    }

    private void open(Lease lease, long left, long now, ExchangeClock clock) throws Rejected, Failed {
        long until = now + connectTimeout;
        long leaveAt = now + Math.min(left, connectTimeout);
        try {
            if (!lease.open(lookup::resolve, now + Math.min(leaveAt - now, poolWait), leaveAt, until)) {
                throw left <= poolWait ? faults.deadlineExpired() : faults.totalExhausted(ticker.nanos() - now);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw faults.interruptedBefore();
        } catch (TimeoutException e) {
            IOException known = pool.openFailure();
            if (known == null) {
                throw faults.deadlineWhileOpening(left);
            }
            throw faults.noConnection(known, connectTimeout);
        } catch (OutOfMemoryError e) {
            throw faults.exhausted(e);
        } catch (IOException | RuntimeException e) {
            if (closed) {
                throw faults.poolClosed();
            }
            throw faults.noConnection(e, connectTimeout);
        }
        Connection connection = lease.connection();
        if (connection.isReused()) {
            long _ = clock.leased();
        } else {
            clock.opened(connection.openedAt(), connection.securedAt());
        }
    }

    /**
     * The nanoseconds left, more than 0; {@link Long#MAX_VALUE} without a deadline.
     *
     * @throws Rejected this is closed, the thread was interrupted, or the deadline expired
     */
    long timeLeft(@Nullable Deadline deadline) throws Rejected {
        if (closed) {
            throw faults.poolClosed();
        }
        if (Thread.currentThread().isInterrupted()) {
            throw faults.interruptedBefore();
        }
        long left = deadline == null ? Long.MAX_VALUE : deadline.nanosLeft();
        if (left <= 0) {
            throw faults.deadlineExpired();
        }
        return left;
    }

    boolean isClosed() {
        return closed;
    }

    void close() {
        closed = true;
        pool.close();
    }
}
