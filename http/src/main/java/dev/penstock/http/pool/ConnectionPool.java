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
 * <p>Who calls first takes a place ({@link #enter}), then the newest idle connection ({@link #idle}) or one that it opens
 * and {@link #add adds}, and gives both back ({@link #release} or {@link #discard}). There are never more connections in use
 * than places: one is only opened by who has a place and found none idle, and one becomes idle before its place is free.
 *
 * <p>Safe for many threads.
 */
public final class ConnectionPool implements AutoCloseable {
    /** The most connections that a pool may be given. */
    public static final int MOST = 100_000;

    /** Sweeps are at least so far apart: what is due a little later is done along. */
    private static final long SWEEP_TOGETHER = 20_000_000L;

    private final Ticker ticker;
    private final Connector connector;
    private final PoolLimits limits;
    private final @Nullable ConnectionTotal total;
    private final ResizableSemaphore places;
    private final Set<Connection> all = ConcurrentHashMap.newKeySet();
    private final Deque<Connection> idle = new ConcurrentLinkedDeque<>();
    private final BufferPool<ReadBuffer> inboxes = new BufferPool<>(ReadBuffer::new);

    private final IdleLifetime life;
    private final EventLoop loop;
    private final LongAdder opened = new LongAdder();
    private final LongAdder foundClosed = new LongAdder();
    private final LongAdder retired = new LongAdder();
    private final LongAdder evicted = new LongAdder();
    private final LongAdder carried = new LongAdder();
    private final LongAdder busy = new LongAdder();
    private final AtomicBoolean looking = new AtomicBoolean();
    private long windowAt;
    private long carriedBefore;
    private long busyBefore;
    private volatile boolean closed;

    /**
     * An empty pool.
     *
     * @param connector opens them
     * @param limits what bounds it
     * @param total what bounds it together with others, if anything does
     * @param ticker its clock
     */
    public ConnectionPool(Connector connector, PoolLimits limits, @Nullable ConnectionTotal total, Ticker ticker) {
        this.connector = connector;
        this.ticker = ticker;
        this.limits = limits;
        this.total = total;
        Integer max = limits.max();
        this.places = new ResizableSemaphore(max == null ? PoolSize.automatic() : PoolSize.pinned(max));
        this.life = new IdleLifetime(limits, ticker.nanos());
        this.windowAt = ticker.nanos();
        this.loop = new EventLoop(connector.toString(), new LoopWork(), ticker);
        if (total != null) {
            total.join(this);
        }
    }

    /**
     * Takes a place, waiting for one if need be.
     *
     * @param nanos how long to wait
     * @return false when none came free
     * @throws InterruptedException when the calling thread was interrupted
     */
    public boolean enter(long nanos) throws InterruptedException {
        return places.enter(nanos);
    }

    /** Gives a place back without having had a connection. */
    public void leave() {
        places.leave();
    }

    /**
     * The newest idle connection that is alive, leased; null when there is none, and the caller may open one.
     *
     * @param now the reading of the ticker
     */
    public @Nullable Connection idle(long now) {
        for (Connection connection = idle.pollFirst(); connection != null; connection = idle.pollFirst()) {
            if (isTaken(connection, now)) {
                return connection;
            }
        }
        return null;
    }

    private boolean isTaken(Connection connection, long now) {
        if (life.retireAt(connection) - now <= 0) {
            retire(connection);
            return false;
        }
        if (limits.validateAfter() > 0 && now - connection.idleSince() < limits.validateAfter()) {
            return connection.takeUnseen(now);
        }
        Liveness look = connection.take(now);
        if (look != null && look != Liveness.QUIET) {
            endedIdle(connection);
            lookAtOthers();
        }
        return look == Liveness.QUIET;
    }

    /**
     * Waits for leave to open one more.
     *
     * @param nanos how long to wait
     * @return false when the {@link ConnectionTotal} allowed none in that time, and sooner when one of this pool lies {@link
     *     #idle}: there is no need for one more
     * @throws InterruptedException when the calling thread was interrupted
     */
    public boolean mayOpen(long nanos) throws InterruptedException {
        return total == null || total.enter(this, nanos);
    }

    /**
     * Opens one, leased by the caller, who {@link #mayOpen} one.
     *
     * @param addresses of the {@link Connector#firstHop}, at least one
     * @param until the reading of the ticker by which it has to be open
     * @throws IOException when it could not be opened; {@link SocketTimeoutException} for want of time
     */
    public Connection open(List<InetAddress> addresses, long until) throws IOException {
        return connector.open(this, addresses, until);
    }

    /** Gives the leave to open one back, when none was opened. */
    void openedNone() {
        if (total != null) {
            total.leave();
        }
    }

    BufferPool<ReadBuffer> inboxes() {
        return inboxes;
    }

    /** Adds one that the caller has opened and has leased, under the leave that it got. */
    void add(Connection connection) throws IOException {
        all.add(connection);
        if (closed) {
            connection.close();
        }
        loop.add(connection);
    }

    /** Takes note that one that was added is ready for use. */
    void opened() {
        opened.increment();
    }

    /** Cuts a leased connection at a time by the ticker, unless {@link Connection#endCut} comes first. */
    public void cutAt(Connection connection, long at) {
        connection.setCut(at);
        loop.by(at);
    }

    /**
     * Gives a connection back for reuse, and its place. One that is still to be cut, or on which something is left to read, is
     * closed.
     *
     * @param keep nanoseconds for which the peer wants to keep it; {@link Long#MAX_VALUE} when it did not say
     * @param now the reading of the ticker
     */
    public void release(Connection connection, long keep, long now) {
        note(connection, now);
        connection.rest(now, life.until(connection, now, keep));
        if (connection.isIdle()) {
            idle.addFirst(connection);
            if (closed) {
                drop(connection);
            } else {
                loop.by(life.retireAt(connection));
                if (total != null) {
                    total.oneIsIdle();
                }
            }
        } else {
            forget(connection);
        }
        places.leave();
    }

    /** Closes a connection, and gives its place back. */
    public void discard(Connection connection) {
        note(connection, ticker.nanos());
        connection.discard();
        forget(connection);
        places.leave();
    }

    /** Closes a connection that had ended before it took a byte of the request; the caller keeps its place, and takes another. */
    public void replace(Connection connection) {
        connection.discard();
        endedIdle(connection);
    }

    private void note(Connection connection, long now) {
        carried.increment();
        busy.add(now - connection.takenAt());
    }

    /**
     * Takes note that a leased connection brought an answer.
     *
     * @param now the reading of the ticker
     */
    public void answered(Connection connection, long now) {
        if (life.answered(connection, now)) {
            loop.by(now);
        }
    }

    /**
     * Takes note that a leased connection that had been idle brought nothing in all the time that it had. It may have been
     * dead, and then so are those that have been idle for as long: they are closed.
     */
    public void unanswered(Connection connection) {
        life.unanswered(connection);
        long now = ticker.nanos();
        for (Connection other : idle) {
            if (now - other.idleSince() >= connection.idleAge() && retire(other)) {
                evicted.increment();
            }
        }
        loop.by(now);
    }

    /**
     * {@code leased}, {@code idle} and {@code pending} now; {@code opened}, {@code found_closed}, {@code retired} and, among
     * these, {@code evicted} so far.
     */
    public Map<String, Long> counts() {
        long leased = places.inUse();
        return Map.of(
                "leased", leased,
                "idle", Math.max(0, all.size() - leased),
                "pending", (long) places.waiting(),
                "opened", opened.sum(),
                "found_closed", foundClosed.sum(),
                "retired", retired.sum(),
                "evicted", evicted.sum());
    }

    /** How many may be in use at once, now. */
    public int max() {
        return places.max();
    }

    /**
     * Allows this many, whatever is wanted; what is in use beyond it comes back in its own time.
     *
     * @param wanted 1 to {@value #MOST}
     * @throws IllegalArgumentException when out of range; nothing has changed then
     */
    public void pinMax(int wanted) {
        if (wanted < 1 || wanted > MOST) {
            throw new IllegalArgumentException("a pool has 1 to " + MOST + " connections, not " + wanted);
        }
        places.pin(wanted);
    }

    /** Goes on from where it is, or back to what was given. Does nothing when it is not pinned. */
    public void unpinMax() {
        places.unpin();
    }

    /** Why as many. */
    public String maxReason() {
        return places.reason();
    }

    /** Nanoseconds for which one may lie idle, now. */
    public long idleMost() {
        return life.most();
    }

    /** Why as long. */
    public String idleReason() {
        return life.reason();
    }

    /** How many wait for a place. */
    public int waiting() {
        return places.waiting();
    }

    /** For how long the oldest idle one has been that, nanoseconds; 0 when none is. */
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

    /** Closes the oldest idle one; false when none is. */
    boolean giveUpOldestIdle() {
        for (Connection oldest = idle.pollLast(); oldest != null; oldest = idle.pollLast()) {
            if (retire(oldest)) {
                return true;
            }
        }
        return false;
    }

    private boolean retire(Connection connection) {
        boolean was = connection.retire();
        if (was) {
            retired.increment();
            forget(connection);
        }
        return was;
    }

    private void endedIdle(Connection connection) {
        foundClosed.increment();
        forget(connection);
        if (life.ended(connection, ticker.nanos())) {
            loop.by(ticker.nanos());
        }
    }

    /** Where one was found closed, others of its age mostly are too: better found now than by the next caller. */
    private void lookAtOthers() {
        if (!looking.compareAndSet(false, true)) {
            return;
        }
        try {
            for (Iterator<Connection> each = idle.iterator(); each.hasNext(); ) {
                Connection connection = each.next();
                Liveness look = connection.lookWhileIdle();
                if (look != null && look != Liveness.QUIET) {
                    each.remove();
                    endedIdle(connection);
                }
            }
        } finally {
            looking.set(false);
        }
    }

    /** Closes a connection that was added and forgets it; its place stays taken. */
    void drop(Connection connection) {
        connection.close();
        forget(connection);
    }

    /** It stays among the idle until someone comes by: to look for it there takes as long as there are many. */
    private void forget(Connection connection) {
        if (all.remove(connection) && total != null) {
            total.leave();
        }
    }

    @Override
    public void close() {
        closed = true;
        // With the selector gone each is closed in one step, where it would be shut down first and closed by the loop.
        loop.close();
        all.forEach(this::drop);
        if (total != null) {
            total.part(this);
        }
    }

    private final class LoopWork implements EventLoop.Pool {
        @Override
        public void endedIdle(Connection connection) {
            ConnectionPool.this.endedIdle(connection);
        }

        @Override
        public void failed(Connection connection) {
            drop(connection);
        }

        @Override
        public long due(long now) {
            if (now - windowAt >= PoolSize.WINDOW) {
                window(now);
            }
            long next = cutThoseDue(now, windowAt + PoolSize.WINDOW);
            long sweep = sweep(now, next);
            return sweep - next < 0 ? sweep : next;
        }

        private long cutThoseDue(long now, long latest) {
            long next = latest;
            for (Connection connection : all) {
                long at = connection.cutAt();
                if (at == Long.MAX_VALUE) {
                    continue;
                }
                if (now - at >= 0) {
                    cut(connection, at);
                } else if (at - next < 0) {
                    next = at;
                }
            }
            return next;
        }

        private void cut(Connection connection, long at) {
            try {
                connection.cut(at);
            } catch (RuntimeException | Error e) {
                loop.failed(connection, e);
            }
        }

        private void window(long now) {
            long passed = now - windowAt;
            long carriedNow = carried.sum();
            long busyNow = busy.sum();
            long carriedThen = carriedBefore;
            long busyThen = busyBefore;
            windowAt = now;
            carriedBefore = carriedNow;
            busyBefore = busyNow;
            try {
                places.window(passed, carriedNow - carriedThen, busyNow - busyThen);
                if (connector.isRenewed()) {
                    life.renew(now);
                }
            } catch (RuntimeException | Error e) {
                loop.report("the size of the pool, and its keys and certificates, are checked again later", e);
            }
        }

        private long sweep(long now, long latest) {
            long next = latest;
            for (Iterator<Connection> each = idle.descendingIterator(); each.hasNext(); ) {
                Connection connection = each.next();
                long at = life.retireAt(connection);
                if (now - at >= 0) {
                    retireDue(connection);
                    each.remove();
                } else if (connection.isClosed()) {
                    each.remove();
                } else if (at - next < 0) {
                    next = at;
                }
            }
            long soonest = now + Math.max(SWEEP_TOGETHER, limits.sweep());
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
