package dev.penstock.jms;

import jakarta.jms.Connection;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Map;
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

    private QpidPeer() {}

    static MethodHandle method(Class<?> in, String name, Class<?> type) {
        try {
            return MethodHandles.privateLookupIn(in, MethodHandles.lookup())
                    .findVirtual(in, name, MethodType.methodType(type));
        } catch (ReflectiveOperationException other) {
            throw unusable(other);
        }
    }

    private static MethodHandle field(Class<?> in, String name, Class<?> type) {
        try {
            return MethodHandles.privateLookupIn(in, MethodHandles.lookup()).findGetter(in, name, type);
        } catch (ReflectiveOperationException other) {
            throw unusable(other);
        }
    }

    private static IllegalStateException unusable(ReflectiveOperationException other) {
        return new IllegalStateException("this version of qpid-jms cannot be used: " + other.getMessage(), other);
    }

    /** What a handle of this class finds. */
    static @Nullable Object of(MethodHandle handle, Object from) {
        try {
            return handle.invoke(from);
        } catch (RuntimeException | Error failed) {
            throw failed;
        } catch (Throwable never) {
            throw new IllegalStateException(never);
        }
    }

    static boolean isRabbit(@Nullable AmqpConnection connection) {
        Map<Symbol, Object> properties =
                connection == null ? null : connection.getEndpoint().getRemoteProperties();
        return properties != null && "RabbitMQ".equals(properties.get(PRODUCT));
    }

    /** Whether it leads to RabbitMQ; false too while a failover has no broker. */
    static boolean isRabbit(Connection connection) {
        if (!(connection instanceof JmsConnection qpid)) {
            return false;
        }
        Object provider = of(PROVIDER, qpid);
        if (provider instanceof FailoverProvider failover) {
            provider = of(BEHIND, failover);
        }
        return provider instanceof AmqpProvider amqp && isRabbit((AmqpConnection) of(CONNECTION, amqp));
    }
}
