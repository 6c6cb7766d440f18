package dev.penstock.jms;

import jakarta.jms.Message;
import java.lang.invoke.MethodHandle;
import org.apache.qpid.jms.message.JmsMessage;
import org.apache.qpid.jms.provider.amqp.AmqpConnection;
import org.apache.qpid.jms.provider.amqp.message.AmqpJmsMessageFacade;
import org.apache.qpid.proton.amqp.messaging.Header;

/**
 * Whether RabbitMQ delivers a message again. Its classic queues count no deliveries: all they tell is {@code first-acquirer}
 * in the header, which the client keeps to itself, as most brokers leave it out.
 */
final class RabbitDelivery {
    private static final MethodHandle CONNECTION =
            QpidPeer.method(AmqpJmsMessageFacade.class, "getConnection", AmqpConnection.class);
    private static final MethodHandle HEADER = QpidPeer.method(AmqpJmsMessageFacade.class, "getHeader", Header.class);

    private RabbitDelivery() {}

    /** Whether it comes from RabbitMQ, which may have delivered it before. */
    static boolean isAnother(Message message) {
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
