package dev.penstock.jms;

import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Ticker;
import dev.penstock.Unanswered;
import dev.penstock.source.ReconnectBackoff;
import dev.penstock.supervise.Part;
import dev.penstock.supervise.Supervisor;
import dev.penstock.text.Durations;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A shared connection to a broker, opened on demand and reopened after it is lost. It is opened on a virtual thread, so
 * that callers can stop waiting for it; the backoff between attempts is shared by all callers.
 *
 * <p>Thread-safe.
 */
final class BrokerConnection implements AutoCloseable {
    /** Which calls of its sessions wait for the broker. */
    enum Use {
        /** Each send waits for the broker's confirmation. */
        EACH,
        /** Only commits wait. */
        COMMITS
    }

    /** An open connection with its client. */
    static final class Open implements AutoCloseable {
        private final JmsClient client;
        private final Connection connection;
        private final AtomicBoolean broken = new AtomicBoolean();
        private volatile boolean hasWorked;
        /** The time of the first call without an answer since the last answer; 0 for none. */
        private volatile long unansweredSince;

        private Open(JmsClient client, Connection connection) {
            this.client = client;
            this.connection = connection;
        }

        Connection connection() {
            return connection;
        }

        boolean isBroken() {
            return broken.get();
        }

        @Override
        public void close() {
            QuietClose.quietly(connection);
            client.close();
        }
    }

    /** How long a connection may leave all calls unanswered before another one is tried. */
    private static final Duration MAX_SILENCE = Duration.ofSeconds(3);

    private final JmsBroker broker;
    private final Use use;
    private final Part part;
    private final ReconnectBackoff reconnectBackoff = new ReconnectBackoff();
    private volatile @Nullable Open current;
    private @Nullable CompletableFuture<Open> opening;
    private @Nullable JMSException last;
    private volatile boolean closed;
    private long opened;

    /** Does not connect yet. */
    BrokerConnection(JmsBroker broker, Use use) {
        this.broker = broker;
        this.use = use;
        this.part = Supervisor.current().part("jms-connection", broker.where());
    }

    /**
     * The current connection, opened if there is none.
     *
     * @param nanos the time limit, in nanoseconds
     * @throws Failed with cause {@code CONNECT} when it cannot be opened
     * @throws Rejected with cause {@code DRAINING} when it was closed for good
     */
    Open open(long nanos) throws Unanswered {
        Open now = current;
        return now != null && !now.isBroken() ? now : await(openOrJoin(), nanos);
    }

    private synchronized CompletableFuture<Open> openOrJoin() throws Unanswered {
        if (closed) {
            throw new Rejected(Rejected.Cause.DRAINING, "the target is closed");
        }
        Open now = current;
        if (now != null && !now.isBroken()) {
            return CompletableFuture.completedFuture(now);
        }
        if (opening != null) {
            return opening;
        }
        long wait = reconnectBackoff.waitLeft(Ticker.SYSTEM.nanos());
        if (wait > 0) {
            throw JmsFault.connectFailed(broker, ", next attempt in " + Durations.format(wait), last);
        }
        return startConnecting(null);
    }

    private CompletableFuture<Open> startConnecting(@Nullable Open silent) {
        CompletableFuture<Open> future = new CompletableFuture<>();
        Thread.ofVirtual().name("penstock-jms-connect").start(() -> connect(future, silent));
        // Set last, so that a thread that cannot start leaves no trace. The new thread takes the lock before it ends.
        opening = future;
        return future;
    }

