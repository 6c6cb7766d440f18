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
 * <p>Artemis's JMS consumer decodes a text of whatever size before it returns the message: 300 MB end a process of 128 MB.
 * So messages are taken from the core consumer below it, and only those that are small enough are decoded. Otherwise this
 * does what the JMS consumer does. Other clients have the whole message in memory before anybody sees it.
 */
final class ArtemisConsumer implements QueueConsumer {
    private final ClientConsumer consumer;
    private final ClientSession core;
    private final boolean eachAlone;
    private final long maxBody;
    private boolean leftBody;

    private ArtemisConsumer(ClientConsumer consumer, ClientSession core, boolean eachAlone, long maxBody) {
        this.consumer = consumer;
        this.core = core;
        this.eachAlone = eachAlone;
        this.maxBody = maxBody;
    }

    /**
     * Opens one; the queue is made when it is not there and the broker makes queues.
     *
     * @param session transacted
     * @param eachAlone whether who receives acknowledges each message on its own; else they are acknowledged as they come
     */
    static ArtemisConsumer open(ActiveMQSession session, String queue, long maxBody, boolean eachAlone)
            throws JMSException {
        ActiveMQDestination from = (ActiveMQDestination) session.createQueue(queue);
        ClientSession core = session.getCoreSession();
        try {
            AutoCreateUtil.autoCreateQueue(core, from.getSimpleAddress(), null);
            ClientConsumer consumer = core.createConsumer(from.getSimpleAddress(), null, priority(from), false);
            return new ArtemisConsumer(consumer, core, eachAlone, maxBody);
        } catch (ActiveMQException refused) {
            throw JMSExceptionHelper.convertFromActiveMQException(refused);
        }
    }

    /** What the name of the queue says behind a question mark. */
    private static int priority(ActiveMQDestination queue) {
        QueueConfiguration asked = queue.getQueueConfiguration();
        Integer priority = asked == null ? null : asked.getConsumerPriority();
        return priority == null ? ActiveMQDefaultConfiguration.getDefaultConsumerPriority() : priority;
    }

    @Override
    public @Nullable Message receive(long millis) throws JMSException {
        leftBody = false;
        try {
            ClientMessage received = consumer.receive(millis);
            return received == null ? null : taken(received);
        } catch (ActiveMQException markLost) {
            throw JMSExceptionHelper.convertFromActiveMQException(markLost);
        } catch (ActiveMQInterruptedException interrupted) {
            throw JMSExceptionHelper.convertFromActiveMQException(interrupted);
        }
    }

    private Message taken(ClientMessage received) throws JMSException, ActiveMQException {
        if (received.getRoutingType() == null) {
            received.setRoutingType(RoutingType.ANYCAST);
        }
        ActiveMQMessage message = ActiveMQMessage.createMessage(received, core);
        leftBody = JmsMessage.isStreamed(message) && JmsMessage.bodySize(message) > maxBody;
        if (!leftBody) {
            message.doBeforeReceive();
        }
        if (!eachAlone) {
            received.acknowledge();
        }
        return message;
    }

    @Override
    public boolean leftBody() {
        return leftBody;
    }

    @Override
    public void close() throws JMSException {
        try {
            consumer.close();
        } catch (ActiveMQException markLost) {
            throw JMSExceptionHelper.convertFromActiveMQException(markLost);
        }
    }
}
