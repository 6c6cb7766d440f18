package dev.penstock.jms;

import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.Session;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.qpid.jms.JmsConnection;
import org.apache.qpid.jms.message.JmsMessage;
import org.apache.qpid.jms.provider.Provider;
import org.apache.qpid.jms.provider.amqp.AmqpConnection;
import org.apache.qpid.jms.provider.amqp.AmqpProvider;
import org.apache.qpid.jms.provider.amqp.message.AmqpJmsMessageFacade;
import org.apache.qpid.jms.provider.failover.FailoverProvider;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.messaging.Header;
import org.jspecify.annotations.Nullable;

/** Information about the AMQP 1.0 broker of a connection, which qpid-jms has but does not expose. */
final class QpidPeer {
    private static final Symbol PRODUCT = Symbol.valueOf("product");
    private static final MethodHandle PROVIDER = field(JmsConnection.class, "provider", Provider.class);
    private static final MethodHandle CURRENT = field(FailoverProvider.class, "provider", Provider.class);
    private static final MethodHandle CONNECTION = field(AmqpProvider.class, "connection", AmqpConnection.class);

    /** The prefix of queue addresses that RabbitMQ does not declare itself. */
    private static final String NOT_AUTO_DECLARED = "/amq/queue/";

    private QpidPeer() {}

    static MethodHandle method(Class<?> in, String name, Class<?> type) {
        try {
            return MethodHandles.privateLookupIn(in, MethodHandles.lookup())
                    .findVirtual(in, name, MethodType.methodType(type));
        } catch (ReflectiveOperationException other) {
            throw unusable(other);
        }
    }

    static MethodHandle field(Class<?> in, String name, Class<?> type) {
        try {
            return MethodHandles.privateLookupIn(in, MethodHandles.lookup()).findGetter(in, name, type);
        } catch (ReflectiveOperationException other) {
            throw unusable(other);
        }
    }

    private static java.lang.IllegalStateException unusable(ReflectiveOperationException other) {
        return new java.lang.IllegalStateException("unsupported version of qpid-jms: " + other.getMessage(), other);
    }

    /** Invokes a handle. */
    static @Nullable Object of(MethodHandle handle, Object from) {
        try {
            return handle.invoke(from);
        } catch (RuntimeException | Error failed) {
            throw failed;
        } catch (Throwable never) {
            throw new java.lang.IllegalStateException(never);
        }
    }

    /**
     * RabbitMQ 3 confirms and drops messages to a missing queue, but refuses receivers for it. So this attaches a
     * receiver without credit. RabbitMQ answers by ending the session, which the client's request does not wait for.
     */
    static void requireQueue(Connection connection, Session session, Queue queue) throws JMSException {
        if (!queue.getQueueName().startsWith(NOT_AUTO_DECLARED) || !isRabbit(connection)) {
            return;
        }
        CompletableFuture<@Nullable Void> asked = new CompletableFuture<>();
        Thread.ofVirtual().name("penstock-jms-queue").start(() -> {
            try (QueueBrowser browser = session.createBrowser(queue)) {
                browser.getEnumeration();
                asked.complete(null);
            } catch (Throwable failed) {
                asked.completeExceptionally(failed);
            }
        });
        while (!isAnswered(asked, queue)) {
            try {
                boolean _ = session.getTransacted();
            } catch (IllegalStateException ended) {
                throw missing(queue, ended);
            }
        }
    }

    private static boolean isAnswered(CompletableFuture<@Nullable Void> asked, Queue queue) throws JMSException {
        try {
            asked.get(5, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException notYet) {
            return false;
        } catch (ExecutionException failed) {
            throw missing(queue, failed.getCause());
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw missing(queue, stop);
        }
    }

    private static JMSException missing(Queue queue, @Nullable Throwable why) throws JMSException {
        if (why instanceof JMSException known && known.getCause() == null) {
            return known; // the connection failed
        }
        return new InvalidDestinationException("the queue " + queue.getQueueName()
                + " does not exist; declare it at the broker as a durable queue: " + JmsFault.describe(why));
    }

    static boolean isRabbit(@Nullable AmqpConnection connection) {
        Map<Symbol, Object> properties =
                connection == null ? null : connection.getEndpoint().getRemoteProperties();
        return properties != null && "RabbitMQ".equals(properties.get(PRODUCT));
    }

    /** Whether the broker is RabbitMQ; false while a failover has no broker. */
    static boolean isRabbit(Connection connection) {
        AmqpProvider provider = provider(connection);
        return provider != null && isRabbit(connection(provider));
    }

    /** The AMQP provider of a connection; null for other clients, and while a failover has no broker. */
    static @Nullable AmqpProvider provider(Connection connection) {
        if (!(connection instanceof JmsConnection qpid)) {
            return null;
        }
        Object provider = of(PROVIDER, qpid);
        if (provider instanceof FailoverProvider failover) {
            provider = of(CURRENT, failover);
        }
        return provider instanceof AmqpProvider amqp ? amqp : null;
    }

    static @Nullable AmqpConnection connection(AmqpProvider provider) {
        return (AmqpConnection) of(CONNECTION, provider);
    }

    /**
     * Detects redeliveries by RabbitMQ. Its classic queues do not count deliveries; they only set {@code first-acquirer} in
     * the header, which qpid-jms does not expose, since most brokers omit it.
     */
    static final class RabbitDelivery {
        private static final MethodHandle CONNECTION =
                QpidPeer.method(AmqpJmsMessageFacade.class, "getConnection", AmqpConnection.class);
        private static final MethodHandle HEADER =
                QpidPeer.method(AmqpJmsMessageFacade.class, "getHeader", Header.class);

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
}
