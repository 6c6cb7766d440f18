package dev.penstock.races.jmsflow;

import dev.penstock.races.jmsflow.JmsFlowContestants.Consumer;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.springframework.jms.listener.DefaultMessageListenerContainer;

/**
 * Spring's container with an asynchronous handler, stopped when too many messages are in flight and started again at 70
 * %, the default of CXF 3. It accepts messages received while stopping, so that they are not lost.
 *
 * <p>A single thread stops and starts it: if handler threads decided, one could stop the container after the last of
 * them has checked, and nobody would start it again.
 */
final class StopStart implements Consumer, MessageListener {
    private static final int RESTART_AT = JmsFlowContestants.BOUND * 7 / 10;
    private static final Duration RECEIVE = Duration.ofSeconds(1);

    private final ActiveMQConnectionFactory factory;
    private final MessageWork handling;
    private final DefaultMessageListenerContainer container;
    private final Semaphore changed = new Semaphore(0);
    private final Thread controller =
            Thread.ofPlatform().daemon().name("stop-start").unstarted(this::stopAndStart);
    private volatile boolean closed;

    StopStart(String url, MessageWork handling) throws JMSException {
        this.handling = handling;
        factory = new ActiveMQConnectionFactory(url);
        container = Containers.configure(new DefaultMessageListenerContainer(), factory, RECEIVE, this);
        container.setAcceptMessagesWhileStopping(true);
        Containers.start(container);
        controller.start();
    }

    @Override
    public void onMessage(Message message) {
        try {
            handling.suspend(Backlog.number(message), this::signal);
            signal();
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        }
    }

    private void signal() {
        int inFlight = handling.inFlight();
        if (inFlight >= JmsFlowContestants.BOUND || inFlight <= RESTART_AT) {
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
            } else if (!running && inFlight <= RESTART_AT) {
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
            controller.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        container.shutdown();
        factory.close();
    }
}
