package dev.penstock.http.http2;

import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.supervise.Part;
import dev.penstock.supervise.Supervisor;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.apache.hc.core5.http.ConnectionClosedException;
import org.jspecify.annotations.Nullable;

/**
 * The connections to one target. A call gets a stream slot on the first connection that has a free one. If none has, another
 * connection is opened, so that the peer's limit of streams per connection, typically 100, does not limit the calls.
 * Thread-safe.
 */
public final class Http2Connections {
    /**
     * The limits. Times are in nanoseconds.
     *
     * @param connections maximum number of connections
     * @param maxWait maximum wait for a slot
     * @param connectTimeout time limit to open a connection
     * @param idle time without calls after which a connection is closed
     * @param maxAge age after which a connection gets no more calls; {@link Long#MAX_VALUE} for unlimited
     */
    public record Limits(int connections, long maxWait, long connectTimeout, long idle, long maxAge) {}

    /** Maps errors before anything was sent to endings. */
    public interface Faults {
        /** The thread was interrupted. */
        Rejected interruptedBefore();

        /** The connections were closed. */
        Rejected poolClosed();

        /** No connection could be opened in time. */
        Failed connectTimeout(long nanos);

        /** The caller's deadline passed before it had a stream. */
        Rejected deadlineExpired();

        /** The caller's deadline, so far away, passed while a connection was being opened. */
        Rejected deadlineWhileOpening(long nanos);

        /** All connections are open, and have as many streams as the peer allows. */
        Rejected allTaken(long waited, long connections, int waiting);

        /** A connection could not be opened. */
        Failed noConnection(Exception why) throws Rejected, Http2Connector.NotOffered;
    }

    /** Current numbers; the last three are totals since the start. */
    public record Counts(long leased, long idle, long opened, long foundClosed, long retired) {}

    private final Limits limits;
    private final Faults faults;
    private final Http2Connector connector;
    private final Part part;
    private final CountDownLatch over = new CountDownLatch(1);
    private final ReentrantLock lock = new ReentrantLock();
    // Guards all fields below. HttpCore calls this class while it holds locks of its own, so no method of HttpCore that
    // takes one may be called under this lock (deadlock).
    private final Condition changed = lock.newCondition();
    private final Http2ConnectionSet connections;
    private int waiting;
    private int opening;
    /** The number of streams that the peer allowed on the last connection. */
    private int streamsPerConnection = Integer.MAX_VALUE;

    private long failures;
    private Exception failure = new ConnectionClosedException();
    /** How many attempts to open a connection have failed since the last that succeeded. */
    private int failedInARow;

    /** Whether the peer turned out not to offer HTTP/2 when no call waited for that any more. The next call reports it. */
    private boolean isUnreported;

    private boolean closed;

    /** Creates an empty set of connections. */
    public Http2Connections(Limits limits, Faults faults, Http2Connector connector) {
        this.limits = limits;
        this.connections = new Http2ConnectionSet(limits);
        this.faults = faults;
        this.connector = connector;
        this.part = Supervisor.current().part("http2-idle-connections", connector.where());
        Thread _ = part.start(Thread.ofVirtual().name("penstock-h2-idle"), this::closeIdle);
    }

