package dev.penstock.jms;

import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
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
import org.apache.qpid.jms.provider.Provider;
import org.apache.qpid.jms.provider.amqp.AmqpConnection;
import org.apache.qpid.jms.provider.amqp.AmqpProvider;
import org.apache.qpid.jms.provider.failover.FailoverProvider;
import org.apache.qpid.proton.amqp.Symbol;
import org.jspecify.annotations.Nullable;

/** What the broker at the other end of a connection by AMQP 1.0 is; the client knows, and has no method for it. */
final class QpidPeer {
    private static final Symbol PRODUCT = Symbol.valueOf("product");
    private static final MethodHandle PROVIDER = field(JmsConnection.class, "provider", Provider.class);
    private static final MethodHandle BEHIND = field(FailoverProvider.class, "provider", Provider.class);
    private static final MethodHandle CONNECTION = field(AmqpProvider.class, "connection", AmqpConnection.class);

    /** Addresses of queues that RabbitMQ does not declare. */
    private static final String DECLARED_BEFORE = "/amq/queue/";

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
        return new java.lang.IllegalStateException(
                "this version of qpid-jms cannot be used: " + other.getMessage(), other);
    }

    /** What a handle of this class finds. */
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
     * RabbitMQ 3 confirms what is sent to a queue that is not there, and drops it; it refuses receivers there. So this asks
     * as if to receive, without credit. It answers by the end of the session, for which the client's request does not wait.
     */
    static void requireQueue(Connection connection, Session session, Queue queue) throws JMSException {
        if (!queue.getQueueName().startsWith(DECLARED_BEFORE) || !isRabbit(connection)) {
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
                throw notThere(queue, ended);
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
            throw notThere(queue, failed.getCause());
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw notThere(queue, stop);
        }
    }

    private static JMSException notThere(Queue queue, @Nullable Throwable why) throws JMSException {
        if (why instanceof JMSException known && known.getCause() == null) {
            return known; // the connection
        }
        return new InvalidDestinationException("the queue " + queue.getQueueName()
                + " is not there; declare it at the broker, as durable: " + JmsFault.words(why));
    }

    static boolean isRabbit(@Nullable AmqpConnection connection) {
        Map<Symbol, Object> properties =
                connection == null ? null : connection.getEndpoint().getRemoteProperties();
        return properties != null && "RabbitMQ".equals(properties.get(PRODUCT));
    }

    /** Whether it leads to RabbitMQ; false too while a failover has no broker. */
    static boolean isRabbit(Connection connection) {
        AmqpProvider provider = provider(connection);
        return provider != null && isRabbit(connection(provider));
    }

    /** What speaks AMQP for a connection; null for another client, and while a failover has no broker. */
    static @Nullable AmqpProvider provider(Connection connection) {
        if (!(connection instanceof JmsConnection qpid)) {
            return null;
        }
        Object provider = of(PROVIDER, qpid);
        if (provider instanceof FailoverProvider failover) {
            provider = of(BEHIND, failover);
        }
        return provider instanceof AmqpProvider amqp ? amqp : null;
    }

    static @Nullable AmqpConnection connection(AmqpProvider provider) {
        return (AmqpConnection) of(CONNECTION, provider);
    }
}
