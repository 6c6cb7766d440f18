package dev.penstock.jms;

import jakarta.jms.Message;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import org.apache.qpid.jms.message.JmsMessage;
import org.apache.qpid.jms.provider.amqp.AmqpConnection;
import org.apache.qpid.jms.provider.amqp.message.AmqpJmsMessageFacade;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.messaging.Header;

/**
 * Whether RabbitMQ delivers a message again. Its classic queues count no deliveries: all they tell is {@code first-acquirer}
 * in the header, which the client keeps to itself, as most brokers leave it out.
 */
final class RabbitDelivery {
    private static final Symbol PRODUCT = Symbol.valueOf("product");
    private static final MethodHandle CONNECTION = hidden("getConnection", AmqpConnection.class);
    private static final MethodHandle HEADER = hidden("getHeader", Header.class);

    private RabbitDelivery() {}

    private static MethodHandle hidden(String name, Class<?> type) {
        try {
            Lookup inside = MethodHandles.privateLookupIn(AmqpJmsMessageFacade.class, MethodHandles.lookup());
            return inside.findVirtual(AmqpJmsMessageFacade.class, name, MethodType.methodType(type));
        } catch (ReflectiveOperationException other) {
            throw new IllegalStateException("this version of qpid-jms cannot be used: " + other.getMessage(), other);
        }
    }

    /** Whether it comes from RabbitMQ, which may have delivered it before. */
    static boolean isAnother(Message message) {
        if (!(message instanceof JmsMessage qpid) || !(qpid.getFacade() instanceof AmqpJmsMessageFacade facade)) {
            return false;
        }
        try {
            var connection = (AmqpConnection) CONNECTION.invoke(facade);
            var properties =
                    connection == null ? null : connection.getEndpoint().getRemoteProperties();
            if (properties == null || !"RabbitMQ".equals(properties.get(PRODUCT))) {
                return false;
            }
            var header = (Header) HEADER.invoke(facade);
            return header == null || !Boolean.TRUE.equals(header.getFirstAcquirer());
        } catch (RuntimeException | Error failed) {
            throw failed;
        } catch (Throwable never) {
            throw new IllegalStateException(never);
        }
    }
}
