package dev.penstock.jms;

import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import org.jspecify.annotations.Nullable;

/**
 * A session with its producer, for one thread at a time.
 *
 * @param open the connection that it is of
 */
record SenderSession(BrokerConnection.Open open, Session session, MessageProducer producer) {
    static SenderSession on(BrokerConnection.Open open, @Nullable String queue, boolean transacted) throws JMSException {
        Session session = open.connection()
                .createSession(transacted, transacted ? Session.SESSION_TRANSACTED : Session.AUTO_ACKNOWLEDGE);
        try {
            Queue to = queue == null ? null : session.createQueue(queue);
            if (to != null) {
                JmsBroker.requireQueue(open.connection(), session, to);
            }
            return new SenderSession(open, session, session.createProducer(to));
        } catch (Throwable noProducer) {
            // Nobody else knows this session.
            BrokerConnection.quietly(session);
            throw noProducer;
        }
    }
}
