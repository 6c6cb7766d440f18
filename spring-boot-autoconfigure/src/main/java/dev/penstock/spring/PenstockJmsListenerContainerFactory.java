package dev.penstock.spring;

import dev.penstock.jms.source.JmsSource;
import dev.penstock.jms.source.JmsSourceBuilder;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.Session;
import java.lang.reflect.Method;
import java.util.List;
import java.util.function.BiConsumer;
import org.springframework.jms.config.AbstractJmsListenerContainerFactory;
import org.springframework.jms.config.JmsListenerEndpoint;
import org.springframework.jms.config.MethodJmsListenerEndpoint;

/**
 * Lets methods with {@code @JmsListener(containerFactory = "penstockJms")} receive by a {@link JmsSource}: a message is taken only when its
 * flow has a permit, is acknowledged after the method has returned, and becomes a dead letter when it cannot be processed.
 *
 * <p>The flow is the one without {@code to} in {@code penstock.flows} that has the id of the listener, or without an id the name of
 * the queue or topic; otherwise one with Penstock's defaults. An exception of the method is an unknown ending: the message is tried again if the
 * flow is {@code idempotent}, or has a {@code dedupe.key} or {@code retry.key}, which names a property of messages or {@code JMSMessageID};
 * without, it is a dead letter at once. Concurrency, if it is given, is the maximum number of messages in flight. Transactions, error
 * handlers, cache levels and acknowledge modes have no effect.
 */
public final class PenstockJmsListenerContainerFactory extends AbstractJmsListenerContainerFactory<JmsSourceContainer> {
    private final PenstockFlows flows;
    private BiConsumer<String, JmsSourceBuilder> customizer = (_, _) -> {};

    /**
     * A factory, for a bean that replaces that of the auto-configuration.
     *
     * @param flows of the application
     * @param broker its connection factory; a caching one sends the replies, and the one behind it receives
     */
    public PenstockJmsListenerContainerFactory(PenstockFlows flows, ConnectionFactory broker) {
        this.flows = flows;
        setConnectionFactory(broker);
    }

    /**
     * Completes each source before it is built, for instance with {@link JmsSourceBuilder#redeliver}.
     *
     * @param source called with the name of the queue or topic, and its source
     * @return this
     */
    public PenstockJmsListenerContainerFactory customize(BiConsumer<String, JmsSourceBuilder> source) {
        customizer = source;
        return this;
    }

    @Override
    protected JmsSourceContainer createContainerInstance() {
        return new JmsSourceContainer(flows, customizer);
    }

    @Override
    public JmsSourceContainer createListenerContainer(JmsListenerEndpoint endpoint) {
        JmsSourceContainer container = super.createListenerContainer(endpoint);
        container.setBeanName(endpoint.getId());
        container.setExposeListenerSession(needsSession(endpoint));
        return container;
    }

    /** Replies need one, and parameters of its type. */
    private static boolean needsSession(JmsListenerEndpoint endpoint) {
        Method method = endpoint instanceof MethodJmsListenerEndpoint listener ? listener.getMethod() : null;
        return method == null
                || method.getReturnType() != void.class
                || List.of(method.getParameterTypes()).contains(Session.class);
    }
}
