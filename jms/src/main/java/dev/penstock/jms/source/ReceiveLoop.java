package dev.penstock.jms.source;

import dev.penstock.Ticker;
import dev.penstock.jms.JmsBroker;
import dev.penstock.jms.JmsClient;
import dev.penstock.jms.ReconnectBackoff;
import dev.penstock.supervise.Part;
import dev.penstock.supervise.Supervisor;
import jakarta.jms.Connection;
import jakarta.jms.InvalidClientIDException;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.JMSSecurityException;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a connection open while the source runs, and has a rung of the ladder receive on it. One thread of its own.
 *
 * <p>Safe for many threads.
 */
final class ReceiveLoop {
    private static final Logger LOG = LoggerFactory.getLogger(JmsSource.class);
    private static final Duration LAST_WORDS = Duration.ofSeconds(5);

    private static final long A_MINUTE = 60_000_000_000L;

    private final JmsBroker broker;
    private final String queue;
    private final MessageProcessor messageProcessor;
    private final AckStrategyChoice ackStrategyChoice;
    private final SourceStop stop;
    private final Part part;
    private final ReconnectBackoff reconnectBackoff = new ReconnectBackoff();
    private volatile @Nullable Connection connection;
    private final AtomicLong opened = new AtomicLong();
    private long lastLine;
    /** That of the connection. */
    private volatile @Nullable JmsClient client;

    private @Nullable Thread thread;

    ReceiveLoop(JmsBroker broker, String queue, MessageProcessor messageProcessor, AckStrategyChoice ackStrategyChoice, SourceStop stop) {
        this.broker = broker;
        this.queue = queue;
        this.messageProcessor = messageProcessor;
        this.ackStrategyChoice = ackStrategyChoice;
        this.stop = stop;
        this.part = Supervisor.current().part("jms-receiver", queue + " at " + broker.where());
    }

    synchronized void start() throws IOException {
        if (thread != null) {
            throw new IllegalStateException("a source is started once");
        }
        Connection first = null;
        try {
            first = open();
        } catch (JMSSecurityException | InvalidClientIDException refused) {
            throw new IOException(
                    broker.where() + " does not let this client in: " + refused.getMessage()
                            + "; mend user and password",
                    refused);
        } catch (NoTransactions never) {
            throw new IOException(broker.where() + ": " + never.getMessage(), never);
        } catch (LinkageError incomplete) {
            throw new IOException(
                    "the JMS client of " + broker.where() + " is not complete: " + incomplete + "; add the missing jar",
                    incomplete);
        } catch (JMSException failed) {
            if (client == null) {
                throw new IOException(failed.getMessage(), failed);
            }
            missed(failed);
            shut(null);
        }
        AtomicReference<@Nullable Connection> held = new AtomicReference<>(first);
        thread = part.start(
                Thread.ofPlatform().daemon().name("penstock-jms-" + queue), () -> receive(held.getAndSet(null)));
    }

    private Connection open() throws JMSException {
        JmsClient from = broker.receiving(ackStrategyChoice.prefetch()); // each connection has its own: see JmsClient
        client = from;
        Connection made = from.open();
        if (ackStrategyChoice.rung() != JmsSource.Rung.INDIVIDUAL && JmsBroker.lacksTransactions(made)) {
            shut(made);
            throw new NoTransactions(ackStrategyChoice.rung());
        }
        long number = opened.incrementAndGet();
        connection = made;
        // A source with its hands full asks nothing of the connection, and would not notice for long that it is lost.
        made.setExceptionListener(lost -> {
            if (opened.get() == number && connection != null && !messageProcessor.isOver()) {
                messageProcessor.lost(rootWords(lost));
            }
        });
        return made;
    }

    /** Waiting does not change it, unless another broker takes the place of this one. */
    private static final class NoTransactions extends JMSException {
        private static final long serialVersionUID = 1;

