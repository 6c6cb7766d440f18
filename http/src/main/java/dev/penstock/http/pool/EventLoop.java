package dev.penstock.http.pool;

import dev.penstock.Ticker;
import dev.penstock.supervise.Part;
import dev.penstock.supervise.Supervisor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * The one thread that sees what comes on all connections of a pool, and does for it what is due at some time.
 *
 * <h2>Design note</h2>
 *
 * <p>A timer for each exchange would be set and cancelled by the ten thousand a second and hardly ever go off. Here who has
 * something due says {@link #by when}, and goes on; the loop is woken only when that is sooner than all that it knows of.
 * Exchanges that all may take equally long never wake it.
 *
 * <p>All connections of the pool depend on this thread, so it runs on after any exception or {@link Error}: one in the handler
 * of a connection closes that connection, what is due is tried again after {@link #RETRY}, and {@link Part} runs the thread's
 * work again after any other.
 */
final class EventLoop implements AutoCloseable {
    /** What the loop works for. */
    interface Pool {
        /** A connection was closed, for its peer closed it or talked while it was idle. */
        void endedIdle(Connection connection);

        /** A connection was closed, for its handler failed. */
        void failed(Connection connection);

        /** Does what is due, and says when to call again, by the ticker. */
        long due(long now);
    }

    private static final long FAR = 3_600_000_000_000L;
    private static final long MILLI = 1_000_000L;

    /** The time until the next try of what is due after a failure: 1 s. At once, it could fail again and again. */
    private static final long RETRY = 1_000_000_000L;

    private static final Duration MOST_GOODBYE = Duration.ofSeconds(1);

    private final Ticker ticker;
    private final Part part;
    private final Pool pool;
    private final Selector selector;
    private final AtomicLong wakeAt;
    private final Thread thread;
    /** Made once: one for each select would be the most that a request leaves to the garbage collector. */
    private final Consumer<SelectionKey> whenReady = this::ready;

    private volatile boolean closed;

    EventLoop(String name, Pool pool, Ticker ticker) {
        this.ticker = ticker;
        this.pool = pool;
        this.wakeAt = new AtomicLong(ticker.nanos() + FAR);
        try {
            this.selector = Selector.open();
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "no selector: this process is out of file descriptors, raise its limit (ulimit -n)", e);
        }
        this.part = Supervisor.current().part("http-event-loop", name);
        this.thread = part.start(Thread.ofPlatform().daemon().name("penstock-pool " + name), this::run);
    }

    /** Begins to watch a connection. */
    void add(Connection connection) throws ClosedChannelException {
        connection.socketTransport().register(selector, connection);
    }

    /** Something is due at that time. */
    void by(long at) {
        long known = wakeAt.get();
        while (at - known < 0) {
            if (wakeAt.compareAndSet(known, at)) {
                selector.wakeup();
                return;
            }
            known = wakeAt.get();
        }
    }

    private void run() throws IOException {
        while (!closed) {
            turn();
        }
        selector.close();
    }

    private void turn() throws IOException {
        long now = ticker.nanos();
        long left = wakeAt.get() - now;
        if (left > 0) {
            selector.select(whenReady, (left + MILLI - 1) / MILLI);
            return;
        }
        // What is said to be due from here on counts again: it may be missed by what is done now.
        wakeAt.set(now + FAR);
        long next = now + RETRY;
        try {
            next = pool.due(now);
        } catch (RuntimeException | Error e) {
            report("the timeouts and idle times of the connections are checked again in 1 s", e);
        }
        by(next);
    }

    private void ready(SelectionKey key) {
        Connection connection = (Connection) key.attachment();
        try {
            if (connection.ready(key)) {
                pool.endedIdle(connection);
            }
        } catch (CancelledKeyException e) {
            // It was closed at this moment.
        } catch (RuntimeException | Error e) {
            failed(connection, e);
        }
    }

    /** Closes a connection whose handler failed; who uses it is told why. */
    void failed(Connection connection, Throwable why) {
        connection.fail(why);
        pool.failed(connection);
        part.failedOnce("its connection is closed; the others are not affected", why);
    }

    /**
     * Reports a failure that is of no single connection.
     *
     * @param then what happens next
     */
    void report(String then, Throwable why) {
        part.failed(then, why);
    }

    /** Ends the thread, and waits for that for a moment. */
    @Override
    public void close() {
        closed = true;
        selector.wakeup();
        part.close();
        boolean interrupted = Thread.interrupted();
        try {
            if (thread.join(MOST_GOODBYE)) {
                selector.close(); // also when the thread ended in a pause
            }
        } catch (InterruptedException e) {
            interrupted = true;
        } catch (IOException e) {
            // Nothing is left to close.
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
