package dev.penstock.jms.source;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A transacted session that receives: what it received, and what it sends for that, is kept by one commit. For one thread.
 */
final class Transacted {
    private final Desk desk;
    private final long link;
    private final Session session;
    private final Letters letters;
    private @Nullable MessageConsumer consumer;

    Transacted(Connection connection, Desk desk, long link) throws JMSException {
        this.desk = desk;
        this.link = link;
        this.session = connection.createSession(true, Session.SESSION_TRANSACTED);
        this.letters = desk.letters(session);
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
            Message message = consumer().receive(millis);
            held = message == null ? null : desk.held(message, link);
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
        if (known == null) {
            return new Arrival(held, true);
        }
        known.deliveredAgain(held);
        return new Arrival(known, false);
    }

    private MessageConsumer consumer() throws JMSException {
        MessageConsumer open = consumer;
        if (open == null) {
            open = session.createConsumer(session.createQueue(desk.queue()));
            consumer = open;
            desk.receives();
        }
        return open;
    }

    /** Lets go of what the client holds for this session that nobody asked for yet, so that others get it. */
    void pause() throws JMSException {
        MessageConsumer open = consumer;
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
     * would change an order, all of the transaction is given back.
     */
    private boolean tell(List<Held> received) throws JMSException {
        if (desk.keepsOrder() && received.stream().anyMatch(Held::isGivenBack)) {
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
