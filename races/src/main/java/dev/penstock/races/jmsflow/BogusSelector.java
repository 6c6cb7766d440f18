package dev.penstock.races.jmsflow;

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
 * Spring's container with a handler that suspends, throttled as CXF 2 did it: while too many are in flight it subscribes with
 * a selector that matches nothing. For that to be seen the consumer must not be cached, so each receive subscribes anew.
 *
 * <p>One thing is better than it was: when the throttle is taken off, those who wait at a selector that matches nothing are
 * woken. Else the one with a timeout of 30 s would wait for all of it.
 */
final class BogusSelector implements Consumer, MessageListener {
    private static final String NOTHING = "penstock_race = 'too many'";

    /** Whatever is received ahead would go back to the queue with each subscription. */
    private static final int NONE_AHEAD = 0;

    private final ActiveMQConnectionFactory factory;
    private final MessageWork handling;
    private final Resubscribing container;
    private boolean throttled;

    BogusSelector(String url, MessageWork handling, Duration receive) throws JMSException {
        this.handling = handling;
        factory = new ActiveMQConnectionFactory(url);
        factory.setConsumerWindowSize(NONE_AHEAD);
        container = Containers.set(new Resubscribing(), factory, receive, this);
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
            container.setMessageSelector(tooMany ? NOTHING : null);
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

    /** Knows who waits at a selector that matches nothing. */
    private static final class Resubscribing extends DefaultMessageListenerContainer {
        private final Set<MessageConsumer> waiting = ConcurrentHashMap.newKeySet();

        @Override
        protected MessageConsumer createConsumer(Session session, Destination destination) throws JMSException {
            MessageConsumer consumer = super.createConsumer(session, destination);
            if (NOTHING.equals(consumer.getMessageSelector())) {
                waiting.add(consumer);
                if (getMessageSelector() == null) {
                    wake(); // it was taken off meanwhile
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
