package dev.penstock.jms.source;

import dev.penstock.jms.JmsBroker;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.util.List;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.jms.ActiveMQJMSConstants;
import org.apache.activemq.artemis.jms.client.ActiveMQConnection;
import org.jspecify.annotations.Nullable;

/**
 * Receives the messages of a subscription and acknowledges them individually, in any order, which JMS does not define.
 * Only on the thread of its session.
 */
interface IndividualReceiver {
    /**
     * Opens a receiver with the client of a connection.
     *
     * @param maxBody a larger body is not read, if the client can leave it at the broker
     */
    static IndividualReceiver in(JmsBroker.Kind kind, Connection connection, Subscription from, long maxBody)
            throws JMSException {
        return kind == JmsBroker.Kind.ARTEMIS
                ? ArtemisReceiver.in((ActiveMQConnection) connection, from, maxBody)
                : OfQpid.in(connection, from);
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

    /**
     * Acknowledges messages.
     *
     * @param confirmed whether to wait until the broker has persisted that
     */
    void acknowledge(List<HeldMessage> held, boolean confirmed) throws JMSException;

    /** A session whose sends are committed with the acknowledgements; null if there is none. */
    @Nullable
    Session transaction();

    /** The name of its queue at an Artemis broker, also for a subscription; null for other clients. */
    @Nullable
    SimpleString artemisQueue();

    /** The client for AMQP 1.0. */
    record OfQpid(MessageConsumer consumer) implements IndividualReceiver {
        /** The acknowledge mode of both clients. */
        private static final int MODE = ActiveMQJMSConstants.INDIVIDUAL_ACKNOWLEDGE;

        static OfQpid in(Connection connection, Subscription from) throws JMSException {
            return new OfQpid(from.consumer(connection.createSession(false, MODE)));
        }

        @Override
        public @Nullable Message receive(long millis) throws JMSException {
            return consumer.receive(millis);
        }

        @Override
        public boolean bodyLeftAtBroker() {
            return false;
        }

        @Override
        public void acknowledge(List<HeldMessage> held, boolean confirmed) throws JMSException {
            for (HeldMessage one : held) {
                one.message().acknowledge();
            }
        }

        @Override
        public @Nullable Session transaction() {
            return null;
        }

        @Override
        public @Nullable SimpleString artemisQueue() {
            return null;
        }
    }
}
