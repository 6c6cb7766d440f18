package dev.penstock.spring;

import dev.penstock.jms.JmsBroker;
import dev.penstock.jms.JmsMessage;
import dev.penstock.jms.source.JmsSource;
import dev.penstock.jms.source.JmsSourceBuilder;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import jakarta.jms.Session;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.springframework.jms.connection.SingleConnectionFactory;
import org.springframework.jms.listener.AbstractMessageListenerContainer;
import org.springframework.jms.listener.adapter.ListenerExecutionFailedException;
import org.springframework.jms.listener.adapter.MessagingMessageListenerAdapter;

/** Receives the messages of one {@code @JmsListener} by a {@link JmsSource}. */
final class JmsSourceContainer extends AbstractMessageListenerContainer {
    private final PenstockFlows flows;
    private final BiConsumer<String, JmsSourceBuilder> customizer;
    private @Nullable ListenerFlow flow;
    private int inFlight;

    JmsSourceContainer(PenstockFlows flows, BiConsumer<String, JmsSourceBuilder> customizer) {
        this.flows = flows;
        this.customizer = customizer;
    }

    /** The upper bound of {@code 5-10} is the maximum number of messages in flight. */
    @Override
    public void setConcurrency(String concurrency) {
        inFlight = Integer.parseInt(
                concurrency.substring(concurrency.lastIndexOf('-') + 1).strip());
    }

    @Override
    protected boolean sharedConnectionEnabled() {
        return false;
    }

    @Override
    protected void doInitialize() {
        if (flow == null) {
            flow = flows.listeners().of(getBeanName(), destination());
        }
    }

    private ListenerFlow flow() {
        return Objects.requireNonNull(flow);
    }

    private String destination() {
        return Objects.requireNonNull(getDestinationName(), "a listener needs the name of a queue or topic");
    }

    @Override
    protected void doStart() throws JMSException {
        super.doStart();
        JmsSource source = source();
        flow().start(source, source::inFlight);
    }

    private JmsSource source() {
        ConnectionFactory given = obtainConnectionFactory();
        ConnectionFactory real = given instanceof SingleConnectionFactory one ? one.getTargetConnectionFactory() : null;
        JmsBroker broker = JmsBroker.of(real == null ? given : real, "the JMS broker");
        JmsSource.Unnamed unnamed = JmsSource.at(broker);
        JmsSourceBuilder source = isPubSubDomain() ? topic(unnamed) : unnamed.queue(destination());
        if (getMessageSelector() != null) {
            source.selector(getMessageSelector());
        }
        if (inFlight > 0) {
            source.inFlight(inFlight);
        }
        String key = flow().key(JmsMessage.MESSAGE_ID);
        if (key != null) {
            source.key(key);
        }
        source.replies(_ -> null); // the listener has replied itself
        customizer.accept(destination(), source);
        return source.to(this::call, flow().flow()::capacity);
    }

    private JmsSourceBuilder topic(JmsSource.Unnamed unnamed) {
        JmsSourceBuilder source = unnamed.topic(destination());
        String name = Objects.requireNonNullElse(getSubscriptionName(), destination());
        if (isSubscriptionShared()) {
            return isSubscriptionDurable() ? source.sharedDurable(name) : source.shared(name);
        }
        return isSubscriptionDurable() ? source.durable(name) : source;
    }

    private Object call(JmsMessage message) throws Exception {
        Message received = Objects.requireNonNull(message.received());
        return flow().call(message, () -> {
            if (received instanceof BytesMessage bytes) {
                bytes.reset();
            }
            try {
                listen(received);
                return null;
            } catch (ListenerExecutionFailedException wrapped) {
                throw Objects.requireNonNullElse(wrapped.getCause(), wrapped);
            }
        });
    }

    private void listen(Message message) throws JMSException {
        Object listener = getMessageListener();
        if (listener instanceof MessagingMessageListenerAdapter method && !isExposeListenerSession()) {
            method.onMessage(message, null);
        } else if (listener instanceof MessageListener plain
                && !(listener instanceof MessagingMessageListenerAdapter)) {
            plain.onMessage(message);
        } else {
            try (Connection connection = createConnection();
                    Session session = createSession(connection)) {
                invokeListener(session, message);
            }
        }
    }

    @Override
    protected void doStop() throws JMSException {
        super.doStop();
        flow().stopAccepting();
    }

    @Override
    public void stop(Runnable callback) {
        stop();
        flow().stopAccepting(callback);
    }

    @Override
    protected void doShutdown() {
        flow().close();
    }
}
