package dev.penstock.jms.source;

import dev.penstock.jms.JmsMessage;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ActiveMQExceptionType;
import org.apache.activemq.artemis.api.core.ActiveMQInterruptedException;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ClientConsumer;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.core.client.impl.ClientConsumerInternal;
import org.apache.activemq.artemis.core.client.impl.ClientLargeMessageInternal;
import org.apache.activemq.artemis.jms.client.ActiveMQMessage;
import org.apache.activemq.artemis.jms.client.ActiveMQMessageConsumer;
import org.apache.activemq.artemis.jms.client.ActiveMQSession;
import org.apache.activemq.artemis.jms.client.JMSExceptionHelper;
import org.jspecify.annotations.Nullable;

/**
 * Receives from Artemis without reading bodies that are too large.
 *
 * <h2>Design note</h2>
 *
 * <p>Artemis's JMS consumer decodes a text of any size before it returns the message: 300 MB end a process with 128 MB.
 * So messages are taken from the core consumer below it, and only those that are small enough are decoded. Otherwise
 * this class behaves like the JMS consumer. Other clients buffer the whole message before it is visible.
 */
final class ArtemisConsumer implements SourceConsumer {
    private static final MethodHandle CORE = core();
    private static final SimpleString BODY_SIZE = org.apache.activemq.artemis.api.core.Message.HDR_LARGE_BODY_SIZE;

    private final MessageConsumer consumer;
    private final ClientConsumerInternal core;
    private final ClientSession session;
    private final RoutingType routing;
    private final boolean individually;
    private final long maxBody;
    private boolean bodyLeftAtBroker;

    private ArtemisConsumer(
            MessageConsumer consumer,
            ClientConsumerInternal core,
            ClientSession session,
            RoutingType routing,
            boolean individually,
            long maxBody) {
        this.consumer = consumer;
        this.core = core;
        this.session = session;
        this.routing = routing;
        this.individually = individually;
        this.maxBody = maxBody;
    }

    /**
     * Receives for a JMS consumer, which has created its queue or subscription at the broker.
     *
     * @param session transacted
     * @param consumer not used for anything else
     * @param individually whether the receiver acknowledges each message individually; otherwise messages are acknowledged
     *     on receipt
     */
    static ArtemisConsumer of(
            ActiveMQSession session, MessageConsumer consumer, boolean isQueue, long maxBody, boolean individually) {
        return new ArtemisConsumer(
                consumer,
                coreOf(consumer),
                session.getCoreSession(),
                isQueue ? RoutingType.ANYCAST : RoutingType.MULTICAST,
                individually,
                maxBody);
    }

    private static ClientConsumerInternal coreOf(MessageConsumer consumer) {
        try {
            return (ClientConsumerInternal) CORE.invoke(consumer);
        } catch (Throwable never) {
            throw new IllegalStateException(never);
        }
    }

    private static MethodHandle core() {
        try {
            return MethodHandles.privateLookupIn(ActiveMQMessageConsumer.class, MethodHandles.lookup())
                    .findGetter(ActiveMQMessageConsumer.class, "consumer", ClientConsumer.class);
        } catch (ReflectiveOperationException other) {
            throw new IllegalStateException("unsupported version of the Artemis client: " + other.getMessage(), other);
        }
    }

    @Override
    public @Nullable Message receive(long millis) throws JMSException {
        bodyLeftAtBroker = false;
        try {
            ClientMessage received = core.receive(millis);
            return received == null ? null : convert(received);
        } catch (ActiveMQException failed) {
            throw JMSExceptionHelper.convertFromActiveMQException(failed);
        } catch (ActiveMQInterruptedException interrupted) {
            throw JMSExceptionHelper.convertFromActiveMQException(interrupted);
        }
    }

    /** Whether a failure says that the broker has closed a consumer, whose connection is open. */
    static boolean isClosedByBroker(Throwable failed) {
        for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
            if (cause instanceof ActiveMQException known
                    && (known.getType() == ActiveMQExceptionType.OBJECT_CLOSED
                            || known.getType() == ActiveMQExceptionType.ILLEGAL_STATE)) {
                return true;
            }
        }
        return false;
    }

    private Message convert(ClientMessage received) throws JMSException, ActiveMQException {
        if (received.getRoutingType() == null) {
            received.setRoutingType(routing);
        }
        checkComplete(received);
        ActiveMQMessage message = ActiveMQMessage.createMessage(received, session);
        bodyLeftAtBroker = JmsMessage.isStreamed(message) && JmsMessage.bodySize(message) > maxBody;
        if (!bodyLeftAtBroker) {
            try {
                message.doBeforeReceive();
            } catch (RuntimeException undecodable) {
                markDamaged(received, "its body cannot be decoded: " + undecodable.getMessage());
                message = ActiveMQMessage.createMessage(received, session);
                message.doBeforeReceive();
            }
        }
        if (!individually) {
            received.acknowledge();
        }
        return message;
    }

    /** A broker whose disk was full may have stored only a part of a large body. */
    private static void checkComplete(ClientMessage received) {
        if (received instanceof ClientLargeMessageInternal large
                && !received.getBooleanProperty(org.apache.activemq.artemis.api.core.Message.HDR_LARGE_COMPRESSED)) {
            Long sent = received.getLongProperty(BODY_SIZE);
            long stored = large.getLargeMessageController().getSize();
            if (sent != null && sent > stored) {
                received.putLongProperty(BODY_SIZE, stored);
                markDamaged(received, "its broker has only " + stored + " of the " + sent + " bytes of its body");
            }
        }
    }

    /** What is left of the body becomes bytes, which can be read and sent to the dead-letter queue. */
    private static void markDamaged(ClientMessage received, String damage) {
        received.setType(org.apache.activemq.artemis.api.core.Message.BYTES_TYPE);
        received.putStringProperty(JmsMessage.DAMAGE, damage);
    }

    @Override
    public boolean bodyLeftAtBroker() {
        return bodyLeftAtBroker;
    }

    @Override
    public SimpleString artemisQueue() {
        return core.getQueueName();
    }

    @Override
    public void close() throws JMSException {
        consumer.close();
    }
}
