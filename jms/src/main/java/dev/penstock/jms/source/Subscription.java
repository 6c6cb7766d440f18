package dev.penstock.jms.source;

import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a source receives from: a queue, or a subscription to a topic. Immutable.
 *
 * @param destination the name of the queue or topic
 * @param name the name of the subscription; null for a queue and for {@link Kind#PLAIN}
 * @param selector null for all messages
 */
record Subscription(
        Kind kind,
        String destination,
        @Nullable String name,
        @Nullable String selector) {
    enum Kind {
        /** A queue. */
        QUEUE,
        /** For one consumer, while it is open. */
        PLAIN,
        /** For one consumer at a time; the broker keeps messages for it. */
        DURABLE,
        /** For several consumers, while any is open. */
        SHARED,
        /** For several consumers; the broker keeps messages for them. */
        SHARED_DURABLE
    }

    boolean isQueue() {
        return kind == Kind.QUEUE;
    }

    /** Whether only one consumer can be open. */
    boolean isExclusive() {
        return kind == Kind.PLAIN || kind == Kind.DURABLE;
    }

    /** Whether messages that are not acknowledged are delivered again after a lost connection. */
    boolean isKept() {
        return kind != Kind.PLAIN && kind != Kind.SHARED;
    }

    /** The client id that the subscription requires; null for none. */
    @Nullable
    String clientId() {
        return kind == Kind.DURABLE ? name : null;
    }

    /** The default dead-letter queue. Each named subscription has its own, since each may have the same message. */
    String deadLetterQueue() {
        return destination + (name == null ? "" : "." + name) + ".DLQ";
    }

    /** Distinguishes the replies to a message, of which each subscription to a topic has a copy. */
    String replyId() {
        return isQueue() ? "" : (isExclusive() ? UUID.randomUUID().toString() : name) + "-";
    }

    /**
     * Opens a consumer.
     *
     * @throws JMSException also when the client does not support this kind of subscription
     */
    MessageConsumer consumer(Session session) throws JMSException {
        try {
            return switch (kind) {
                case QUEUE -> session.createConsumer(session.createQueue(destination), selector);
                case PLAIN -> session.createConsumer(session.createTopic(destination), selector);
                case DURABLE -> session.createDurableConsumer(session.createTopic(destination), name, selector, false);
                case SHARED -> session.createSharedConsumer(session.createTopic(destination), name, selector);
                case SHARED_DURABLE ->
                    session.createSharedDurableConsumer(session.createTopic(destination), name, selector);
            };
        } catch (UnsupportedOperationException | AbstractMethodError unsupported) {
            throw new JMSException("the JMS client does not support this kind of subscription: " + unsupported);
        }
    }

    @Override
    public String toString() {
        String from = isQueue() ? destination : "topic " + destination;
        return name == null ? from : "subscription " + name + " of " + from;
    }
}
