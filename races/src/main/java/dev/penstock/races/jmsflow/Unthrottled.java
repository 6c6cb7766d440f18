package dev.penstock.races.jmsflow;

import dev.penstock.races.jmsflow.JmsFlowContestants.Consumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;

/**
 * The shortest path from the queue to the handler: one listener, which acknowledges immediately and hands each message
 * to a virtual thread. The number in flight is unlimited, and all of them are lost when the process dies.
 */
final class Unthrottled implements Consumer, MessageListener {
    private final ActiveMQConnectionFactory factory;
    private final JMSContext context;
    private final MessageWork handling;

    Unthrottled(String url, MessageWork handling) throws JMSException {
        this.handling = handling;
        factory = new ActiveMQConnectionFactory(url);
        context = factory.createContext(JMSContext.AUTO_ACKNOWLEDGE);
        context.createConsumer(context.createQueue(Backlog.QUEUE)).setMessageListener(this);
    }

    @Override
    public void onMessage(Message message) {
        try {
            handling.suspend(Backlog.number(message), () -> {});
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        context.close();
        factory.close();
    }
}
