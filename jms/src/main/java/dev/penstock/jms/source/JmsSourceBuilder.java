package dev.penstock.jms.source;

import dev.penstock.Service;
import dev.penstock.flow.Flow;
import dev.penstock.jms.JmsBroker;
import dev.penstock.jms.JmsMessage;
import dev.penstock.jms.RabbitMq;
import dev.penstock.source.PrefetchWindow;
import dev.penstock.source.Redelivery;
import dev.penstock.text.Durations;
import dev.penstock.text.Ranges;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntSupplier;
import org.apache.activemq.artemis.selector.filter.FilterException;
import org.apache.activemq.artemis.selector.impl.SelectorParser;
import org.jspecify.annotations.Nullable;

/** Builds a {@link JmsSource}; everything but the queue or topic has a default. Not thread-safe. */
public final class JmsSourceBuilder {
    /** The default maximum size of a body, in bytes: 1 MB. */
    public static final long DEFAULT_MAX_BODY = 1 << 20;

    /** The upper bound for {@link #inFlight(int)}. */
    public static final int MOST_IN_FLIGHT = PrefetchWindow.MAX_AUTOMATIC;

    /** A third of the time for which clients created by Penstock wait for an unresponsive broker, in nanoseconds. */
    private static final long REPLY_TIMEOUT = 10_000_000_000L;

    private final String destination;
    private Subscription.Kind kind;
    private @Nullable String subscription;
    private @Nullable String selector;
    private @Nullable String deadLetters;
    private @Nullable Path attemptFile;

    final JmsBroker broker;
    int inFlight;
    Redelivery redelivery = Redelivery.DEFAULT;
    JmsSource.@Nullable Ended listener;
    long replyTimeout = REPLY_TIMEOUT;
    long maxBody = DEFAULT_MAX_BODY;

    @Nullable
    String key;

    @Nullable
    String order;

    @Nullable
    Function<Object, @Nullable JmsMessage> replies;

    @Nullable
    List<String> replyTo;

    JmsSourceBuilder(JmsBroker broker, Subscription.Kind kind, String destination) {
        this.broker = broker;
        this.kind = kind;
        this.destination = requireName(destination);
    }

    /**
     * Receives from a durable subscription of a topic: the broker keeps messages while the source is not connected, until
     * the subscription is deleted at the broker. One source at a time: any other with this name waits until the first one
     * disconnects. A different topic or {@linkplain #selector selector} replaces the subscription, and its messages are
     * lost. Default: no subscription with a name.
     *
     * @param name of the subscription; also the client id of the connection, unless the broker's URL or factory sets one
     * @throws IllegalArgumentException when the name is blank
     * @throws IllegalStateException when this is a source of a queue
     */
    public JmsSourceBuilder durable(String name) {
        return subscription(Subscription.Kind.DURABLE, name);
    }

    /**
     * Receives from a shared subscription of a topic: each message goes to one of the sources with this name, in any
     * process, while at least one is connected. Requires JMS 2.0, for AMQP 1.0 a broker that supports it. Default: no
     * subscription with a name.
     *
     * @throws IllegalArgumentException when the name is blank
     * @throws IllegalStateException when this is a source of a queue
     */
    public JmsSourceBuilder shared(String name) {
        return subscription(Subscription.Kind.SHARED, name);
    }

    /**
     * Receives from a subscription that is both {@linkplain #durable durable} and {@linkplain #shared shared}. Default: no
     * subscription with a name.
     *
     * @throws IllegalArgumentException when the name is blank
     * @throws IllegalStateException when this is a source of a queue
     */
    public JmsSourceBuilder sharedDurable(String name) {
        return subscription(Subscription.Kind.SHARED_DURABLE, name);
    }

    private JmsSourceBuilder subscription(Subscription.Kind to, String name) {
        if (kind == Subscription.Kind.QUEUE) {
            throw new IllegalStateException("a queue has no subscriptions; call topic(...) instead of queue(...)");
        }
        kind = to;
        subscription = requireName(name);
        return this;
    }

