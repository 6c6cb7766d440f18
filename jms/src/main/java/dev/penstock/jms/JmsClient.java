package dev.penstock.jms;

import dev.penstock.text.Durations;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A client of a broker for one use. Opens connections; does not close them. Thread-safe.
 *
 * <h2>Design note</h2>
 *
 * <p>JMS methods take no timeout. Artemis's client limits all blocking calls of a connection, including connecting, by
 * one {@code callTimeout} of 30 s, and a TLS handshake by 30 s; other clients may have no limit. So a connection is
 * opened on a thread of its own, and the caller waits for at most 5 s. A slower attempt is abandoned: its thread is
 * interrupted, and a connection that it still opens is closed. It may hold a lock of its connection factory until it
 * ends, so the next attempt needs another client.
 */
public final class JmsClient implements AutoCloseable {
    /** The time limit for opening a connection. */
    static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

    /** The maximum number of abandoned attempts still running: a client that ignores interrupts may never end them. */
    static final int MAX_ABANDONED = 16;

    private final JmsBroker broker;
    private final ConnectionFactory factory;
    private final boolean owned;
    private final AtomicInteger abandoned;
    private final Duration timeout;
    private @Nullable String clientId;

    JmsClient(JmsBroker broker, ConnectionFactory factory, boolean owned, AtomicInteger abandoned) {
        this(broker, factory, owned, abandoned, CONNECT_TIMEOUT);
    }

    /**
     * For tests, with another time limit.
     *
     * @param owned whether the factory is used by this client only, and closed with it
     * @param abandoned counts the abandoned attempts of the factory that are still running
     * @param timeout the time limit for opening a connection
     */
    JmsClient(JmsBroker broker, ConnectionFactory factory, boolean owned, AtomicInteger abandoned, Duration timeout) {
        this.broker = broker;
        this.factory = factory;
        this.owned = owned;
        this.abandoned = abandoned;
        this.timeout = timeout;
    }

    /** Sets the client id of its connections, before the first one is opened. */
    JmsClient withClientId(@Nullable String id) {
        clientId = id;
        return this;
    }

    /**
     * Opens and starts a connection: an AMQP 1.0 client connects only when started. Waits for at most 5 s, or for as
     * long as a {@code failover:} client tries its addresses.
     *
     * @throws JMSException when the broker is unreachable, rejects the connection, or did not answer in time
     */
    public Connection open() throws JMSException {
        return ClientFactories.isFailover(factory) ? openStarted() : openInTime();
    }

    private Connection openInTime() throws JMSException {
        if (abandoned.get() >= MAX_ABANDONED) {
            throw new JMSException(
                    MAX_ABANDONED
                            + " earlier connection attempts are still blocked in the JMS client; restart the process if they stay blocked");
        }
        CompletableFuture<Connection> future = new CompletableFuture<>();
        Thread opener = Thread.ofVirtual().name("penstock-jms-open").start(() -> open(future));
        try {
            return future.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            abandon(future, opener, "no answer within " + Durations.format(timeout));
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            abandon(future, opener, "interrupted while connecting");
        } catch (ExecutionException failed) {
            // The cause is thrown below.
        }
        return result(future);
    }

    private void open(CompletableFuture<Connection> future) {
        boolean wanted;
        try {
            Connection connection = openStarted();
            wanted = future.complete(connection);
            if (!wanted) {
                QuietClose.inBackground(connection);
            }
        } catch (Throwable failed) {
            wanted = future.completeExceptionally(failed);
        }
        if (!wanted) {
            abandoned.decrementAndGet();
        }
    }

    private Connection openStarted() throws JMSException {
        Connection connection = broker.connect(factory);
        try {
            identify(connection);
            connection.start();
            return connection;
        } catch (Throwable failed) {
            QuietClose.inBackground(connection);
            throw failed;
        }
    }

    /** Sets the client id, which is possible only before any other call. */
    private void identify(Connection connection) throws JMSException {
        if (clientId == null) {
            return;
        }
        try {
            connection.setClientID(clientId);
        } catch (IllegalStateException hasOne) {
            return; // set by the URL or the factory
        }
    }

    /** Ends an attempt without a connection, unless it has just ended by itself. */
    private void abandon(CompletableFuture<Connection> future, Thread opener, String why) {
        abandoned.incrementAndGet(); // first: the opener decrements it
        if (future.completeExceptionally(new JMSException(why))) {
            opener.interrupt();
        } else {
            abandoned.decrementAndGet();
        }
    }

    private static Connection result(CompletableFuture<Connection> ended) throws JMSException {
        if (!ended.isCompletedExceptionally()) {
            return ended.resultNow();
        }
        switch (ended.exceptionNow()) {
            case JMSException known -> throw known;
            case RuntimeException unexpected -> throw unexpected;
            case Error unexpected -> throw unexpected;
            case Throwable undeclared -> throw JmsFault.unexpected(undeclared);
        }
    }

    /** Whether a failure is a mistake in the code of a client, so that its message helps only the client's authors. */
    public static boolean isInternal(Throwable failure) {
        return failure instanceof NullPointerException
                || failure instanceof ClassCastException
                || failure instanceof IndexOutOfBoundsException
                || failure instanceof ConcurrentModificationException;
    }

    /** The broker. */
    public JmsBroker broker() {
        return broker;
    }

    /** Releases what the client holds besides its connections, in the background. Idempotent. */
    @Override
    public void close() {
        if (owned && factory instanceof AutoCloseable held) {
            QuietClose.inBackground(held);
        }
    }
}
