package dev.penstock.jms.source;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.jms.client.ActiveMQSession;
import org.jspecify.annotations.Nullable;

/** Receives the messages of a subscription. Only on the thread of its session. */
interface SourceConsumer {
    /**
     * The consumer for the client of a session.
     *
     * @param maxBody a larger body is not read, if the client can leave it at the broker
     * @param individually whether the receiver acknowledges each message individually, by {@link
     *     IndividualAcknowledger}
     */
    static SourceConsumer of(Session session, Subscription from, long maxBody, boolean individually)
            throws JMSException {
        MessageConsumer consumer = from.consumer(session);
        return isArtemis(session) && session.getTransacted()
                ? ArtemisConsumer.of((ActiveMQSession) session, consumer, from.isQueue(), maxBody, individually)
                : new Plain(consumer);
    }

    /** Whether the session belongs to Artemis's client and its core session is usable. */
    static boolean isArtemis(Session session) {
        // With the prefixes of version 1, destinations have other names.
        return session instanceof ActiveMQSession artemis && !artemis.isEnable1xPrefixes();
    }

    /**
     * The next message; null when none comes in time.
     *
     * @param millis 1 or more
     */
    @Nullable
    Message receive(long millis) throws JMSException;

    /**
     * Whether the body of the last message is too large and still at the broker. It can be read until the next receive
     * or the close.
     */
    boolean bodyLeftAtBroker();

    /** The name of its queue at an Artemis broker, also for a subscription; null for other clients. */
    @Nullable
    SimpleString artemisQueue();

    /** Closes the consumer and returns prefetched messages. */
    void close() throws JMSException;

    /** For any client. */
    record Plain(MessageConsumer consumer) implements SourceConsumer {
        @Override
        public @Nullable Message receive(long millis) throws JMSException {
            return consumer.receive(millis);
        }

        @Override
        public boolean bodyLeftAtBroker() {
            return false;
        }

        @Override
        public @Nullable SimpleString artemisQueue() {
            return null;
        }

        @Override
        public void close() throws JMSException {
            consumer.close();
        }
    }
}
