package dev.penstock.jms.source;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import org.apache.activemq.artemis.jms.client.ActiveMQSession;
import org.jspecify.annotations.Nullable;

/** Receives the messages of a queue. For the one thread of its session. */
interface QueueConsumer {
    /**
     * The consumer that fits the client of a session.
     *
     * @param maxBody a larger body is not read, where the client can leave it at the broker
     * @param eachAlone whether who receives acknowledges each message on its own, by {@link IndividualAcknowledger}
     */
    static QueueConsumer of(Session session, String queue, long maxBody, boolean eachAlone) throws JMSException {
        return isArtemis(session) && session.getTransacted()
                ? ArtemisConsumer.open((ActiveMQSession) session, queue, maxBody, eachAlone)
                : new Plain(session.createConsumer(session.createQueue(queue)));
    }

    /** Whether a session is one of Artemis whose core this can use. */
    static boolean isArtemis(Session session) {
        // The names of destinations are others with the prefixes of version 1.
        return session instanceof ActiveMQSession artemis && !artemis.isEnable1xPrefixes();
    }

    /**
     * The next message; null when none comes in that time.
     *
     * @param millis 1 or more
     */
    @Nullable
    Message receive(long millis) throws JMSException;

    /**
     * Whether the body of the last message is still at the broker, as it is too large. It can be read until the next receive,
     * and until this is closed.
     */
    boolean leftBody();

    /** Lets go of what was received ahead. */
    void close() throws JMSException;

    /** That of any client. */
    record Plain(MessageConsumer consumer) implements QueueConsumer {
        @Override
        public @Nullable Message receive(long millis) throws JMSException {
            return consumer.receive(millis);
        }

        @Override
        public boolean leftBody() {
            return false;
        }

        @Override
        public void close() throws JMSException {
            consumer.close();
        }
    }
}
