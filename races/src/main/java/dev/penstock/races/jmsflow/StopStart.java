package dev.penstock.races.jmsflow;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.springframework.jms.listener.DefaultMessageListenerContainer;

/**
 * Spring's container with a handler that suspends, stopped when too many are in flight and started again when 70 % are, as
 * CXF 3 does it by default. It accepts what it receives while it stops, so that this is not lost.
 *
 * <p>One thread alone stops and starts: whoever decides on the threads that handle can stop a container after the last of
 * them has looked, and nobody starts it again.
 */
final class StopStart implements Consumer, MessageListener {
    private static final int AGAIN = JmsFlowContestants.BOUND * 7 / 10;
    private static final Duration RECEIVE = Duration.ofSeconds(1);

    private final ActiveMQConnectionFactory factory;
    private final MessageWork handling;
    private final DefaultMessageListenerContainer container;
    private final Semaphore changed = new Semaphore(0);
    private final Thread valve = Thread.ofPlatform().daemon().name("valve").unstarted(this::stopAndStart);
    private volatile boolean closed;

    StopStart(String url, MessageWork handling) throws JMSException {
        this.handling = handling;
        factory = new ActiveMQConnectionFactory(url);
        container = Containers.set(new DefaultMessageListenerContainer(), factory, RECEIVE, this);
        container.setAcceptMessagesWhileStopping(true);
        Containers.start(container);
        valve.start();
    }

    @Override
    public void onMessage(Message message) {
        try {
            handling.suspend(Backlog.number(message), this::look);
            look();
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        }
    }

    private void look() {
        int inFlight = handling.inFlight();
        if (inFlight >= JmsFlowContestants.BOUND || inFlight <= AGAIN) {
            changed.release();
        }
    }

    private void stopAndStart() {
        boolean running = true;
        while (!closed) {
            changed.acquireUninterruptibly();
            changed.drainPermits();
            int inFlight = handling.inFlight();
            if (running && inFlight >= JmsFlowContestants.BOUND) {
                container.stop();
                running = false;
            } else if (!running && inFlight <= AGAIN) {
                container.start();
                running = true;
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        changed.release();
        try {
            valve.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        container.shutdown();
        factory.close();
    }
}
