package dev.penstock.jms.source;

import dev.penstock.jms.JmsMessage;
import dev.penstock.jms.MessageMapper;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Session;
import java.util.List;
import java.util.UUID;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ActiveMQExceptionType;
import org.apache.activemq.artemis.api.core.ActiveMQInterruptedException;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ClientConsumer;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.core.client.impl.ClientLargeMessageInternal;
import org.apache.activemq.artemis.jms.client.ActiveMQConnection;
import org.apache.activemq.artemis.jms.client.ActiveMQDestination;
import org.apache.activemq.artemis.jms.client.ActiveMQMessage;
import org.apache.activemq.artemis.jms.client.ActiveMQSession;
import org.apache.activemq.artemis.jms.client.JMSExceptionHelper;
import org.apache.activemq.artemis.utils.AutoCreateUtil;
import org.apache.activemq.artemis.utils.SelectorTranslator;
import org.jspecify.annotations.Nullable;

/**
 * Receives from Artemis through its core API, on the core session of a transacted JMS session.
 *
 * <h2>Design note</h2>
 *
 * <p>Artemis's JMS consumer acknowledges a message of a transacted session when it returns it, and decodes a text of any
 * size before: 300 MB end a process with 128 MB. A core consumer does neither. Only bodies that are small enough are
 * decoded, and all messages that have ended since the last call share one commit, which is not awaited (measured: 64,000
 * messages/s instead of 27,000 with JMS's {@code acknowledge}) unless it must survive a crash of this process. Messages
 * sent in the session are part of the commit, so a crash does not duplicate dead letters.
 */
final class ArtemisReceiver implements IndividualReceiver {
    private static final SimpleString BODY_SIZE = org.apache.activemq.artemis.api.core.Message.HDR_LARGE_BODY_SIZE;

    private final ActiveMQSession session;
    private final SimpleString queue;
    private final ClientConsumer consumer;
    private final RoutingType routing;
    private final long maxBody;
    private boolean bodyLeftAtBroker;

    private ArtemisReceiver(
            ActiveMQSession session, SimpleString queue, ClientConsumer consumer, RoutingType routing, long maxBody) {
        this.session = session;
        this.queue = queue;
        this.consumer = consumer;
        this.routing = routing;
        this.maxBody = maxBody;
    }

    static ArtemisReceiver in(ActiveMQConnection connection, Subscription from, long maxBody) throws JMSException {
        ActiveMQSession session = (ActiveMQSession) connection.createSession(true, Session.SESSION_TRANSACTED);
        ClientSession core = session.getCoreSession();
        SimpleString filter = from.selector() == null
                ? null
                : SimpleString.of(SelectorTranslator.convertToActiveMQFilterString(from.selector()));
        try {
            SimpleString queue = queue(session, connection.getClientID(), from, filter);
            // The filter of a subscription belongs to its queue.
            ClientConsumer consumer = from.isQueue() ? core.createConsumer(queue, filter) : core.createConsumer(queue);
            RoutingType routing = from.isQueue() ? RoutingType.ANYCAST : RoutingType.MULTICAST;
            return new ArtemisReceiver(session, queue, consumer, routing, maxBody);
        } catch (ActiveMQException failed) {
            throw JMSExceptionHelper.convertFromActiveMQException(failed);
        }
    }

    /** The queue or that of the subscription, created if it is missing, as the JMS client does. */
    private static SimpleString queue(
            ActiveMQSession session, @Nullable String clientId, Subscription from, @Nullable SimpleString filter)
            throws ActiveMQException, JMSException {
        ClientSession core = session.getCoreSession();
        SimpleString address = SimpleString.of(from.destination());
        return switch (from.kind()) {
            case QUEUE -> {
                AutoCreateUtil.autoCreateQueue(core, address, null);
                yield address;
            }
            case PLAIN -> {
                SimpleString name = SimpleString.of(UUID.randomUUID().toString());
                core.createQueue(
                        subscription(core, name, address, filter, false).setTemporary(true));
                yield name;
            }
            case SHARED, SHARED_DURABLE -> {
                boolean isDurable = from.isKept();
                SimpleString name =
                        ActiveMQDestination.createQueueNameForSubscription(isDurable, clientId, from.name());
                core.createSharedQueue(subscription(core, name, address, filter, isDurable));
                yield name;
            }
            case DURABLE -> {
                // JMS refuses a subscription that is in use, and replaces one with another topic or selector.
                from.consumer(session).close();
                yield ActiveMQDestination.createQueueNameForSubscription(true, clientId, from.name());
            }
        };
    }

    private static QueueConfiguration subscription(
            ClientSession core,
            SimpleString name,
            SimpleString address,
            @Nullable SimpleString filter,
            boolean isDurable)
            throws ActiveMQException {
        QueueConfiguration queue = QueueConfiguration.of(name).setAddress(address);
        AutoCreateUtil.setRequiredQueueConfigurationIfNotSet(
                queue, core.addressQuery(address), RoutingType.MULTICAST, filter, isDurable);
        return queue;
    }

    @Override
    public @Nullable Message receive(long millis) throws JMSException {
        bodyLeftAtBroker = false;
        try {
            ClientMessage received = consumer.receive(millis);
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
        ActiveMQMessage message = ActiveMQMessage.createMessage(received, session.getCoreSession());
        bodyLeftAtBroker = MessageMapper.isStreamed(message) && MessageMapper.bodySize(message) > maxBody;
        if (!bodyLeftAtBroker) {
            try {
                message.doBeforeReceive();
            } catch (RuntimeException undecodable) {
                markDamaged(received, "its body cannot be decoded: " + undecodable.getMessage());
                message = ActiveMQMessage.createMessage(received, session.getCoreSession());
                message.doBeforeReceive();
            }
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
    public void acknowledge(List<HeldMessage> held, boolean confirmed) throws JMSException {
        try {
            for (HeldMessage one : held) {
                ((ActiveMQMessage) one.message()).getCoreMessage().individualAcknowledge();
            }
            session.getCoreSession().commit(confirmed);
        } catch (ActiveMQException failed) {
            throw JMSExceptionHelper.convertFromActiveMQException(failed);
        }
    }

    @Override
    public Session transaction() {
        return session;
    }

    @Override
    public SimpleString artemisQueue() {
        return queue;
    }
}
