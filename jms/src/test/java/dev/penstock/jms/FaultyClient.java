package dev.penstock.jms;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A JMS client with calls that fail on demand, as when a class is missing from its jar. Safe for many threads. */
public final class FaultyClient {
    private static final List<Class<?>> WRAPPED = List.of(
            ConnectionFactory.class, Connection.class, Session.class, MessageConsumer.class, MessageProducer.class);

    private final ConnectionFactory real;
    private final Fault fault;
    private final AtomicInteger received = new AtomicInteger();

    /** Decides which calls fail. */
    @FunctionalInterface
    public interface Fault {
        /**
         * Called before each call of the client.
         *
         * @param call for instance {@code Session.createProducer}
         * @param received the number of messages received so far
         * @throws Throwable what the call throws
         */
        void before(String call, int received) throws Throwable;

        /** Called after each call that has not failed. */
        default void after(String call) {}
    }

    private FaultyClient(ConnectionFactory real, Fault fault) {
        this.real = real;
        this.fault = fault;
    }

    /** A broker accessed through the client of another one, with faults. */
    public static JmsBroker broker(String url, Fault fault) throws Exception {
        return JmsBroker.of(new FaultyClient(JmsBroker.at(url).factory(), fault).factory(), "a broker with faults");
    }

    /** A broker accessed through a client that Penstock does not know, which prefetches nothing. */
    public static JmsBroker unknown(String url) throws Exception {
        String option = url.startsWith("amqp:") ? "jms.prefetchPolicy.all=0" : "consumerWindowSize=0";
        return broker(url + "?" + option, (call, received) -> {});
    }

    private ConnectionFactory factory() {
        return (ConnectionFactory) wrapped(real);
    }

    private Object wrapped(Object made) {
        for (Class<?> type : WRAPPED) {
            if (type.isInstance(made)) {
                return Proxy.newProxyInstance(
                        getClass().getClassLoader(), new Class<?>[] {type}, (self, method, given) -> {
                            String call = type.getSimpleName() + "." + method.getName();
                            fault.before(call, received.get());
                            Object result = result(method, made, given);
                            fault.after(call);
                            return result;
                        });
            }
        }
        return made;
    }

    private @Nullable Object result(java.lang.reflect.Method method, Object made, Object @Nullable [] given)
            throws Throwable {
        try {
            Object result = method.invoke(made, given);
            if (result instanceof Message) {
                received.incrementAndGet();
            }
            return result == null ? null : wrapped(result);
        } catch (InvocationTargetException failed) {
            throw failed.getCause();
        }
    }
}