    /**
     * Leases a stream slot for one call, and returns its connection.
     *
     * @param nanos the time until the caller's deadline; pool.wait also applies if all slots are taken, and pool.connect_timeout if a connection is
     *     opened
     * @param avoided is used only if no other connection can be opened; null for none
     */
    public Http2Connection lease(long nanos, @Nullable Http2Connection avoided)
            throws Rejected, Failed, Http2Connector.NotOffered {
        if (Thread.currentThread().isInterrupted()) {
            throw faults.interruptedBefore();
        }
        long from = System.nanoTime();
        SSLContext context = connector.context();
        lock.lock();
        waiting++;
        try {
            long seen = isUnreported ? failures - 1 : failures;
            isUnreported = false;
            while (true) {
                if (closed) {
                    throw faults.poolClosed();
                }
                Http2Connection free = connections.free(context, System.nanoTime(), avoided);
                if (free == null && avoided != null && connections.size() + opening >= limits.connections()) {
                    free = connections.free(context, System.nanoTime(), null);
                }
                if (free != null) {
                    free.slots.take();
                    return free;
                }
                if (failures != seen) {
                    throw faults.noConnection(failure);
                }
                openMore();
                long _ = changed.awaitNanos(waitLeft(from, nanos));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw faults.interruptedBefore();
        } finally {
            waiting--;
            List<Http2Connection> needless = connections.toClose();
            lock.unlock();
            needless.forEach(Http2Connection::close);
        }
    }

    /** The remaining wait, more than 0 ns. */
    private long waitLeft(long from, long nanos) throws Rejected, Failed, Http2Connector.NotOffered {
        long wait = limits.maxWait();
        long connect = limits.connectTimeout();
        // Opening has its own timeout. A call that arrived during it also gets the time of the next attempt.
        long allowed = Math.min(nanos, opening > 0 ? wait + connect : wait);
        long waited = System.nanoTime() - from;
        if (waited >= allowed) {
            if (opening > 0 && allowed == nanos && failedInARow > 1) {
                // The caller cannot wait for this attempt, but those before show that the target is down.
                throw faults.noConnection(failure);
            }
            if (allowed == nanos) {
                throw opening > 0 ? faults.deadlineWhileOpening(nanos) : faults.deadlineExpired();
            }
            if (opening > 0) {
                throw faults.connectTimeout(allowed);
            }
            throw faults.allTaken(waited, connections.size(), waiting - 1);
        }
        return allowed - waited;
    }

    /** Opens as many connections as the waiting calls need; one, while the streams per connection are unknown. */
    private void openMore() {
        long wanted = (waiting + (long) streamsPerConnection - 1) / streamsPerConnection;
        // A connection without slots will have some when the peer allows them.
        while (opening + connections.paused() < wanted && connections.size() + opening < limits.connections()) {
            Thread.ofVirtual().name("penstock-h2-open").start(this::openOne);
            opening++; // after start(), which may throw; the thread needs the lock before it decrements
        }
    }

    private void openOne() {
        Http2Connection found = null;
        Exception why = new ConnectionClosedException();
        try {
            found = connector.open(limits.connectTimeout(), new EndListener());
        } catch (Http2Connector.NotOffered | IOException | RuntimeException e) {
            why = e;
        } catch (Error e) {
            // The waiting calls must be notified; otherwise no connection would be opened any more.
            part.failedOnce("the calls that wait for the connection fail; the next call opens another", e);
            why = new IOException("opening the connection failed: " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        lock.lock();
        try {
            opening--;
            // An Error is a fault of this process.
            boolean failed =
                    found == null && !(why instanceof Http2Connector.NotOffered) && !(why.getCause() instanceof Error);
            failedInARow = failed ? failedInARow + 1 : 0;
            isUnreported = why instanceof Http2Connector.NotOffered && waiting == 0;
            if (found != null && !closed && connections.put(found, System.nanoTime())) {
                streamsPerConnection = found.allowed() == 0 ? streamsPerConnection : found.allowed();
                found = null;
            } else {
                failures++;
                failure = why;
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (found != null) {
            found.abort();
        }
    }

    /** Releases a slot without a stream. */
    public void release(Http2Connection connection) {
        withLock(() -> {
            connection.slots.free(System.nanoTime());
            return closing(connection);
        });
    }

    /** Releases the slot of a stream, once: HttpCore may do so only after the caller of an answered stream has the answer. */
    public void free(Http2Stream stream) {
        withLock(() -> {
            if (!stream.release()) {
                return null;
            }
            stream.connection().slots.free(stream, System.nanoTime());
            return closing(stream.connection());
        });
    }

    /** Abandons a stream whose caller has stopped waiting, although HttpCore has not released it. */
    public void abandon(Http2Stream stream) {
        withLock(() -> {
            Http2Connection connection = stream.connection();
            if (stream.isReleased()) {
                return null;
            }
            connection.slots.abandon(stream);
            return closing(connection);
        });
    }

    /** How to close a retired connection that no caller waits on; null if it is not one. */
    private static @Nullable Runnable closing(Http2Connection connection) {
        if (!connection.slots.isDeserted()) {
            return null;
        }
        return connection.slots.isEmpty() ? connection::close : connection::abort;
    }

    /** Runs a change under the lock, and the action it returns, if any, after the lock was released. */
    private void withLock(Supplier<@Nullable Runnable> change) {
        Runnable then;
        lock.lock();
        try {
            then = change.get();
            if (waiting > 0) {
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
        if (then != null) {
            then.run();
        }
    }

    private void closeIdle() throws InterruptedException {
        while (!over.await(connections.sweepMillis(), TimeUnit.MILLISECONDS)) {
            needless().forEach(this::closeNeedless);
        }
    }

    private void closeNeedless(Http2Connection one) {
        try {
            if (one.isOpen()) {
                one.close();
            } else {
                // Closed gracefully before, but the peer has not closed it yet.
                one.abort();
            }
        } catch (RuntimeException | Error e) {
            part.failedOnce("the other idle connections are still closed", e);
        }
    }

    private List<Http2Connection> needless() {
        lock.lock();
        try {
            return connections.needless(System.nanoTime());
        } finally {
            lock.unlock();
        }
    }

    /** The current numbers. */
    public Counts counts() {
        lock.lock();
        try {
            return connections.counts();
        } finally {
            lock.unlock();
        }
    }

    /** Number of calls that wait for a slot. */
    public int waiting() {
        lock.lock();
        try {
            return waiting;
        } finally {
            lock.unlock();
        }
    }

    /** Closes all connections; their calls end without an answer. */
    public void close() {
        List<Http2Connection> last;
        lock.lock();
        try {
            closed = true;
            last = connections.all();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        over.countDown();
        part.close();
        last.forEach(Http2Connection::abort);
        connector.close();
    }

    private final class EndListener implements Http2Connection.Listener {
        @Override
        public void released(Http2Stream stream) {
            free(stream);
        }

        @Override
        public void changed(Http2Connection connection) {
            withLock(() -> null);
        }

        @Override
        public void endedAfter(int processed) {
            withLock(() -> {
                connections.endedAfter(processed);
                return null;
            });
        }

        @Override
        public void ended(Http2Connection connection) {
            withLock(() -> {
                connections.remove(connection);
                return null;
            });
        }
    }
}
