package dev.penstock.http.pool;

import dev.penstock.Ticker;
import dev.penstock.text.Ranges;
import java.io.IOException;
import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The connections to one server. A caller {@linkplain #acquire acquires} a {@link Lease}, uses its connection, and closes it.
 *
 * <p>There are never more connections in use than permits: a connection is only opened with a permit and if none is idle, and a
 * returned connection is idle before its permit is released.
 *
 * <p>Thread-safe.
 */
public final class ConnectionPool implements AutoCloseable {
    /** Upper bound of the maximum size. */
    public static final int MAX_SIZE = 100_000;

    /**
     * The limits of a pool. Times are in nanoseconds.
     *
     * @param max maximum number of connections in use; null adapts it to the throughput
     * @param idle maximum idle time
     * @param idleIsPinned whether the idle time is fixed, instead of being shortened when the peer is observed to close earlier
     * @param maxAge age after which a connection is not reused; {@link Long#MAX_VALUE} for unlimited
     */
    public record Limits(@Nullable Integer max, long idle, boolean idleIsPinned, long maxAge) {}

    /** The last of several openings that failed one after the other. */
    private record OpenFailure(IOException why, boolean isFirst) {
        OpenFailure(IOException why, @Nullable OpenFailure before) {
            this(why, before == null);
        }
    }

    private final Ticker ticker;
    private final Connector connector;
    private final @Nullable ConnectionTotal total;
    private final BufferPool<SocketInput.Buffer> buffers = new BufferPool<>(SocketInput.Buffer::new);
    private final ResizableSemaphore permits;
    private final ConnectionSet connections;
    private final IdleLifetime idleLifetime;
    private final IdleEviction eviction;
    private final EventLoop loop;
    private final LongAdder opened = new LongAdder();
    private final Set<PendingConnection> pending = ConcurrentHashMap.newKeySet();
    private volatile @Nullable OpenFailure openFailure;
    private volatile boolean closed;

    /**
     * Creates an empty pool.
     *
     * @param connector opens the connections
     * @param limits the limits of this pool
     * @param total limit shared with other pools, or null
     * @param ticker the clock
     */
    public ConnectionPool(Connector connector, Limits limits, @Nullable ConnectionTotal total, Ticker ticker) {
        this.connector = connector;
        this.ticker = ticker;
        this.total = total;
        Integer max = limits.max();
        PoolSize size = max == null ? PoolSize.automatic() : PoolSize.pinned(max);
        this.permits = new ResizableSemaphore(size, ticker.nanos());
        this.connections = new ConnectionSet(total);
        this.idleLifetime = new IdleLifetime(limits, ticker.nanos());
        this.loop = new EventLoop(connector.toString(), ticker);
        this.eviction = new IdleEviction(connections, idleLifetime, loop, ticker);
        loop.start(new LoopTasks(connections, eviction, idleLifetime, permits, connector, loop));
        if (total != null) {
            total.register(eviction);
        }
    }

    /**
     * Acquires a permit, waiting for one if necessary.
     *
     * @param nanos maximum wait
     * @return a lease without a connection; null if no permit became free in time
     * @throws InterruptedException if the calling thread was interrupted
     */
    public @Nullable Lease acquire(long nanos) throws InterruptedException {
        return permits.tryAcquire(nanos) ? new Lease(this) : null;
    }

    // For the lease

    Ticker ticker() {
        return ticker;
    }

    /** Leases the newest idle connection that is alive; null if there is none. */
    @Nullable
    Connection borrow(long now) {
        for (Connection idle = connections.borrow(); idle != null; idle = connections.borrow()) {
            if (eviction.lease(idle, now)) {
                return idle;
            }
        }
        return null;
    }

    /**
     * Waits for permission to open one more connection. Returns false if the {@link ConnectionTotal} did not allow one in that
     * time; returns early if a connection of this pool becomes idle.
     */
    boolean acquireOpenPermit(long nanos) throws InterruptedException {
        return total == null || total.acquire(eviction, nanos);
    }

    /** The opening of a connection that its caller has left; null if there is none. */
    @Nullable
    PendingConnection adopt() {
        for (PendingConnection each : pending) {
            if (each.adopt()) {
                return each;
            }
        }
        return null;
    }

    /** Starts to open a connection for the caller, which holds an {@linkplain #acquireOpenPermit open permit}. */
    PendingConnection startOpening(HostLookup.Addresses addresses, long until) {
        PendingConnection opening = new PendingConnection(this, addresses, until);
        boolean started = false;
        try {
            pending.add(opening);
            opening.start();
            started = true;
        } finally {
            if (!started) {
                pending.remove(opening);
                releaseOpenPermit();
            }
        }
        if (closed) {
            opening.cancel();
        }
        return opening;
    }

    /** Opens a connection, leased by the caller, which holds an {@linkplain #acquireOpenPermit open permit}. */
    Connection open(HostLookup.Addresses addresses, long until) throws IOException, InterruptedException {
        List<InetAddress> found;
        try {
            found = addresses.resolve(until - ticker.nanos());
        } catch (IOException | InterruptedException | RuntimeException | Error e) {
            releaseOpenPermit();
            throw e;
        }
        return connector.open(this, found, until);
    }

    /** Records the end of an opening, whether or not its caller has left. */
    void ended(PendingConnection opening, @Nullable Throwable failure) {
        pending.remove(opening);
        openFailure = failure instanceof IOException known ? new OpenFailure(known, openFailure) : null;
    }

    /**
     * Why the last connection could not be opened, if the one before could not be opened either; otherwise null. Then the target
     * is down also for a caller that has no time to wait for the end of an opening.
     */
    public @Nullable IOException openFailure() {
        OpenFailure last = openFailure;
        return last == null || last.isFirst() ? null : last.why();
    }

    void setTimeout(Connection connection, long at) {
        connection.timeout().set(at);
        loop.wakeAt(at);
    }

    void answered(Connection connection, long now) {
        eviction.answered(connection, now);
    }

    void unanswered(Connection connection) {
        eviction.unanswered(connection);
    }

    /**
     * Takes back a connection at the end of its lease.
     *
     * @param keep nanoseconds for which the peer keeps it open; {@link Long#MAX_VALUE} if the peer did not announce a time, 0
     *     to close it
     * @param usedAt when its exchange ended, by the ticker, if it is kept
     */
    void giveBack(Connection connection, long keep, long usedAt) {
        if (keep <= 0) {
            permits.recordExchange(ticker.nanos() - connection.leasedAt());
            connection.discard();
            connections.remove(connection);
            return;
        }
        permits.recordExchange(usedAt - connection.leasedAt());
        connection.makeIdle(usedAt, idleLifetime.until(connection, usedAt, keep));
        if (!connection.isIdle()) {
            connections.remove(connection);
            return;
        }
        connections.giveBack(connection);
        if (closed) {
            connections.drop(connection);
            return;
        }
        loop.wakeAt(idleLifetime.retireAt(connection));
        if (total != null) {
            total.connectionIsIdle();
        }
    }

    /** Closes a leased connection that its peer had closed while it was idle; the permit stays taken. */
    void discardStale(Connection connection) {
        connection.discard();
        eviction.foundClosed(connection);
    }

    void releasePermit() {
        permits.release();
    }

    // For the connector

    BufferPool<SocketInput.Buffer> buffers() {
        return buffers;
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

    /** Closes and forgets a connection; its permit stays taken. */
    void drop(Connection connection) {
        connections.drop(connection);
    }

    /** Returns the open permit of a connection that could not be opened. */
    void releaseOpenPermit() {
        if (total != null) {
            total.release();
        }
    }

    // Metrics and settings

    /**
     * Current numbers {@code leased}, {@code idle} and {@code pending}; totals {@code opened}, {@code found_closed}, {@code
     * retired} and {@code evicted}, which is a part of {@code retired}.
     */
    public Map<String, Long> counts() {
        long leased = permits.inUse();
        long opening = pending.stream().filter(PendingConnection::isLeft).count();
        Map<String, Long> counts = new LinkedHashMap<>();
        counts.put("leased", leased);
        counts.put("idle", Math.max(0, connections.size() - leased - opening));
        counts.put("pending", (long) permits.waiting());
        counts.put("opened", opened.sum());
        eviction.addCounts(counts);
        return counts;
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
        permits.pin(Ranges.within("pool.max", wanted, 1, MAX_SIZE));
    }

    /**
     * Removes the pin: an automatic maximum adapts from its current value, a configured one is restored. No effect if
     * not pinned.
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

    @Override
    public void close() {
        closed = true;
        // The loop first: without its selector each connection is closed in one step.
        loop.close();
        pending.forEach(PendingConnection::cancel);
        connections.all().forEach(connections::drop);
        if (total != null) {
            total.unregister(eviction);
        }
    }
}
