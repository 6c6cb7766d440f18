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
 * The selector thread of a pool. It reads from all connections, and runs timeouts and idle expiry when they are due.
 *
 * <h2>Design note</h2>
 *
 * <p>With a timer per exchange, tens of thousands of timers a second would be set and cancelled, and hardly any would fire.
 * Instead, callers announce the time of their work with {@link #wakeAt}. The loop is woken only if that time is earlier than
 * all times announced so far. Exchanges with equal time limits therefore never wake it.
 *
 * <p>All connections of the pool depend on this thread, so it survives every exception and {@link Error}: a failing connection
 * handler closes only its connection, failing periodic work is retried after {@link #RETRY}, and {@link Part} restarts the
 * thread's work after any other failure.
 */
final class EventLoop implements AutoCloseable {
    /** Callbacks of the loop. */
    interface Handler {
        /** A connection was closed because its peer closed it, or sent data, while it was idle. */
        void closedWhileIdle(Connection connection);

        /** A connection was closed because its handler failed. */
        void failed(Connection connection);

        /** Runs the work that is due, and returns when to call again, by the ticker. */
        long runDue(long now);
    }

    /** The longest time between two runs: 1 h. */
    private static final long MAX_SLEEP = 3_600_000_000_000L;

    private static final long MILLI = 1_000_000L;

    /** Delay before failed work is retried: 1 s, so that a permanent failure does not keep the thread busy. */
    private static final long RETRY = 1_000_000_000L;

    /** Work that is late by more means that this process was suspended: 1 s. */
    private static final long SUSPENDED = 1_000_000_000L;

    /** The time for callers to take the answers that arrived during a suspension: 100 ms. */
    private static final long AFTER_SUSPENSION = 100_000_000L;

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);

    private final String name;
    private final Ticker ticker;
    private final Part part;
    private final Selector selector;
    private final AtomicLong nextWakeUp;
    /** A field, because an allocation per select would be the largest garbage of a request. */
    private final Consumer<SelectionKey> onReady = this::ready;

    @SuppressWarnings("NullAway.Init") // by start
    private Handler handler;

    @SuppressWarnings("NullAway.Init") // by start
    private Thread thread;

    private volatile boolean closed;

    /** Creates a loop; {@link #start} it before anything else. */
    EventLoop(String name, Ticker ticker) {
        this.name = name;
        this.ticker = ticker;
        this.nextWakeUp = new AtomicLong(ticker.nanos() + MAX_SLEEP);
        try {
            this.selector = Selector.open();
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "cannot open a selector: too many open files; raise the limit of this process (ulimit -n)", e);
        }
        this.part = Supervisor.current().part("http-event-loop", name);
    }

    /** Starts the thread. */
    void start(Handler callbacks) {
        handler = callbacks;
        // As a virtual thread that yields between polls, it would cost as much, and wake the JDK's timer thread.
        thread = part.start(Thread.ofPlatform().daemon().name("penstock-pool " + name), this::run);
    }

    /** Registers a connection. */
    void add(Connection connection) throws ClosedChannelException {
        connection.socketTransport().register(selector, connection);
    }

    /** Makes the loop run due work at a time of the ticker, or earlier. */
    void wakeAt(long at) {
        long known = nextWakeUp.get();
        while (at - known < 0) {
            if (nextWakeUp.compareAndSet(known, at)) {
                selector.wakeup();
                return;
            }
            known = nextWakeUp.get();
        }
    }

    private void run() throws IOException {
        while (!closed) {
            runOnce();
        }
        selector.close();
    }

    private void runOnce() throws IOException {
        long now = ticker.nanos();
        long left = nextWakeUp.get() - now;
        if (left > 0) {
            selector.select(onReady, (left + MILLI - 1) / MILLI);
            return;
        }
        if (left < -SUSPENDED) {
            readWhatArrived();
        }
        // Reset before the work runs: the work may miss a time that is announced meanwhile.
        nextWakeUp.set(now + MAX_SLEEP);
        long next = now + RETRY;
        try {
            next = handler.runDue(now);
        } catch (RuntimeException | Error e) {
            report("timeouts and idle times of the connections are checked again in 1 s", e);
        }
        wakeAt(next);
    }

    /** This process did not run: answers that arrived meanwhile are read, and taken, before their time limits are checked. */
    private void readWhatArrived() throws IOException {
        long until = Ticker.SYSTEM.nanos() + AFTER_SUSPENSION;
        for (long left = AFTER_SUSPENSION; left > 0; left = until - Ticker.SYSTEM.nanos()) {
            selector.select(onReady, (left + MILLI - 1) / MILLI);
        }
    }

    private void ready(SelectionKey key) {
        Connection connection = (Connection) key.attachment();
        try {
            if (connection.ready(key)) {
                handler.closedWhileIdle(connection);
            }
        } catch (CancelledKeyException e) {
            // The connection has just been closed.
        } catch (RuntimeException | Error e) {
            failed(connection, e);
        }
    }

    /** Closes a connection whose handler failed, and passes the reason to its lessee. */
    void failed(Connection connection, Throwable why) {
        connection.fail(why);
        handler.failed(connection);
        part.failedOnce("its connection is closed; the others are not affected", why);
    }

    /**
     * Reports a failure that concerns no single connection.
     *
     * @param then what happens next, for the log
     */
    void report(String then, Throwable why) {
        part.failed(then, why);
    }

    /** Stops the thread, and waits up to 1 s for it. */
    @Override
    public void close() {
        closed = true;
        selector.wakeup();
        part.close();
        boolean interrupted = Thread.interrupted();
        try {
            if (thread.join(CLOSE_TIMEOUT)) {
                selector.close(); // needed if the thread ended between two restarts
            }
        } catch (InterruptedException e) {
            interrupted = true;
        } catch (IOException e) {
            // Nothing left to close.
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
