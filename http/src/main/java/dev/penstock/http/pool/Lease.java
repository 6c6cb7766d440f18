package dev.penstock.http.pool;

import dev.penstock.Ticker;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The right to use one connection of a pool. It has a permit from the beginning, and a connection after {@link #takeIdle} or
 * {@link #open}. {@link #close} returns both: the connection becomes idle if {@link #reusable} was called, or if it is new and
 * unused; otherwise it is closed. For one thread.
 *
 * <pre>{@code
 * try (Lease lease = pool.acquire(wait)) {
 *     if (!lease.takeIdle(now)) {
 *         lease.open(addresses, wait, leaveAt, connectBy);
 *     }
 *     lease.begin(timeoutAt);
 *     ... // write and read lease.connection()
 *     if (lease.connection().clearTimeout()) {
 *         lease.reusable(keepAlive, now);
 *     }
 * }
 * }</pre>
 */
public final class Lease implements AutoCloseable {
    private final ConnectionPool pool;
    private @Nullable Connection connection;
    /** Nanoseconds for which to keep the connection; 0 to close it. */
    private long keep;
    /** When the exchange ended on a connection to be kept, by the ticker. */
    private long usedAt;

    private boolean closed;

    /** Creates a lease with a permit and no connection. */
    Lease(ConnectionPool pool) {
        this.pool = pool;
    }

    /** The connection. There must be one. */
    public Connection connection() {
        if (connection == null) {
            throw new IllegalStateException("the lease has no connection");
        }
        return connection;
    }

    /**
     * Takes the newest idle connection that is alive.
     *
     * @param now the reading of the ticker
     * @return false if there is none
     */
    public boolean takeIdle(long now) {
        connection = pool.borrow(now);
        return connection != null;
    }

    /**
     * Opens a connection. At the limit of the {@link ConnectionTotal} it waits, and also takes a connection of this pool that
     * becomes idle meanwhile. Opening continues in the background if the caller leaves before it has ended.
     *
     * @param addresses of the {@link Connector#firstHop}
     * @param waitUntil the reading of the ticker until which to wait for the limit
     * @param leaveAt the reading of the ticker at which the caller leaves
     * @param until the reading of the ticker by which a connection has to be open, or it counts as failed
     * @return false if the limit did not allow a connection in time
     * @throws IOException if it could not be opened; {@link SocketTimeoutException} if it was not open {@code until} then
     * @throws TimeoutException if the caller has to leave
     * @throws InterruptedException if the calling thread was interrupted while it waited
     */
    public boolean open(HostLookup.Addresses addresses, long waitUntil, long leaveAt, long until)
            throws IOException, TimeoutException, InterruptedException {
        PendingConnection pending = pool.adopt();
        if (pending == null) {
            Ticker ticker = pool.ticker();
            while (!pool.acquireOpenPermit(waitUntil - ticker.nanos())) {
                if (takeIdle(ticker.nanos())) {
                    return true;
                }
                if (ticker.nanos() - waitUntil >= 0) {
                    return false;
                }
            }
            pending = pool.startOpening(addresses, until);
        }
        Connection opened = pending.await(leaveAt);
        if (opened == null) {
            throw new TimeoutException("the caller left before the connection was open");
        }
        connection = opened;
        reusable(Long.MAX_VALUE, opened.securedAt());
        return true;
    }

    /**
     * Begins an exchange, after which the connection is closed unless it is {@link #reusable}.
     *
     * @param timeoutAt when to close the connection, by the ticker, unless {@link Connection#clearTimeout} is called before
     */
    public void begin(long timeoutAt) {
        keep = 0;
        pool.setTimeout(connection(), timeoutAt);
    }

    /**
     * Records that the connection received an answer.
     *
     * @param now the reading of the ticker
     */
    public void answered(long now) {
        pool.answered(connection(), now);
    }

    /**
     * Records that a reused connection received nothing within its time limit. It may have been dead, and then so are those
     * that have been idle for as long: they are closed.
     */
    public void unanswered() {
        pool.unanswered(connection());
    }

    /**
     * Keeps the connection for another lease. It is closed all the same if its timeout is still set, or if it has unread data.
     *
     * @param keepAlive nanoseconds for which the peer keeps it open; {@link Long#MAX_VALUE} if the peer did not announce a
     *     time, 0 if it closes it
     * @param now the reading of the ticker
     */
    public void reusable(long keepAlive, long now) {
        keep = keepAlive;
        usedAt = now;
    }

    /** Closes a connection that had ended before it accepted a byte of the request. Another one may be taken or opened. */
    public void discardStale() {
        pool.discardStale(connection());
        connection = null;
        keep = 0;
    }

    /** Returns the connection and the permit. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            if (connection != null) {
                pool.giveBack(connection, keep, usedAt);
            }
        } finally {
            pool.releasePermit();
        }
    }
}