    private Open await(CompletableFuture<Open> future, long nanos) throws Unanswered {
        try {
            return future.get(Math.max(0, nanos), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            throw new Failed(Failed.Cause.CONNECT, "no connection to " + broker.where() + " before the deadline");
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new Rejected(Rejected.Cause.QUEUE, "interrupted while connecting");
        } catch (ExecutionException failed) {
            throw JmsFault.connectFailed(broker, "", failed.getCause());
        }
    }

    /**
     * Opens a connection.
     *
     * @param silent the connection to replace, unless it has answered by then; null for none
     */
    private void connect(CompletableFuture<Open> future, @Nullable Open silent) {
        JmsClient client = null;
        Connection connection = null;
        try {
            client = broker.sending(use); // one client for each connection: see JmsClient
            connection = client.open();
            Open established = new Open(client, connection);
            connection.setExceptionListener(lost -> markLost(established, lost));
            connected(established, future, silent);
        } catch (Throwable failed) {
            // Also an Error, such as a class missing from the client's jar: the next caller tries again.
            notConnected(failed, future);
            QuietClose.quietly(connection);
            QuietClose.quietly(client);
            if (silent != null) {
                silent.unansweredSince = Ticker.SYSTEM.nanos() | 1; // the next attempt comes after the same time
            }
        }
    }

    private void connected(Open established, CompletableFuture<Open> future, @Nullable Open silent) {
        boolean needed = silent == null || silent.isBroken() || silent.unansweredSince != 0;
        Open chosen = silent == null || needed ? established : silent;
        synchronized (this) {
            opening = null;
            opened++;
            if (!closed) {
                current = chosen;
            }
        }
        if (closed) {
            established.close();
            future.completeExceptionally(new JMSException("the target was closed"));
            return;
        }
        future.complete(chosen);
        if (!needed) {
            established.close();
        } else if (silent != null) {
            markLost(
                    silent,
                    new JMSException("no call was answered for " + Durations.format(MAX_SILENCE)
                            + ", although a new connection could be opened"));
        }
    }

    private void notConnected(Throwable failed, CompletableFuture<Open> future) {
        if (!(failed instanceof JMSException)) {
            part.failedOnce("the calls waiting for this connection fail; the next call connects again", failed);
        }
        JMSException why = failed instanceof JMSException known ? known : JmsFault.unexpected(failed);
        synchronized (this) {
            opening = null;
            last = why;
            reconnectBackoff.failed(Ticker.SYSTEM.nanos(), ThreadLocalRandom.current());
        }
        future.completeExceptionally(why);
    }

    /** A call succeeded: resets the backoff, so that a loss of the connection is followed by an immediate attempt. */
    void succeeded(Open open) {
        if (open.unansweredSince != 0) {
            open.unansweredSince = 0;
        }
        if (!open.hasWorked) {
            open.hasWorked = true;
            synchronized (this) {
                reconnectBackoff.succeeded();
            }
        }
    }

    /**
     * A call was not answered in time. If none was for a while, another connection is opened. If that succeeds, it
     * replaces the silent one, which a firewall may have dropped: the client itself notices only after 30 s or more.
     * Otherwise the broker is slow or down, and the connection is kept.
     */
    void unanswered(Open open) {
        long now = Ticker.SYSTEM.nanos() | 1; // never 0
        if (open.unansweredSince == 0) {
            open.unansweredSince = now;
        } else if (now - open.unansweredSince >= MAX_SILENCE.toNanos()) {
            openReplacement(open, now);
        }
    }

    private synchronized void openReplacement(Open silent, long now) {
        try {
            boolean wanted = !closed && current == silent && !silent.isBroken();
            if (wanted && opening == null && reconnectBackoff.waitLeft(now) == 0) {
                CompletableFuture<Open> _ = startConnecting(silent);
            }
        } catch (Throwable cannotStart) {
            part.failedOnce("the next unanswered call tries again", cannotStart);
        }
    }

    /**
     * The connection is lost; the next caller reconnects. A connection on which no call succeeded counts as a
     * failed attempt.
     */
    void markLost(Open open, JMSException why) {
        if (!open.broken.compareAndSet(false, true)) {
            return;
        }
        synchronized (this) {
            last = why;
            if (current == open) {
                current = null;
            }
            if (!open.hasWorked) {
                reconnectBackoff.failed(Ticker.SYSTEM.nanos(), ThreadLocalRandom.current());
            }
        }
        QuietClose.inBackground(open);
    }

    String where() {
        return broker.where();
    }

    JmsBroker broker() {
        return broker;
    }

    synchronized long opened() {
        return opened;
    }

    boolean isOpen() {
        Open now = current;
        return now != null && !now.isBroken();
    }

    @Override
    public void close() {
        Open was;
        synchronized (this) {
            closed = true;
            part.close();
            was = current;
            current = null;
        }
        QuietClose.soon(was);
    }
}
