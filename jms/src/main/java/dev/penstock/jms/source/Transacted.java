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
final class Transacted {
    private final Desk desk;
    private final long link;
    private final Connection connection;
    private final Session session;
    private final Letters letters;
    private @Nullable QueueConsumer consumer;
    /** The last one received, when its body is lost with the next receive. */
    private @Nullable Held large;

    Transacted(Connection connection, Desk desk, long link) throws JMSException {
        this.desk = desk;
        this.link = link;
        this.connection = connection;
        this.session = connection.createSession(true, Session.SESSION_TRANSACTED);
        this.letters = desk.letters(session, false);
    }

    /**
     * A message that was received.
     *
     * @param isNew whether it is to be carried; else it is in process already, or has ended
     */
    record Arrival(Held held, boolean isNew) {}

    /**
     * Receives one message, for which a place was kept, and is kept no longer when none comes.
     *
     * @param millis how long to wait for it
     * @return null when none came
     */
    @Nullable
    Arrival receive(long millis) throws JMSException {
        Held held = null;
        try {
            QueueConsumer from = consumer();
            Message message = from.receive(millis);
            held = message == null ? null : desk.held(message, from.leftBody(), link);
        } finally {
            if (held == null) {
                desk.tookNothing();
            }
        }
        if (held == null) {
            return null;
        }
        desk.tookKept();
        Held known = desk.known(held);
        if (known != null) {
            known.deliveredAgain(held);
        }
        Held arrived = known == null ? held : known;
        large = arrived.holdsUpReceiving() ? arrived : null;
        return new Arrival(arrived, known == null);
    }

    private QueueConsumer consumer() throws JMSException {
        QueueConsumer open = consumer;
        if (open == null) {
            open = desk.consumer(connection, session, false);
            consumer = open;
            desk.receives();
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
        Held waiting = large;
        large = null;
        if (waiting != null) {
            waiting.awaitOutcome();
            if (!waiting.isGivenBack()) {
                letters.send(waiting);
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
    void finish(List<Held> received) throws JMSException, InterruptedException {
        boolean told = false;
        try {
            for (Held held : received) {
                held.awaitOutcome();
            }
            told = received.isEmpty() || tell(received);
        } finally {
            for (Held held : received) {
                desk.leaves(held);
                if (told) {
                    desk.confirmed(held);
                } else {
                    desk.told(held);
                }
            }
        }
    }

    /** As {@link #finish} where the connection broke: nothing is told to the broker, which delivers them again. */
    void abandon(List<Held> received) {
        boolean interrupted = false;
        for (Held held : received) {
            while (held.outcome() == null) {
                try {
                    held.awaitOutcome();
                } catch (InterruptedException later) {
                    interrupted = true;
                }
            }
            desk.leaves(held);
            desk.told(held);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * JMS acknowledges all or nothing. So what is given back is sent to the queue again in the same transaction; where that
     * would change an order, or the body is too large to be sent again, all of the transaction is given back.
     */
    private boolean tell(List<Held> received) throws JMSException {
        if (received.stream().anyMatch(held -> held.isGivenBack() && (desk.keepsOrder() || held.leftBody()))) {
            session.rollback();
            return false;
        }
        for (Held held : received) {
            letters.sendOrReturn(held);
        }
        session.commit();
        return true;
    }
}