    /**
     * Receives only messages that match a selector (JMS 3.1, section 3.8), such as {@code amount > 100 AND region
     * IN ('EU', 'US')}. Others stay in a queue, and are not kept for a subscription. Default: all messages.
     *
     * @throws IllegalArgumentException when the selector is invalid
     */
    public JmsSourceBuilder selector(String condition) {
        try {
            SelectorParser.parse(condition);
        } catch (FilterException invalid) {
            Throwable why = invalid.getCause() == null ? invalid : invalid.getCause();
            throw new IllegalArgumentException(
                    "invalid selector '" + condition + "': "
                            + String.valueOf(why.getMessage()).replaceAll("\\s+", " "),
                    invalid);
        }
        selector = condition;
        return this;
    }

    /**
     * The maximum number of messages in flight, received and not ended. Default: the capacity of the flow plus an
     * eighth; 500 if the flow has no limit.
     *
     * @param most 1 to 10,000
     * @throws IllegalArgumentException when out of range
     */
    public JmsSourceBuilder inFlight(int most) {
        inFlight = Ranges.within("in_flight", most, 1, MOST_IN_FLIGHT);
        return this;
    }

    /**
     * The key of a transaction, by which the target or the flow's dedupe stage recognizes a repeated message, so that a
     * message with an unknown outcome may be tried again. Default: none; then such a message becomes a dead letter, as
     * does one during which a process died.
     *
     * @param name {@link JmsMessage#MESSAGE_ID}, or a property
     */
    public JmsSourceBuilder key(String name) {
        key = requireName(name);
        return this;
    }

    /**
     * The maximum number of attempts for a message that failed, or whose outcome is unknown and that has a key.
     * Default: 5.
     *
     * @param times 1 to 1,000
     * @throws IllegalArgumentException when out of range
     */
    public JmsSourceBuilder redeliver(int times) {
        redelivery = redelivery.withAttempts(times);
        return this;
    }

    /**
     * The backoff before another attempt, which doubles each time, with a random reduction of up to half. Default: 200
     * ms to 10 s. The message stays in flight meanwhile.
     *
     * @param shortest 0 or more
     * @param longest {@code shortest} or more
     * @throws IllegalArgumentException when out of range
     */
    public JmsSourceBuilder backoff(Duration shortest, Duration longest) {
        redelivery = redelivery.withBackoff(shortest, longest);
        return this;
    }

    /**
     * The dead-letter queue. Default: the name of the queue or topic, for a topic with a named subscription also {@code .}
     * and its name, and {@code .DLQ}.
     */
    public JmsSourceBuilder deadLetter(String name) {
        deadLetters = requireName(name);
        return this;
    }

    /**
     * Processes messages with the same value of a property one after the other, in the order of the queue. Default:
     * no order.
     *
     * @param property {@link JmsMessage#GROUP}, which a broker assigns to one process at a time; or any other property,
     *     which is kept in order only within this process, and only with the clients of Artemis and AMQP 1.0
     */
    public JmsSourceBuilder inOrder(String property) {
        order = requireName(property);
        return this;
    }

    /** Sets a listener for endings. Default: none. */
    public JmsSourceBuilder onEnded(JmsSource.Ended endings) {
        listener = endings;
        return this;
    }

    /**
     * The maximum size of a body, in bytes; a message with a larger one becomes a dead letter without being read.
     * Default: {@value #DEFAULT_MAX_BODY}.
     *
     * @param bytes 1 or more
     * @throws IllegalArgumentException when out of range
     */
    public JmsSourceBuilder maxBody(long bytes) {
        maxBody = Ranges.within("max_body", bytes, 1, Long.MAX_VALUE);
        return this;
    }

