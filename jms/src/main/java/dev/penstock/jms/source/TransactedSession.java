package dev.penstock.jms.source;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Session;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A transacted session that receives: its received messages and the messages sent for them share one commit. Not
 * thread-safe.
 */
final class TransactedSession {
    private final MessageProcessor processor;
    private final long connectionId;
    private final Connection connection;
    private final Session session;
    private final DeadLetterSender deadLetterSender;
    private @Nullable SourceConsumer consumer;
    /** The last message, if its body would be lost with the next receive. */
    private @Nullable HeldMessage large;

    TransactedSession(Connection connection, MessageProcessor processor, long connectionId) throws JMSException {
        this.processor = processor;
        this.connectionId = connectionId;
        this.connection = connection;
        this.session = connection.createSession(true, Session.SESSION_TRANSACTED);
        this.deadLetterSender = processor.deadLetterSender(session, false);
    }

    /**
     * A received message.
     *
     * @param isNew whether it must be processed; otherwise it is in process already, or has ended
     */
    record Arrival(HeldMessage held, boolean isNew) {}

    /**
     * Receives one message for a reservation, which is cancelled when none comes.
     *
     * @param millis how long to wait, in milliseconds
     * @return null when no message came
     */
    @Nullable
    Arrival receive(long millis) throws JMSException {
        HeldMessage held = null;
        try {
            SourceConsumer from = consumer();
            Message message = from.receive(millis);
            held = message == null ? null : processor.held(message, from.bodyLeftAtBroker(), connectionId);
        } finally {
            if (held == null) {
                processor.cancelReservation();
            }
        }
        if (held == null) {
            processor.oneByOne().nothingReceived();
            return null;
        }
        processor.receivedReserved();
        HeldMessage earlier = processor.findEarlier(held);
        if (earlier != null) {
            earlier.deliveredAgain(held);
        }
        HeldMessage arrived = earlier == null ? held : earlier;
        large = arrived.holdsUpReceiving() ? arrived : null;
        return new Arrival(arrived, earlier == null);
    }

    private SourceConsumer consumer() throws JMSException {
        SourceConsumer open = consumer;
        if (open == null) {
            open = processor.consumer(connection, session, false);
            consumer = open;
            processor.health().receiving();
        }
        return open;
    }

    /** Whether the body of the last message would be lost with the next receive. */
    boolean holdsUpReceiving() {
        return large != null;
    }

    /**
     * Closes the consumer, if another session can open one, so that messages prefetched for this session go to other
     * consumers. A dead letter that needs a large body is sent before.
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
        SourceConsumer open = consumer;
        if (open != null && processor.subscription().takesTurns()) {
            consumer = null;
            open.close();
        }
    }

    /**
     * Waits for the outcomes of all messages received since the last commit, and acknowledges them.
     *
     * @throws JMSException when the connection is lost
     */
    void finish(List<HeldMessage> received) throws JMSException, InterruptedException {
        boolean settled = false;
        try {
            for (HeldMessage held : received) {
                held.awaitOutcome();
            }
            settled = received.isEmpty() || commit(received);
        } finally {
            for (HeldMessage held : received) {
                processor.release(held);
                if (settled) {
                    processor.confirmed(held);
                } else {
                    processor.settled(held);
                }
            }
        }
    }

    /**
     * As {@link #finish} after a lost connection: nothing is acknowledged, and the broker delivers the messages again.
     */
    void abandon(List<HeldMessage> received) {
        boolean interrupted = false;
        for (HeldMessage held : received) {
            while (held.outcome() == null) {
                try {
                    held.awaitOutcome();
                } catch (InterruptedException interrupt) {
                    interrupted = true;
                }
            }
            processor.release(held);
            processor.settled(held);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * JMS acknowledges all or nothing. So a message that is given back is sent to the queue again in the same
     * transaction; if that is not possible, or the body is too large to send again, the whole transaction is rolled
     * back.
     */
    private boolean commit(List<HeldMessage> received) throws JMSException {
        if (received.stream()
                .anyMatch(held -> held.isGivenBack() && (!processor.maySendAgain() || held.bodyLeftAtBroker()))) {
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
