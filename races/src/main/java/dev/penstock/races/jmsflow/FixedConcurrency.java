package dev.penstock.races.jmsflow;

import dev.penstock.races.jmsflow.JmsFlowContestants.Consumer;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import java.time.Duration;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.springframework.jms.listener.DefaultMessageListenerContainer;

/**
 * Spring's container as intended: a fixed number of consumers, each of which handles one message at a time in a local
 * transaction, on virtual threads. The prefetch is small, because many consumers share the queue.
 */
final class FixedConcurrency implements Consumer, MessageListener {
    private static final Duration RECEIVE = Duration.ofSeconds(1);
    private static final int PREFETCH_BYTES = 16 * 1024;

    private final ActiveMQConnectionFactory factory;
    private final MessageWork handling;
    private final DefaultMessageListenerContainer container;

    FixedConcurrency(String url, MessageWork handling, int consumers) throws JMSException {
        this.handling = handling;
        factory = new ActiveMQConnectionFactory(url);
        factory.setConsumerWindowSize(PREFETCH_BYTES);
        container = Containers.configure(new DefaultMessageListenerContainer(), factory, RECEIVE, this);
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
            throw new IllegalStateException("interrupted; the message returns to the queue", e);
        }
    }

    @Override
    public void close() {
        container.shutdown();
        factory.close();
    }
}
