package dev.penstock.jms.source;

import dev.penstock.Service;
import dev.penstock.Setting;
import dev.penstock.Source;
import dev.penstock.Ticker;
import dev.penstock.Unanswered;
import dev.penstock.jms.JmsBroker;
import dev.penstock.jms.JmsClient;
import dev.penstock.jms.JmsMessage;
import dev.penstock.source.PrefetchWindow;
import dev.penstock.source.SourceHealth;
import dev.penstock.source.SourceStop;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.QueueBrowser;
import jakarta.jms.Session;
import java.io.IOException;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Passes the messages of a queue or topic to a flow. Never has more messages in flight than the flow can process, and
 * acknowledges a message only after its transaction has ended.
 *
 * <pre>{@code
 * try (var source = JmsSource.at(JmsBroker.at("tcp://broker.example:61616"))
 *         .queue("payments")
 *         .key(JmsMessage.MESSAGE_ID)     // the target knows by it what it has done already
 *         .to(flow)) {
 *     source.start();
 *     ...
 * }
 * }</pre>
 *
 * <h2>Outcomes</h2>
 *
 * <ul>
 *   <li>Answered: acknowledged. Before that the answer is sent to the message's JMSReplyTo, if it has one, with its
 *       correlation id. A reply that the broker refuses is lost and counted, without further consequence.
 *   <li>Rejected: the message was not sent, so it stays in flight and is tried again.
 *   <li>Failed: tried again after a backoff that doubles, up to a number of attempts; then, or immediately if it was
 *       refused permanently, it becomes a dead letter.
 *   <li>Unknown: the same if it has a {@linkplain JmsSourceBuilder#key key}; otherwise it becomes a dead letter
 *       immediately, as does a message without a key during which a process died. No message is sent twice without a
 *       key.
 * </ul>
 *
 * <p>A dead letter is the message with the properties {@code penstock_ending}, {@code penstock_cause}, {@code
 * penstock_reason}, {@code penstock_attempts}, {@code penstock_queue} and {@code penstock_message_id}. It is in the
 * dead-letter queue before the message is acknowledged, so a crash may duplicate it, but never loses it.
 *
 * <h2>Topics</h2>
 *
 * <p>{@link JmsSourceBuilder#durable} and {@link JmsSourceBuilder#sharedDurable} subscriptions behave as queues: the broker
 * keeps a message until it is acknowledged. With others the broker does not deliver a message again after a lost
 * connection. So messages published in the meantime are lost, as are those given back when the source stops, and those
 * that fail after the connection was lost do not become dead letters. With other clients than
 * those of Artemis and AMQP 1.0, a message given back counts as redelivered: without a key it becomes a dead letter. A
 * dead letter has the properties {@code penstock_topic} and {@code penstock_subscription} instead of {@code penstock_queue}.
 *
 * <h2>Reconnecting</h2>
 *
 * <p>When the connection is lost, the source reconnects for ever, with a backoff of up to 5 s. Messages still being
 * processed continue, and are recognized when the broker delivers them again. Thread-safe.
 */
public final class JmsSource implements Source {
    /** The beginning of the reason for each message during which a process died. */
    public static final String PROCESS_DIED = "the process died while processing it";

    /** Is notified of each ending, before the message is acknowledged. Thread-safe. */
    @FunctionalInterface
    public interface Ended {
        /**
         * A message has ended: for good, unless the acknowledgement is lost and the broker delivers it again.
         *
         * @param answer the target's answer; null without one
         * @param why how it ended without an answer; null when it was answered
         * @throws Exception when the ending could not be recorded; called again a second later, and the message is not
         *     acknowledged before
         */
        void ended(JmsMessage message, @Nullable Object answer, @Nullable Unanswered why) throws Exception;

        /**
         * The target's answer to a redelivered message. Default: unknown.
         *
         * @param message without its body
         * @return the answer, and then the message is not sent again; null when it is not known to have been answered
         * @throws Exception when the lookup failed; called again a second later
         */
        default @Nullable Object answeredBefore(JmsMessage message) throws Exception {
            return null;
        }
    }

    /** A builder without a queue or topic. */
    public static final class Unnamed {
        private final JmsBroker broker;

        private Unnamed(JmsBroker broker) {
            this.broker = broker;
        }

        /**
         * Sets the queue.
         *
         * @throws IllegalArgumentException when the name is blank
         */
        public JmsSourceBuilder queue(String name) {
            return new JmsSourceBuilder(broker, Subscription.Kind.QUEUE, name);
        }

        /**
         * Sets the topic. Without a named subscription ({@link JmsSourceBuilder#durable}, {@link
         * JmsSourceBuilder#shared}, {@link JmsSourceBuilder#sharedDurable}) the source receives what is published while it
         * is connected, beside all other subscribers.
         *
         * @throws IllegalArgumentException when the name is blank
         */
        public JmsSourceBuilder topic(String name) {
            return new JmsSourceBuilder(broker, Subscription.Kind.PLAIN, name);
        }
    }

    private final JmsSourceBuilder built;
    private final JmsSourceCounts counts = new JmsSourceCounts();
    private final SourceStop stop = new SourceStop();
    private final PrefetchWindow prefetchWindow;
    private final DeliveryAttempts attempts;
    private final SourceHealth health;
    private final SourceReplies replies;
    private final ReceiveLoop receiveLoop;
    private final JmsSourceSettings settings;

    JmsSource(JmsSourceBuilder built, Service<? super JmsMessage, ?> handler, IntSupplier capacity) {
        this.built = built;
        this.prefetchWindow = new PrefetchWindow(built.inFlight, capacity);
        this.attempts = new DeliveryAttempts(built.attemptFile(), Ticker.SYSTEM);
        MessageHandling handling = new MessageHandling(built, handler, attempts, prefetchWindow, stop, counts);
        this.replies = new SourceReplies(built, prefetchWindow, stop, counts);
        this.health = new SourceHealth(built.subscription() + " at " + built.broker.where(), stop);
        MessageProcessor processor =
                new MessageProcessor(built, prefetchWindow, handling, replies, attempts, stop, health, counts);
        this.receiveLoop = new ReceiveLoop(built, processor, stop);
        this.settings = new JmsSourceSettings(built, prefetchWindow);
    }

    /** A builder of a source. */
    public static Unnamed at(JmsBroker broker) {
        return new Unnamed(broker);
    }

    /**
     * Looks for a message in the dead-letter queue, and leaves it there.
     *
     * @param id its JMSMessageID, or its property penstock_id
     * @return how it ended, in one line; null if it is not there
     * @throws JMSException the broker does not answer
     */
    public @Nullable String deadLetter(String id) throws JMSException {
        String quoted = "'" + id.replace("'", "''") + "'";
        String selector = String.join(
                " OR ", "penstock_id = " + quoted, JmsMessage.FIRST_ID + " = " + quoted, "JMSMessageID = " + quoted);
        try (JmsClient client = built.broker.receiving(1);
                Connection connection = client.open();
                Session session = connection.createSession();
                QueueBrowser letters = session.createBrowser(session.createQueue(built.deadLetterQueue()), selector)) {
            Enumeration<?> found = letters.getEnumeration();
            return found.hasMoreElements() && found.nextElement() instanceof Message letter
                    ? "%s (%s) after %s attempts, in %s"
                            .formatted(
                                    letter.getStringProperty("penstock_ending"),
                                    letter.getStringProperty("penstock_cause"),
                                    letter.getStringProperty("penstock_attempts"),
                                    built.deadLetterQueue())
                    : null;
        }
    }

    @Override
    public String where() {
        Subscription from = built.subscription();
        return "jms " + (from.isQueue() ? "queue " : "") + from + " at " + built.broker.where();
    }

    /**
     * Starts receiving. An unreachable broker is retried for ever; permanent errors are reported immediately.
     *
     * @throws IOException when the URL is invalid, the broker rejects the login, or the file of delivery attempts
     *     cannot be opened
     */
    @Override
    public void start() throws IOException {
        attempts.open();
        receiveLoop.start();
    }

    /** Stops receiving. Messages being processed continue; those waiting for another attempt are given back. */
    @Override
    public void stopAccepting() {
        stop.ask();
    }

    /**
     * Closes the connection, so that the broker delivers all messages that have not ended to other consumers.
     * Idempotent.
     */
    @Override
    public void close() {
        stop.ask();
        receiveLoop.close();
        replies.close();
        attempts.close();
    }

    /** Why no messages are received: the connection or the queue is unavailable. Null while messages are received. */
    @Override
    public @Nullable String outage() {
        String why = health.outage();
        return why == null
                ? null
                : "no messages from " + built.subscription() + " at " + built.broker.where() + ": " + why;
    }

    /** The number of messages in flight: received, and not ended. */
    public int inFlight() {
        return prefetchWindow.inFlight();
    }

    /** The maximum number of messages in flight so far. */
    int inFlightMax() {
        return prefetchWindow.inFlightMax();
    }

    /**
     * The number of messages in the queue or subscription at the broker, including messages in flight. Empty when the
     * broker does not report it (only Artemis does, over {@code tcp://} and {@code vm://}), or not within 500 ms, and
     * while there is no connection. Asks the broker with each call.
     */
    public OptionalLong queued() {
        return receiveLoop.queued();
    }

    /** The current settings. */
    public List<Setting> settings() {
        return settings.all();
    }

    /** The number of open connections ({@code open}), and of all connections opened so far ({@code opened}). */
    public Map<String, Long> connections() {
        return receiveLoop.connections();
    }

    /**
     * The counters: {@code received}, {@code acknowledged} (including dead letters), {@code tried_again}, {@code
     * dead_letters}, {@code given_back}, {@code recognised} (redelivered while this process knew them), {@code
     * replies}, {@code replies_lost} (the broker refused the reply, its destination is not {@linkplain
     * JmsSourceBuilder#replyTo allowed}, or the answer cannot be converted to a message).
     */
    public Map<String, Long> counts() {
        return counts.all();
    }

    @Override
    public String toString() {
        return where();
    }
}
