package dev.penstock.jms;

import jakarta.jms.Message;
import java.lang.invoke.MethodHandle;
import org.apache.qpid.jms.message.JmsMessage;
import org.apache.qpid.jms.provider.amqp.AmqpConnection;
import org.apache.qpid.jms.provider.amqp.message.AmqpJmsMessageFacade;
import org.apache.qpid.proton.amqp.messaging.Header;

/**
 * Detects redeliveries by RabbitMQ. Its classic queues do not count deliveries; they only set {@code first-acquirer} in
 * the header, which qpid-jms does not expose, since most brokers omit it.
 */
final class RabbitDelivery {
    private static final MethodHandle CONNECTION =
            QpidPeer.method(AmqpJmsMessageFacade.class, "getConnection", AmqpConnection.class);
    private static final MethodHandle HEADER = QpidPeer.method(AmqpJmsMessageFacade.class, "getHeader", Header.class);

    private RabbitDelivery() {}

    /** Whether the message comes from RabbitMQ and may have been delivered before. */
    static boolean isRedelivery(Message message) {
        if (!(message instanceof JmsMessage qpid) || !(qpid.getFacade() instanceof AmqpJmsMessageFacade facade)) {
            return false;
        }
        if (!QpidPeer.isRabbit((AmqpConnection) QpidPeer.of(CONNECTION, facade))) {
            return false;
        }
        Header header = (Header) QpidPeer.of(HEADER, facade);
        return header == null || !Boolean.TRUE.equals(header.getFirstAcquirer());
    }
}