    /**
     * Records the messages in process in a file, so that the next process knows during which messages this one died.
     * Those are processed one at a time, with no other message beside them, and become dead letters after as many
     * crashes as there are {@linkplain #redeliver attempts}, or immediately if they have no key. Default: none; then
     * only the broker's delivery count is known, if it has one.
     *
     * @param file created when the source starts; a second process with the same name uses the next free name
     */
    public JmsSourceBuilder attemptsIn(Path file) {
        attemptFile = file;
        return this;
    }

    /**
     * Converts answers to replies, for messages with a JMSReplyTo. Default: an answer that is a message is sent
     * unchanged, any other as its text.
     *
     * @param ofAnswer thread-safe; null for no reply
     */
    public JmsSourceBuilder replies(Function<Object, @Nullable JmsMessage> ofAnswer) {
        replies = ofAnswer;
        return this;
    }

    /**
     * Restricts the destinations of replies. A message that requests a reply to another destination is processed; its
     * reply is not sent, but counted in {@code replies_lost} and logged. Default: all destinations to which the broker
     * lets this client send.
     *
     * @param names names of queues or topics, including temporary ones, whose names the broker chooses; {@code *}
     *     matches any number of characters
     * @throws IllegalArgumentException when the list is empty, or a name is blank
     */
    public JmsSourceBuilder replyTo(List<String> names) {
        if (names.isEmpty()) {
            throw new IllegalArgumentException("reply_to must have at least one name");
        }
        names.forEach(JmsSourceBuilder::requireName);
        replyTo = List.copyOf(names);
        return this;
    }

    /** The time limit for the broker's confirmation of a reply, for tests. */
    JmsSourceBuilder replyTimeout(Duration time) {
        replyTimeout = Durations.nanos(time);
        return this;
    }

    /** Builds a source for a flow, which receives as many messages as the flow can process. Opens nothing yet. */
    public JmsSource to(Flow<JmsMessage, ?> flow) {
        return to(flow, flow::capacity);
    }

    /**
     * Builds a source for any message handler. Opens nothing yet.
     *
     * @param handler called on a virtual thread for each message; reports its ending as a {@link Service} does
     * @param capacity the number of messages it can process concurrently, like {@link Flow#capacity()}; {@link
     *     Integer#MAX_VALUE} without a limit. Called often
     * @throws IllegalArgumentException when the client or the broker cannot do what is configured
     */
    public JmsSource to(Service<? super JmsMessage, ?> handler, IntSupplier capacity) {
        String unsupported = unsupported();
        if (unsupported != null) {
            throw new IllegalArgumentException(unsupported);
        }
        return new JmsSource(this, handler, capacity);
    }

    /** What this source needs and its client or broker lacks, with what to do; null for nothing. */
    public @Nullable String unsupported() {
        if (broker.kind() == JmsBroker.Kind.OTHER && order != null && !order.equals(JmsMessage.GROUP)) {
            return "this JMS client keeps the order only by " + JmsMessage.GROUP + ", not by " + order
                    + "; set that property when sending";
        }
        return RabbitMq.isAddress(broker, destination) ? missingAtRabbit() : null;
    }

    /** RabbitMQ over AMQP 1.0 refuses none of these. */
    private @Nullable String missingAtRabbit() {
        if (selector != null) {
            return "RabbitMQ ignores selectors; leave out 'selector', and have the broker route these messages to a queue";
        }
        if (subscription != null) {
            return "RabbitMQ keeps no subscription " + subscription
                    + "; bind a queue to the topic, and receive from that";
        }
        return key == null
                ? "RabbitMQ does not report to a JMS client which messages are delivered again; set a 'key', by which the target or dedupe recognizes them"
                : null;
    }

    private static String requireName(String name) {
        return Ranges.named("a queue, topic, subscription or property", name);
    }

    Subscription subscription() {
        return new Subscription(kind, destination, subscription, selector);
    }

    String deadLetterQueue() {
        return deadLetters == null ? subscription().deadLetterQueue() : deadLetters;
    }

    /** Null also if the broker does not deliver a message again. */
    @Nullable
    Path attemptFile() {
        return subscription().isKept() ? attemptFile : null;
    }
}
