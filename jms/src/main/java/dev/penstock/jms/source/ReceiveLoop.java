package dev.penstock.jms.source;

import dev.penstock.Ticker;
import dev.penstock.jms.JmsBroker;
import dev.penstock.jms.JmsClient;
import dev.penstock.source.ReconnectBackoff;
import dev.penstock.source.SourceStop;
import dev.penstock.supervise.Part;
import dev.penstock.supervise.Supervisor;
import jakarta.jms.Connection;
import jakarta.jms.InvalidClientIDException;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.JMSSecurityException;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a connection open while the source runs, and receives on it with an {@link AckStrategy}, on a thread of
 * its own.
 *
 * <p>Thread-safe.
 */
final class ReceiveLoop {
    private static final Logger LOG = LoggerFactory.getLogger(JmsSource.class);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    private static final String CLOSED =
            "the broker closed the consumer: it cannot deliver the next message, such as one with an AMQP body that its own"
                    + " protocol has no type for; receive over amqp://, or move that message away";
    private static final int PREFETCH = 128;
    private static final int MEMORY_FRACTION = 16;

    private final JmsBroker broker;
    private final Subscription subscription;
    private final MessageProcessor processor;
    private final AckStrategy receiving;
    private final int prefetch;
    private final SourceStop stop;
    private final Part part;
    private final ReconnectBackoff reconnectBackoff = new ReconnectBackoff();
    private volatile @Nullable Connection connection;
    private final AtomicLong opened = new AtomicLong();
    /** The client of the connection. */
    private volatile @Nullable JmsClient client;

    private @Nullable Thread thread;

    ReceiveLoop(JmsSourceBuilder built, MessageProcessor processor, SourceStop stop) {
        this.broker = built.broker;
        this.processor = processor;
        this.subscription = built.subscription();
        this.receiving = broker.kind() == JmsBroker.Kind.OTHER
                ? new SessionPerMessageAck(processor)
                : new IndividualAck(processor);
        this.prefetch = prefetch(built);
        this.stop = stop;
        this.part = Supervisor.current().part("jms-receiver", subscription + " at " + broker.where());
    }

    /** A client for AMQP 1.0 has whole messages in memory, so these must fit. */
    private static int prefetch(JmsSourceBuilder built) {
        long fitting = Runtime.getRuntime().maxMemory() / MEMORY_FRACTION / built.maxBody;
        return built.broker.kind() == JmsBroker.Kind.QPID ? Math.clamp(fitting, 1, PREFETCH) : PREFETCH;
    }

    synchronized void start() throws IOException {
        if (thread != null) {
            throw new IllegalStateException("the source was started already");
        }
        Connection first = null;
        try {
            first = open();
        } catch (JMSSecurityException | InvalidClientIDException refused) {
            throw new IOException(
                    broker.where() + " rejected the login: " + refused.getMessage() + "; check user and password",
                    refused);
        } catch (LinkageError incomplete) {
            throw new IOException(
                    "the JMS client of " + broker.where() + " is incomplete: " + incomplete + "; add the missing jar",
                    incomplete);
        } catch (JMSException failed) {
            if (client == null) {
                throw new IOException(failed.getMessage(), failed);
            }
            connectionFailed(failed);
            closeConnection(null);
        }
        AtomicReference<@Nullable Connection> held = new AtomicReference<>(first);
        thread = part.start(
                Thread.ofPlatform().daemon().name("penstock-jms-" + subscription.destination()),
                () -> receive(held.getAndSet(null)));
    }

    private Connection open() throws JMSException {
        processor.connecting();
        JmsClient from = broker.receiving( // one client for each connection: see JmsClient
                processor.oneByOne().isOn() ? 0 : prefetch, subscription.clientId());
        client = from;
        Connection made = connect(from);
        long number = opened.incrementAndGet();
        connection = made;
        // A source without free capacity does not use the connection, and would notice its loss late.
        made.setExceptionListener(lost -> {
            if (opened.get() == number && connection != null && !processor.isOver()) {
                processor.health().lost(rootMessage(lost));
            }
        });
        return made;
    }

