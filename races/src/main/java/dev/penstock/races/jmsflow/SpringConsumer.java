package dev.penstock.races.jmsflow;

import dev.penstock.races.messages.MessageConsumer;
import dev.penstock.races.messages.MessageWork;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import java.time.Duration;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.springframework.jms.listener.DefaultMessageListenerContainer;

/** Spring's container, configured the same for all of its contestants. */
abstract class SpringConsumer implements MessageConsumer, MessageListener {
    final MessageWork handling;
    final ActiveMQConnectionFactory factory;
    final DefaultMessageListenerContainer container = new DefaultMessageListenerContainer();

    SpringConsumer(String url, MessageWork handling, Duration receive) {
        this.handling = handling;
        factory = new ActiveMQConnectionFactory(url);
        container.setConnectionFactory(factory);
        container.setDestinationName(Backlog.QUEUE);
        container.setReceiveTimeout(receive.toMillis());
    }

    /** Starts to receive, once the container is configured. */
    final void start() {
        container.setMessageListener(this);
        container.afterPropertiesSet();
        container.start();
    }

    abstract void handle(int number) throws InterruptedException;

    @Override
    public final void onMessage(Message message) {
        try {
            handle(Backlog.number(message));
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted; the message returns to the queue", e);
        }
    }

    @Override
    public void close() {
        container.shutdown();
        factory.close();
    }
}
