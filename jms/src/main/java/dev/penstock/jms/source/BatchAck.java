package dev.penstock.jms.source;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;

/**
 * The second rung: many messages in one transaction, which commits when all of them have ended.
 *
 * <h2>Design note</h2>
 *
 * <p>One session at a time has the turn to receive. It takes what comes, up to {@value #MOST} messages or {@value
 * #OPEN_MILLIS} ms from the first, hands on the turn, and waits for the outcomes. So a message that takes long holds back the
 * commit of those that came with it, and nobody else: another session goes on. Only the one that has the turn has a
 * consumer, as a client holds messages ahead for each. At most {@value #SESSIONS} transactions are open.
 */
final class BatchAck implements AckStrategy {
    private static final int MOST = 256;
    private static final int SESSIONS = 32;
    private static final long OPEN_MILLIS = 10;
    private static final long OPEN_NANOS = OPEN_MILLIS * 1_000_000;
    private static final long IDLE_PAUSE = 100;

    private final MessageProcessor messageProcessor;
    private final KeyOrder order = new KeyOrder();
    private long link;

    BatchAck(MessageProcessor messageProcessor) {
        this.messageProcessor = messageProcessor;
    }

    @Override
    public void run(Connection connection) throws JMSException {
        long current = ++link;
        Workers workers = new Workers(messageProcessor);
        Semaphore turn = new Semaphore(1, true);
        for (int n = 0; n < SESSIONS; n++) {
            TransactedSession session = new TransactedSession(connection, messageProcessor, current);
            workers.add(() -> {
                while (workers.goesOn()) {
                    session.finish(take(session, turn, workers));
                }
            });
        }
        try {
            while (!messageProcessor.isOver()) {
                workers.watch();
            }
        } finally {
            synchronized (order) {
                order.forgetWaiting(held -> held.ended(new MessageOutcome.GivenBack()));
            }
        }
        workers.disband();
    }

    private List<HeldMessage> take(TransactedSession session, Semaphore turn, Workers workers) throws JMSException, InterruptedException {
        List<HeldMessage> taken = new ArrayList<>();
        turn.acquire();
        try {
            while (taken.isEmpty() && workers.goesOn()) {
                fill(taken, session);
            }
            session.pause();
            return taken;
        } catch (Throwable markLost) {
            // Told first, so that another connection is opened while these are still in process.
            workers.markLost(markLost);
            session.abandon(taken);
            throw markLost;
        } finally {
            turn.release();
        }
    }

    private void fill(List<HeldMessage> taken, TransactedSession session) throws JMSException {
        long end = 0;
        while (taken.size() < MOST && messageProcessor.keepsPlace(taken.isEmpty())) {
            TransactedSession.Arrival arrival = session.receive(taken.isEmpty() ? IDLE_PAUSE : 1);
            if (arrival == null) {
                return;
            }
            taken.add(arrival.held());
            if (arrival.isNew()) {
                begin(arrival.held());
            }
            long now = messageProcessor.nanos();
            end = taken.size() == 1 ? now + OPEN_NANOS : end;
            if (now - end >= 0 || session.holdsUpReceiving()) {
                return;
            }
        }
    }

    private void begin(HeldMessage held) {
        synchronized (order) {
            if (!order.mayBegin(held)) {
                return;
            }
        }
        start(held);
    }

    private void start(HeldMessage held) {
        Thread.startVirtualThread(() -> {
            messageProcessor.handle(held);
            HeldMessage next;
            synchronized (order) {
                next = order.after(held);
            }
            if (next != null) {
                start(next);
            }
        });
    }
}
