package dev.penstock.jms;

import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import org.jspecify.annotations.Nullable;

/**
 * A session with its producer. Not thread-safe.
 *
 * @param open the connection of the session
 */
record SenderSession(BrokerConnection.Open open, Session session, MessageProducer producer) {
    static SenderSession on(BrokerConnection.Open open, @Nullable String queue, boolean transacted)
            throws JMSException {
        Session session = open.connection()
                .createSession(transacted, transacted ? Session.SESSION_TRANSACTED : Session.AUTO_ACKNOWLEDGE);
        try {
            Queue to = queue == null ? null : session.createQueue(queue);
            if (to != null) {
                JmsBroker.requireQueue(open.connection(), session, to);
            }
            return new SenderSession(open, session, session.createProducer(to));
        } catch (Throwable noProducer) {
            // Nothing else refers to this session.
            BrokerConnection.quietly(session);
            throw noProducer;
        }
    }
}
