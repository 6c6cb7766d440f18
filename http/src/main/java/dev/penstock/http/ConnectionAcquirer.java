package dev.penstock.http;

import dev.penstock.Deadline;
import dev.penstock.Durations;
import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Ticker;
import dev.penstock.http.pool.Connection;
import dev.penstock.http.pool.ConnectionPool;
import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
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

    /** Acquires a permit, waiting for one if necessary. The caller releases it. */
    void acquirePermit(@Nullable Deadline deadline, ExchangeClock clock) throws Rejected {
        long nanos = Math.min(timeLeft(deadline), poolWait);
        try {
            if (!pool.acquirePermit(nanos)) {
                throw faults.exhausted(ticker.nanos() - clock.startedAt(), pool.max(), pool.waiting());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw faults.interruptedBefore();
        }
        if (closed) {
            pool.releasePermit();
            throw faults.closed();
        }
        clock.permitAcquired();
    }

    /** Leases the newest idle connection, or opens a new one. The caller holds a permit. */
    Connection lease(@Nullable Deadline deadline, ExchangeClock clock) throws Rejected, Failed {
        Connection idle = pool.leaseIdle(clock.permitAcquiredAt());
        long now = clock.leased();
        if (idle != null) {
            return idle;
        }
        long nanos = Math.min(timeLeft(deadline), connectTimeout);
        clock.opening();
        return open(nanos, now, clock);
    }

    private Connection open(long nanos, long now, ExchangeClock clock) throws Rejected, Failed {
        long until = now + nanos;
        try {
            List<InetAddress> addresses = lookup.resolve(nanos);
            Connection idle = awaitOpenPermitOrIdle(now, ticker.nanos() + Math.min(until - ticker.nanos(), poolWait));
            if (idle != null) {
                clock.leased();
                return idle;
            }
            Connection opened = pool.open(addresses, until);
            clock.opened(opened.openedAt(), opened.securedAt());
            return opened;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw faults.interruptedBefore();
        } catch (TimeoutException e) {
            throw faults.lookupTimeout(nanos, e);
        } catch (IOException | RuntimeException e) {
            if (closed) {
                throw faults.closed();
            }
            throw faults.noConnection(e, nanos);
        }
    }

    /**
     * Waits for permission to open a connection, and returns null then; or returns a connection that became idle while the
     * total of all targets was reached.
     */
    private @Nullable Connection awaitOpenPermitOrIdle(long now, long until) throws InterruptedException, Rejected {
        while (!pool.acquireOpenPermit(until - ticker.nanos())) {
            Connection idle = pool.leaseIdle(ticker.nanos());
            if (idle != null) {
                return idle;
            }
            if (ticker.nanos() - until >= 0) {
                throw faults.totalExhausted(ticker.nanos() - now);
            }
        }
        return null;
    }

    /**
     * The nanoseconds left, more than 0; {@link Long#MAX_VALUE} without a deadline.
     *
     * @throws Rejected this is closed, the thread was interrupted, or the deadline expired
     */
    long timeLeft(@Nullable Deadline deadline) throws Rejected {
        if (closed) {
            throw faults.closed();
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
