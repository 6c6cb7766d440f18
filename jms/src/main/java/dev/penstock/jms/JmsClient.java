package dev.penstock.jms;

import dev.penstock.Durations;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A client of a broker, made for one use. Opens connections; closes none of them. Safe for many threads.
 *
 * <h2>Design note</h2>
 *
 * <p>No JMS method takes a timeout. Artemis's client bounds all blocking calls of a connection, its opening too, by one
 * {@code callTimeout} of 30 s, and a TLS handshake by 30 s; other clients may have no bound. So a connection is opened on a
 * thread of its own, and the caller waits for at most 5 s. An opening that takes longer is abandoned: its thread is
 * interrupted, and a connection that it opens later is closed. It may hold a lock of its connection factory until it ends, so
 * the next opening needs a client of its own.
 */
public final class JmsClient implements AutoCloseable {
    /** How long an opening may take. */
    static final Duration OPENING = Duration.ofSeconds(5);

    /** How many abandoned openings may still run: a client that ignores interrupts may never end them. */
    static final int MOST_ABANDONED = 16;

    private final JmsBroker broker;
    private final ConnectionFactory factory;
    private final boolean isOurs;
    private final AtomicInteger abandoned;
    private final Duration within;

    JmsClient(JmsBroker broker, ConnectionFactory factory, boolean isOurs, AtomicInteger abandoned) {
        this(broker, factory, isOurs, abandoned, OPENING);
    }

    /**
     * A client.
     *
     * @param isOurs whether nobody else uses the factory, so that it is closed with this client
     * @param abandoned counts the abandoned openings of the factory that still run
     * @param within how long an opening may take
     */
    JmsClient(JmsBroker broker, ConnectionFactory factory, boolean isOurs, AtomicInteger abandoned, Duration within) {
        this.broker = broker;
        this.factory = factory;
        this.isOurs = isOurs;
        this.abandoned = abandoned;
        this.within = within;
    }

    /**
     * Opens a connection and starts it: a client by AMQP 1.0 connects only then. Waits for 5 s, or as long as a {@code
     * failover:} client tries its addresses.
     *
     * @throws JMSException the broker cannot be reached, will not have it, or did not answer in time
     */
    public Connection open() throws JMSException {
        if (ClientFactories.isFailover(factory)) {
            return started();
        }
        if (abandoned.get() >= MOST_ABANDONED) {
            throw new JMSException(
                    MOST_ABANDONED + " earlier openings have had no answer, and their client does not end them");
        }
        CompletableFuture<Connection> opening = new CompletableFuture<>();
        Thread opener = Thread.ofVirtual().name("penstock-jms-open").start(() -> open(opening));
        try {
            return opening.get(within.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            abandon(opening, opener, "no answer within " + Durations.words(within));
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            abandon(opening, opener, "interrupted while a connection was opened");
        } catch (ExecutionException failed) {
            // Its cause is thrown below.
        }
        return result(opening);
    }

    private void open(CompletableFuture<Connection> opening) {
        boolean wanted;
        try {
            Connection made = started();
            wanted = opening.complete(made);
            if (!wanted) {
                BrokerConnection.closeInBackground(made);
            }
        } catch (Throwable failed) {
            wanted = opening.completeExceptionally(failed);
        }
        if (!wanted) {
            abandoned.decrementAndGet();
        }
    }

    private Connection started() throws JMSException {
        Connection made = broker.user() == null
                ? factory.createConnection()
                : factory.createConnection(broker.user(), broker.password());
        try {
            made.start();
            return made;
        } catch (Throwable failed) {
            BrokerConnection.closeInBackground(made);
            throw failed;
        }
    }

    /** Ends an opening without a connection, unless it has ended by itself. */
    private void abandon(CompletableFuture<Connection> opening, Thread opener, String why) {
        abandoned.incrementAndGet(); // first: the opener takes it back
        if (opening.completeExceptionally(new JMSException(why))) {
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
            case Throwable undeclared -> throw BrokerConnection.unexpected(undeclared);
        }
    }

    /** Where it leads. */
    public JmsBroker broker() {
        return broker;
    }

    /** Lets go of what the client holds beside its connections, without waiting for that. Does nothing the second time. */
    @Override
    public void close() {
        if (isOurs && factory instanceof AutoCloseable held) {
            BrokerConnection.closeInBackground(held);
        }
    }
}
