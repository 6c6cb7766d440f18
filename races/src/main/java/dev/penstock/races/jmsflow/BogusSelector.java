package dev.penstock.races.jmsflow;

import dev.penstock.races.jmsflow.JmsFlowContestants.Consumer;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageListener;
import jakarta.jms.Session;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.springframework.jms.listener.DefaultMessageListenerContainer;
import org.springframework.jms.support.JmsUtils;

/**
 * Spring's container with an asynchronous handler, throttled as in CXF 2: while too many messages are in flight, it
 * subscribes with a selector that matches nothing. This requires that the consumer is not cached, so that each receive
 * subscribes again.
 *
 * <p>One improvement over the original: when the throttle is released, consumers waiting with the non-matching selector
 * are woken; otherwise the variant with a timeout of 30 s would wait for all of it.
 */
final class BogusSelector implements Consumer, MessageListener {
    private static final String MATCHES_NOTHING = "penstock_race = 'too many'";

    /** Prefetched messages would return to the queue with each subscription. */
    private static final int NO_PREFETCH = 0;

    private final ActiveMQConnectionFactory factory;
    private final MessageWork handling;
    private final Resubscribing container;
    private boolean throttled;

    BogusSelector(String url, MessageWork handling, Duration receive) throws JMSException {
        this.handling = handling;
        factory = new ActiveMQConnectionFactory(url);
        factory.setConsumerWindowSize(NO_PREFETCH);
        container = Containers.configure(new Resubscribing(), factory, receive, this);
        container.setCacheLevel(DefaultMessageListenerContainer.CACHE_SESSION);
        Containers.start(container);
    }

    @Override
    public void onMessage(Message message) {
        try {
            handling.suspend(Backlog.number(message), this::throttle);
            throttle();
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        }
    }

    private void throttle() {
        if (handling.inFlight() >= JmsFlowContestants.BOUND == throttled()) {
            return;
        }
        change();
    }

    private synchronized boolean throttled() {
        return throttled;
    }

    private synchronized void change() {
        boolean tooMany = handling.inFlight() >= JmsFlowContestants.BOUND;
        if (tooMany != throttled) {
            throttled = tooMany;
            container.setMessageSelector(tooMany ? MATCHES_NOTHING : null);
            if (!tooMany) {
                container.wake();
            }
        }
    }

    @Override
    public void close() {
        container.wake();
        container.shutdown();
        factory.close();
    }

    /** Tracks consumers that wait with the non-matching selector. */
    private static final class Resubscribing extends DefaultMessageListenerContainer {
        private final Set<MessageConsumer> waiting = ConcurrentHashMap.newKeySet();

        @Override
        protected MessageConsumer createConsumer(Session session, Destination destination) throws JMSException {
            MessageConsumer consumer = super.createConsumer(session, destination);
            if (MATCHES_NOTHING.equals(consumer.getMessageSelector())) {
                waiting.add(consumer);
                if (getMessageSelector() == null) {
                    wake(); // the throttle was released meanwhile
                }
            }
            return consumer;
        }

        void wake() {
            for (MessageConsumer consumer : Set.copyOf(waiting)) {
                waiting.remove(consumer);
                JmsUtils.closeMessageConsumer(consumer);
            }
        }
    }
}
