package dev.penstock.jms.source;

import dev.penstock.jms.JmsMessage;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import org.apache.activemq.artemis.api.config.ActiveMQDefaultConfiguration;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ActiveMQInterruptedException;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.client.ClientConsumer;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.jms.client.ActiveMQDestination;
import org.apache.activemq.artemis.jms.client.ActiveMQMessage;
import org.apache.activemq.artemis.jms.client.ActiveMQSession;
import org.apache.activemq.artemis.jms.client.JMSExceptionHelper;
import org.apache.activemq.artemis.utils.AutoCreateUtil;
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
final class ArtemisConsumer implements QueueConsumer {
    private final ClientConsumer consumer;
    private final ClientSession core;
    private final boolean individually;
    private final long maxBody;
    private boolean bodyLeftAtBroker;

    private ArtemisConsumer(ClientConsumer consumer, ClientSession core, boolean individually, long maxBody) {
        this.consumer = consumer;
        this.core = core;
        this.individually = individually;
        this.maxBody = maxBody;
    }

    /**
     * Opens a consumer; the queue is created if it is missing and the broker allows that.
     *
     * @param session transacted
     * @param individually whether the receiver acknowledges each message individually; otherwise messages are acknowledged
     *     on receipt
     */
    static ArtemisConsumer open(ActiveMQSession session, String queue, long maxBody, boolean individually)
            throws JMSException {
        ActiveMQDestination from = (ActiveMQDestination) session.createQueue(queue);
        ClientSession core = session.getCoreSession();
        try {
            AutoCreateUtil.autoCreateQueue(core, from.getSimpleAddress(), null);
            ClientConsumer consumer = core.createConsumer(from.getSimpleAddress(), null, priority(from), false);
            return new ArtemisConsumer(consumer, core, individually, maxBody);
        } catch (ActiveMQException refused) {
            throw JMSExceptionHelper.convertFromActiveMQException(refused);
        }
    }

    /** The consumer priority from the query parameters of the queue name. */
    private static int priority(ActiveMQDestination queue) {
        QueueConfiguration asked = queue.getQueueConfiguration();
        Integer priority = asked == null ? null : asked.getConsumerPriority();
        return priority == null ? ActiveMQDefaultConfiguration.getDefaultConsumerPriority() : priority;
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

    private Message convert(ClientMessage received) throws JMSException, ActiveMQException {
        if (received.getRoutingType() == null) {
            received.setRoutingType(RoutingType.ANYCAST);
        }
        ActiveMQMessage message = ActiveMQMessage.createMessage(received, core);
        bodyLeftAtBroker = JmsMessage.isStreamed(message) && JmsMessage.bodySize(message) > maxBody;
        if (!bodyLeftAtBroker) {
            message.doBeforeReceive();
        }
        if (!individually) {
            received.acknowledge();
        }
        return message;
    }

    @Override
    public boolean bodyLeftAtBroker() {
        return bodyLeftAtBroker;
    }

    @Override
    public void close() throws JMSException {
        try {
            consumer.close();
        } catch (ActiveMQException failed) {
            throw JMSExceptionHelper.convertFromActiveMQException(failed);
        }
    }
}
