package dev.penstock.http.pool;

import dev.penstock.Ticker;
import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The connections to one server.
 *
 * <p>A caller first acquires a permit ({@link #acquirePermit}), then leases the newest idle connection ({@link #leaseIdle}) or
 * opens one ({@link #acquireOpenPermit}, {@link #open}), and returns both with {@link #release} or {@link #discard}. There are
 * never more connections in use than permits: a connection is only opened with a permit and if none is idle, and a returned
 * connection is idle before its permit is released.
 *
 * <p>Thread-safe.
 */
public final class ConnectionPool implements AutoCloseable {
    /** Upper bound of the maximum size. */
    public static final int MAX_SIZE = 100_000;

    /** Minimum time between two sweeps: connections that expire soon after each other are closed together. 20 ms. */
    private static final long MIN_SWEEP_INTERVAL = 20_000_000L;

    private final Ticker ticker;
    private final Connector connector;
    private final PoolLimits limits;
    private final @Nullable ConnectionTotal total;
    private final ResizableSemaphore permits;
    private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
    private final Deque<Connection> idle = new ConcurrentLinkedDeque<>();
    private final BufferPool<ReadBuffer> readBuffers = new BufferPool<>(ReadBuffer::new);

    private final IdleLifetime idleLifetime;
    private final EventLoop loop;
    private final LongAdder opened = new LongAdder();
    private final LongAdder foundClosed = new LongAdder();
    private final LongAdder retired = new LongAdder();
    private final LongAdder evicted = new LongAdder();
    private final LongAdder exchanges = new LongAdder();
    private final LongAdder busyNanos = new LongAdder();
    private final AtomicBoolean evicting = new AtomicBoolean();
    private long windowStart;
    private long exchangesBefore;
    private long busyNanosBefore;
    private volatile boolean closed;

    /**
     * Creates an empty pool.
     *
     * @param connector opens the connections
     * @param limits the limits of this pool
     * @param total limit shared with other pools, or null
     * @param ticker the clock
     */
    public ConnectionPool(Connector connector, PoolLimits limits, @Nullable ConnectionTotal total, Ticker ticker) {
        this.connector = connector;
        this.ticker = ticker;
        this.limits = limits;
        this.total = total;
        Integer max = limits.max();
        this.permits = new ResizableSemaphore(max == null ? PoolSize.automatic() : PoolSize.pinned(max));
        this.idleLifetime = new IdleLifetime(limits, ticker.nanos());
        this.windowStart = ticker.nanos();
        this.loop = new EventLoop(connector.toString(), new LoopHandler(), ticker);
        if (total != null) {
            total.register(this);
        }
    }

    /**
     * Acquires a permit, waiting for one if necessary.
     *
     * @param nanos maximum wait
     * @return false if none became free in time
     * @throws InterruptedException if the calling thread was interrupted
     */
    public boolean acquirePermit(long nanos) throws InterruptedException {
        return permits.tryAcquire(nanos);
    }

    /** Releases a permit whose holder has no connection. */
    public void releasePermit() {
        permits.release();
    }

    /**
     * Leases the newest idle connection that is alive. The caller holds a permit.
     *
     * @param now the reading of the ticker
     * @return null if there is none; the caller may then open one
     */
    public @Nullable Connection leaseIdle(long now) {
        for (Connection connection = idle.pollFirst(); connection != null; connection = idle.pollFirst()) {
            if (tryLease(connection, now)) {
                return connection;
            }
        }
        return null;
    }

    private boolean tryLease(Connection connection, long now) {
        if (idleLifetime.retireAt(connection) - now <= 0) {
            retire(connection);
            return false;
        }
        if (limits.validateAfter() > 0 && now - connection.idleSince() < limits.validateAfter()) {
            return connection.leaseUnchecked(now);
        }
        Liveness liveness = connection.leaseIfAlive(now);
        if (liveness != null && liveness != Liveness.ALIVE) {
            closedWhileIdle(connection);
            evictStaleIdle();
        }
        return liveness == Liveness.ALIVE;
    }

    /**
     * Waits for permission to open one more connection.
     *
     * @param nanos maximum wait
     * @return false if the {@link ConnectionTotal} did not allow one in that time; returns early if a connection of this pool
     *     becomes available to {@link #leaseIdle}
     * @throws InterruptedException if the calling thread was interrupted
     */
    public boolean acquireOpenPermit(long nanos) throws InterruptedException {
        return total == null || total.acquire(this, nanos);
    }

    /**
     * Opens a connection, leased by the caller, which holds an {@linkplain #acquireOpenPermit open permit}.
     *
     * @param addresses of the {@link Connector#firstHop}, at least one
     * @param deadline the reading of the ticker by which it has to be open
     * @throws IOException if it could not be opened; {@link SocketTimeoutException} if the time ran out
     */
    public Connection open(List<InetAddress> addresses, long deadline) throws IOException {
        return connector.open(this, addresses, deadline);
    }

    /** Returns the open permit of a connection that could not be opened. */
    void releaseOpenPermit() {
        if (total != null) {
            total.release();
        }
    }

    BufferPool<ReadBuffer> readBuffers() {
        return readBuffers;
    }

    /** Adds a connection that its caller has opened, with an open permit, and has leased. */
    void add(Connection connection) throws IOException {
        connections.add(connection);
        if (closed) {
            connection.close();
        }
        loop.add(connection);
    }

    /** Counts a connection that is ready for use. */
    void recordOpened() {
        opened.increment();
    }

    /** Closes a leased connection at a time of the ticker, unless {@link Connection#clearTimeout} is called before. */
    public void setTimeout(Connection connection, long at) {
        connection.setTimeout(at);
        loop.wakeAt(at);
    }

    /**
     * Returns a connection for reuse, and its permit. A connection whose timeout is still set, or that has unread data, is
     * closed.
     *
     * @param keep nanoseconds for which the peer keeps it open; {@link Long#MAX_VALUE} if the peer did not announce a time
     * @param now the reading of the ticker
     */
    public void release(Connection connection, long keep, long now) {
        recordExchange(connection, now);
        connection.makeIdle(now, idleLifetime.until(connection, now, keep));
        if (connection.isIdle()) {
            idle.addFirst(connection);
            if (closed) {
                drop(connection);
            } else {
                loop.wakeAt(idleLifetime.retireAt(connection));
                if (total != null) {
                    total.connectionIsIdle();
                }
            }
        } else {
            forget(connection);
        }
        permits.release();
    }

    /** Closes a connection and releases its permit. */
    public void discard(Connection connection) {
        recordExchange(connection, ticker.nanos());
        connection.discard();
        forget(connection);
        permits.release();
    }

    /**
     * Closes a connection that had ended before it accepted a byte of the request. The caller keeps its permit and leases
     * another connection.
     */
    public void discardStale(Connection connection) {
        connection.discard();
        closedWhileIdle(connection);
    }

    private void recordExchange(Connection connection, long now) {
        exchanges.increment();
        busyNanos.add(now - connection.leasedAt());
    }

    /**
     * Records that a leased connection received an answer.
     *
     * @param now the reading of the ticker
     */
    public void recordAnswer(Connection connection, long now) {
        if (idleLifetime.answered(connection, now)) {
            loop.wakeAt(now);
        }
    }

    /**
     * Records that a reused connection received nothing within its time limit. It may have been dead, and then so are those
     * that have been idle for as long: they are closed.
     */
    public void recordNoAnswer(Connection connection) {
        idleLifetime.unanswered(connection);
        long now = ticker.nanos();
        for (Connection other : idle) {
            if (now - other.idleSince() >= connection.idleAge() && retire(other)) {
                evicted.increment();
            }
        }
        loop.wakeAt(now);
    }

    /**
     * Current numbers {@code leased}, {@code idle} and {@code pending}; totals {@code opened}, {@code found_closed}, {@code
     * retired} and {@code evicted}, which is a part of {@code retired}.
     */
    public Map<String, Long> counts() {
        long leased = permits.inUse();
        return Map.of(
                "leased", leased,
                "idle", Math.max(0, connections.size() - leased),
                "pending", (long) permits.waiting(),
                "opened", opened.sum(),
                "found_closed", foundClosed.sum(),
                "retired", retired.sum(),
                "evicted", evicted.sum());
    }

    /** Returns the current maximum number of connections in use. */
    public int max() {
        return permits.max();
    }

    /**
     * Fixes the maximum. Connections in use beyond a lower maximum are not closed; they finish their exchange.
     *
     * @param wanted 1 to {@value #MAX_SIZE}
     * @throws IllegalArgumentException if out of range; nothing has changed then
     */
    public void pinMax(int wanted) {
        if (wanted < 1 || wanted > MAX_SIZE) {
            throw new IllegalArgumentException("pool.max must be 1 to " + MAX_SIZE + ", not " + wanted);
        }
        permits.pin(wanted);
    }

    /**
     * Removes the pin: an automatic maximum adapts from its current value, a configured one is restored. No effect if not
     * pinned.
     */
    public void unpinMax() {
        permits.unpin();
    }

    /** Returns the reason of the current maximum. */
    public String maxReason() {
        return permits.reason();
    }

    /** Returns the current idle timeout in nanoseconds. */
    public long idleTimeout() {
        return idleLifetime.timeout();
    }

    /** Returns the reason of the current idle timeout. */
    public String idleReason() {
        return idleLifetime.reason();
    }

    /** Returns how many callers wait for a permit. */
    public int waiting() {
        return permits.waiting();
    }

    /** Returns the idle time of the oldest idle connection in nanoseconds; 0 if none is idle. */
    long longestIdle() {
        for (Connection oldest = idle.peekLast(); oldest != null; oldest = idle.peekLast()) {
            if (oldest.isIdle()) {
                return Math.max(1, ticker.nanos() - oldest.idleSince());
            }
            if (oldest.isClosed()) {
                idle.removeLastOccurrence(oldest);
            }
        }
        return 0;
    }

    /** Closes the oldest idle connection; returns false if none is idle. */
    boolean closeOldestIdle() {
        for (Connection oldest = idle.pollLast(); oldest != null; oldest = idle.pollLast()) {
            if (retire(oldest)) {
                return true;
            }
        }
        return false;
    }

    private boolean retire(Connection connection) {
        boolean wasIdle = connection.closeIfIdle();
        if (wasIdle) {
            retired.increment();
            forget(connection);
        }
        return wasIdle;
    }

    private void closedWhileIdle(Connection connection) {
        foundClosed.increment();
        forget(connection);
        if (idleLifetime.ended(connection, ticker.nanos())) {
            loop.wakeAt(ticker.nanos());
        }
    }

    /**
     * Checks all idle connections after one was found closed: connections of the same age are mostly closed too, and the next
     * caller should not have to find that out.
     */
    private void evictStaleIdle() {
        if (!evicting.compareAndSet(false, true)) {
            return;
        }
        try {
            for (Iterator<Connection> each = idle.iterator(); each.hasNext(); ) {
                Connection connection = each.next();
                Liveness liveness = connection.checkIdle();
                if (liveness != null && liveness != Liveness.ALIVE) {
                    each.remove();
                    closedWhileIdle(connection);
                }
            }
        } finally {
            evicting.set(false);
        }
    }

    /** Closes and forgets a connection; its permit stays taken. */
    void drop(Connection connection) {
        connection.close();
        forget(connection);
    }

    /** The connection stays in the idle queue until it is polled or swept, because removing it there takes linear time. */
    private void forget(Connection connection) {
        if (connections.remove(connection) && total != null) {
            total.release();
        }
    }

    @Override
    public void close() {
        closed = true;
        // The loop first: without its selector each connection is closed in one step.
        loop.close();
        connections.forEach(this::drop);
        if (total != null) {
            total.unregister(this);
        }
    }

    private final class LoopHandler implements EventLoop.Handler {
        @Override
        public void closedWhileIdle(Connection connection) {
            ConnectionPool.this.closedWhileIdle(connection);
        }

        @Override
        public void failed(Connection connection) {
            drop(connection);
        }

        @Override
        public long runDue(long now) {
            if (now - windowStart >= PoolSize.WINDOW) {
                endWindow(now);
            }
            long next = closeTimedOut(now, windowStart + PoolSize.WINDOW);
            long sweep = sweep(now, next);
            return sweep - next < 0 ? sweep : next;
        }

        private long closeTimedOut(long now, long latest) {
            long next = latest;
            for (Connection connection : connections) {
                long at = connection.timeoutAt();
                if (at == Long.MAX_VALUE) {
                    continue;
                }
                if (now - at >= 0) {
                    timeOut(connection, at);
                } else if (at - next < 0) {
                    next = at;
                }
            }
            return next;
        }

        private void timeOut(Connection connection, long at) {
            try {
                connection.timeOut(at);
            } catch (RuntimeException | Error e) {
                loop.failed(connection, e);
            }
        }

        private void endWindow(long now) {
            long length = now - windowStart;
            long exchangesNow = exchanges.sum();
            long busyNow = busyNanos.sum();
            long exchangesThen = exchangesBefore;
            long busyThen = busyNanosBefore;
            windowStart = now;
            exchangesBefore = exchangesNow;
            busyNanosBefore = busyNow;
            try {
                permits.window(length, exchangesNow - exchangesThen, busyNow - busyThen);
                if (connector.isRenewed()) {
                    idleLifetime.renew(now);
                }
            } catch (RuntimeException | Error e) {
                loop.report("pool size and TLS files are checked again in the next window", e);
            }
        }

        private long sweep(long now, long latest) {
            long next = latest;
            for (Iterator<Connection> each = idle.descendingIterator(); each.hasNext(); ) {
                Connection connection = each.next();
                long at = idleLifetime.retireAt(connection);
                if (now - at >= 0) {
                    retireDue(connection);
                    each.remove();
                } else if (connection.isClosed()) {
                    each.remove();
                } else if (at - next < 0) {
                    next = at;
                }
            }
            long soonest = now + Math.max(MIN_SWEEP_INTERVAL, limits.sweep());
            return next - soonest < 0 ? soonest : next;
        }

        private void retireDue(Connection connection) {
            try {
                retire(connection);
            } catch (RuntimeException | Error e) {
                loop.failed(connection, e);
            }
        }
    }
}
