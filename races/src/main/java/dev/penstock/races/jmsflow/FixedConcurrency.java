package dev.penstock.races.jmsflow;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import java.time.Duration;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.springframework.jms.listener.DefaultMessageListenerContainer;

/**
 * Spring's container as it is meant to be used: so many consumers, each of which handles one message at a time in a local
 * transaction, on virtual threads. What it receives ahead is kept small, since many consumers share the queue.
 */
final class FixedConcurrency implements Consumer, MessageListener {
    private static final Duration RECEIVE = Duration.ofSeconds(1);
    private static final int AHEAD_BYTES = 16 * 1024;

    private final ActiveMQConnectionFactory factory;
    private final MessageWork handling;
    private final DefaultMessageListenerContainer container;

    FixedConcurrency(String url, MessageWork handling, int consumers) throws JMSException {
        this.handling = handling;
        factory = new ActiveMQConnectionFactory(url);
        factory.setConsumerWindowSize(AHEAD_BYTES);
        container = Containers.set(new DefaultMessageListenerContainer(), factory, RECEIVE, this);
        container.setConcurrentConsumers(consumers);
        container.setSessionTransacted(true);
        container.setVirtualThreads(true);
        Containers.start(container);
    }

    @Override
    public void onMessage(Message message) {
        try {
            handling.handle(Backlog.number(message));
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("it was interrupted, so it goes back", e);
        }
    }

    @Override
    public void close() {
        container.shutdown();
        factory.close();
    }
}
