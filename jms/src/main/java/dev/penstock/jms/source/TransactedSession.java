package dev.penstock.jms.source;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Session;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A transacted session that receives: what it received, and what it sends for that, is kept by one commit. For one thread.
 */
final class TransactedSession {
    private final MessageProcessor messageProcessor;
    private final long link;
    private final Connection connection;
    private final Session session;
    private final DeadLetterSender deadLetterSender;
    private @Nullable QueueConsumer consumer;
    /** The last one received, when its body is lost with the next receive. */
    private @Nullable HeldMessage large;

    TransactedSession(Connection connection, MessageProcessor messageProcessor, long link) throws JMSException {
        this.messageProcessor = messageProcessor;
        this.link = link;
        this.connection = connection;
        this.session = connection.createSession(true, Session.SESSION_TRANSACTED);
        this.deadLetterSender = messageProcessor.deadLetterSender(session, false);
    }

    /**
     * A message that was received.
     *
     * @param isNew whether it is to be carried; else it is in process already, or has ended
     */
    record Arrival(HeldMessage held, boolean isNew) {}

    /**
     * Receives one message, for which a place was kept, and is kept no longer when none comes.
     *
     * @param millis how long to wait for it
     * @return null when none came
     */
    @Nullable
    Arrival receive(long millis) throws JMSException {
        HeldMessage held = null;
        try {
            QueueConsumer from = consumer();
            Message message = from.receive(millis);
            held = message == null ? null : messageProcessor.held(message, from.leftBody(), link);
        } finally {
            if (held == null) {
                messageProcessor.tookNothing();
            }
        }
        if (held == null) {
            return null;
        }
        messageProcessor.tookKept();
        HeldMessage known = messageProcessor.known(held);
        if (known != null) {
            known.deliveredAgain(held);
        }
        HeldMessage arrived = known == null ? held : known;
        large = arrived.holdsUpReceiving() ? arrived : null;
        return new Arrival(arrived, known == null);
    }

    private QueueConsumer consumer() throws JMSException {
        QueueConsumer open = consumer;
        if (open == null) {
            open = messageProcessor.consumer(connection, session, false);
            consumer = open;
            messageProcessor.receives();
        }
        return open;
    }

    /** Whether the body of the last message is lost with the next receive. */
    boolean holdsUpReceiving() {
        return large != null;
    }

    /**
     * Lets go of what the client holds for this session that nobody asked for yet, so that others get it. What a large body is
     * needed for is sent before.
     */
    void pause() throws JMSException, InterruptedException {
        HeldMessage waiting = large;
        large = null;
        if (waiting != null) {
            waiting.awaitOutcome();
            if (!waiting.isGivenBack()) {
                deadLetterSender.send(waiting);
                waiting.sent();
            }
        }
        QueueConsumer open = consumer;
        consumer = null;
        if (open != null) {
            open.close();
        }
    }

    /**
     * Waits for the outcomes of all that was received since the last time, and tells the broker.
     *
     * @throws JMSException the connection broke
     */
    void finish(List<HeldMessage> received) throws JMSException, InterruptedException {
        boolean told = false;
        try {
            for (HeldMessage held : received) {
                held.awaitOutcome();
            }
            told = received.isEmpty() || tell(received);
        } finally {
            for (HeldMessage held : received) {
                messageProcessor.leaves(held);
                if (told) {
                    messageProcessor.confirmed(held);
                } else {
                    messageProcessor.told(held);
                }
            }
        }
    }

    /** As {@link #finish} where the connection broke: nothing is told to the broker, which delivers them again. */
    void abandon(List<HeldMessage> received) {
        boolean interrupted = false;
        for (HeldMessage held : received) {
            while (held.outcome() == null) {
                try {
                    held.awaitOutcome();
                } catch (InterruptedException later) {
                    interrupted = true;
                }
            }
            messageProcessor.leaves(held);
            messageProcessor.told(held);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * JMS acknowledges all or nothing. So what is given back is sent to the queue again in the same transaction; where that
     * would change an order, or the body is too large to be sent again, all of the transaction is given back.
     */
    private boolean tell(List<HeldMessage> received) throws JMSException {
        if (received.stream().anyMatch(held -> held.isGivenBack() && (messageProcessor.keepsOrder() || held.leftBody()))) {
            session.rollback();
            return false;
        }
        for (HeldMessage held : received) {
            deadLetterSender.sendOrReturn(held);
        }
        session.commit();
        return true;
    }
}