    private Connection connect(JmsClient from) throws JMSException {
        try {
            return from.open();
        } catch (InvalidClientIDException used) {
            if (subscription.clientId() == null) {
                throw used;
            }
            // Not permanent: the other client may end, or be gone already without the broker knowing.
            throw new JMSException("another client has " + subscription
                    + ", which only one can have unless it is shared (" + used.getMessage() + ")");
        }
    }

    private void receive(@Nullable Connection first) {
        Connection open = first;
        while (!processor.isOver()) {
            try {
                if (open == null) {
                    open = open();
                }
                receiving.run(open);
            } catch (JMSException | JMSRuntimeException lost) {
                connectionFailed(lost);
            } catch (Throwable failed) { // also an Error of the client: reconnects as after a lost connection
                connectionFailed(failed);
                part.failed("the source reconnects", failed);
            } finally {
                closeConnection(open);
                open = null;
            }
            awaitNextAttempt();
        }
    }

    private void connectionFailed(Throwable why) {
        if (processor.isOver()) {
            return;
        }
        boolean isConsumerClosed = !processor.health().isLost() && ArtemisReceiver.isClosedByBroker(why);
        if (isConsumerClosed) {
            processor.oneByOne().start();
        } else if (processor.health().isLost()) {
            processor.oneByOne().cancel(); // not even a connection: the broker itself was stopping
        }
        String reason = isConsumerClosed ? CLOSED : rootMessage(why);
        processor.health().lost(reason);
        // One by one, what the broker has delivered behind that message cannot be acknowledged either.
        if (processor.hasWorked() && !processor.oneByOne().isOn()) {
            reconnectBackoff.succeeded();
        }
        reconnectBackoff.failed(Ticker.SYSTEM.nanos(), ThreadLocalRandom.current());
        if (reconnectBackoff.isToLog(Ticker.SYSTEM.nanos())) {
            LOG.warn(
                    "no messages from {} at {}: {}; reconnecting, with a backoff of up to {} s",
                    subscription,
                    broker.where(),
                    reason,
                    ReconnectBackoff.MOST_SECONDS);
        }
    }

    /** The message of the root cause, which is usually clearer than the client's own. */
    private static String rootMessage(Throwable why) {
        String message = message(why, String.valueOf(why.getMessage()));
        for (Throwable cause = why.getCause(); cause != null; cause = cause.getCause()) {
            message = message(cause, message);
        }
        return message.lines().findFirst().orElse("");
    }

    /** The message of an Error is often only a class name. */
    private static String message(Throwable why, String otherwise) {
        if (why instanceof Error) {
            return why.toString();
        }
        if (JmsClient.isInternal(why)) {
            return "the JMS client failed with " + why.getClass().getName();
        }
        return why.getMessage() == null ? otherwise : why.getMessage();
    }

    private void awaitNextAttempt() {
        long left = reconnectBackoff.waitLeft(Ticker.SYSTEM.nanos());
        while (left > 0 && !processor.isOver()) {
            if (stop.isAsked()) {
                // Messages in process cannot be acknowledged any more, but their end is awaited.
                Ticker.SYSTEM.parkUntil(Ticker.SYSTEM.nanos() + Math.min(left, 10_000_000));
            } else {
                stop.awaitStop(left);
            }
            left = reconnectBackoff.waitLeft(Ticker.SYSTEM.nanos());
        }
    }

    private void closeConnection(@Nullable Connection open) {
        connection = null;
        try {
            if (open != null) {
                open.close();
            }
        } catch (Throwable broken) {
            LOG.debug("closing the connection to {} failed: {}", broker.where(), broken.toString());
        }
        JmsClient from = client;
        if (from != null) {
            from.close();
        }
    }

    OptionalLong queued() {
        return connection == null ? OptionalLong.empty() : processor.queued();
    }

    Map<String, Long> connections() {
        return Map.of("open", connection == null ? 0L : 1L, "opened", opened.get());
    }

    /** Closes the connection after the messages that have ended were acknowledged; the others are given back. */
    synchronized void close() {
        processor.close();
        part.close();
        Thread running = thread;
        if (running != null) {
            Part.join(running, CLOSE_TIMEOUT);
            if (running.isAlive()) {
                // It is blocked in a call to an unresponsive broker.
                closeConnection(connection);
                Part.join(running, CLOSE_TIMEOUT);
            }
        }
        JmsClient made = client;
        if (made != null) {
            made.close();
        }
    }
}