        NoTransactions(JmsSource.Rung asked) {
            super("this broker (RabbitMQ by AMQP 1.0) has no transactions, which 'by: %s' needs; leave out 'by'"
                    .formatted(asked.name().toLowerCase(Locale.ROOT)));
        }
    }

    private void receive(@Nullable Connection first) {
        AckStrategy receiving = ackStrategyChoice.over(messageProcessor);
        Connection open = first;
        while (!messageProcessor.isOver()) {
            try {
                if (open == null) {
                    open = open();
                }
                receiving.run(open);
            } catch (JMSException | JMSRuntimeException lost) {
                missed(lost);
            } catch (Throwable markLost) { // an Error of the client too: it connects again as after a lost connection
                missed(markLost);
                part.failed("it connects again", markLost);
            } finally {
                shut(open);
                open = null;
            }
            awaitNextTry();
        }
    }

    private void missed(Throwable why) {
        if (messageProcessor.isOver()) {
            return;
        }
        String reason = rootWords(why);
        messageProcessor.lost(reason);
        if (messageProcessor.hasWorked()) {
            reconnectBackoff.succeeded();
        }
        reconnectBackoff.failed(Ticker.SYSTEM.nanos(), ThreadLocalRandom.current());
        if (isWorthALine()) {
            LOG.warn(
                    "no messages from {} at {}: {}; trying again, every {} s at the last",
                    queue,
                    broker.where(),
                    reason,
                    ReconnectBackoff.MOST_SECONDS);
        }
    }

    /** The first of an outage, and one a minute while it lasts. */
    private boolean isWorthALine() {
        long now = Ticker.SYSTEM.nanos();
        if (reconnectBackoff.failures() > 1 && now - lastLine < A_MINUTE) {
            return false;
        }
        lastLine = now;
        return true;
    }

    /** What the client says is seldom as plain as what it says that of. */
    private static String rootWords(Throwable why) {
        String words = words(why, String.valueOf(why.getMessage()));
        for (Throwable cause = why.getCause(); cause != null; cause = cause.getCause()) {
            words = words(cause, words);
        }
        return words.lines().findFirst().orElse("");
    }

    /** The message of an Error alone is often only the name of a class. */
    private static String words(Throwable why, String otherwise) {
        if (why instanceof Error) {
            return why.toString();
        }
        return why.getMessage() == null ? otherwise : why.getMessage();
    }

    private void awaitNextTry() {
        long left = reconnectBackoff.waitLeft(Ticker.SYSTEM.nanos());
        while (left > 0 && !messageProcessor.isOver()) {
            if (stop.isAsked()) {
                // What is in process cannot be told to the broker any more; it ends, and that is waited for.
                Ticker.SYSTEM.parkUntil(Ticker.SYSTEM.nanos() + Math.min(left, 10_000_000));
            } else {
                stop.within(left);
            }
            left = reconnectBackoff.waitLeft(Ticker.SYSTEM.nanos());
        }
    }

    private void shut(@Nullable Connection open) {
        connection = null;
        try {
            if (open != null) {
                open.close();
            }
        } catch (Throwable broken) {
            LOG.debug("a connection to {} did not close: {}", broker.where(), broken.toString());
        }
        JmsClient from = client;
        if (from != null) {
            from.close();
        }
    }

    Map<String, Long> connections() {
        return Map.of("open", connection == null ? 0L : 1L, "opened", opened.get());
    }

    /** Gives back what has not ended, after what has ended was told. */
    synchronized void close() {
        messageProcessor.close();
        part.close();
        Thread running = thread;
        if (running != null) {
            join(running, LAST_WORDS);
            if (running.isAlive()) {
                // It waits for a broker that does not answer.
                shut(connection);
                join(running, LAST_WORDS);
            }
        }
        JmsClient made = client;
        if (made != null) {
            made.close();
        }
    }

    private static void join(Thread running, Duration atMost) {
        try {
            running.join(atMost);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
