package dev.penstock.jms.source;

import dev.penstock.jms.source.HeldMessage.MessageOutcome;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;

/**
 * Receives many messages in one transaction, which commits when all of them have ended.
 *
 * <h2>Design note</h2>
 *
 * <p>One session at a time receives. It takes up to {@value #MAX_BATCH} messages, for up to {@value #OPEN_MILLIS} ms after
 * the first, lets the next session receive, and waits for the outcomes. So a slow message delays only the commit of the
 * messages received with it, while other sessions continue. Only the receiving session has a consumer, since a client
 * prefetches for each one. At most {@value #SESSIONS} transactions are open.
 *
 * <p>A subscription that loses messages without a consumer, or allows only one, is received by one session, whose
 * consumer stays open: there a slow message delays all others.
 */
final class BatchAck implements AckStrategy {
    private static final int MAX_BATCH = 256;
    private static final int SESSIONS = 32;
    private static final long OPEN_MILLIS = 10;
    private static final long OPEN_NANOS = OPEN_MILLIS * 1_000_000;
    private static final long IDLE_PAUSE = 100;

    private final MessageProcessor processor;
    private final KeyOrder order = new KeyOrder();
    private long connectionId;

    BatchAck(MessageProcessor processor) {
        this.processor = processor;
    }

    @Override
    public void run(Connection connection) throws JMSException {
        long current = ++connectionId;
        Workers workers = new Workers(processor);
        Semaphore receiving = new Semaphore(1, true);
        for (int n = 0; n < (processor.subscription().takesTurns() ? SESSIONS : 1); n++) {
            TransactedSession session = new TransactedSession(connection, processor, current);
            workers.add(() -> {
                while (workers.isRunning()) {
                    session.finish(take(session, receiving, workers));
                }
            });
        }
        try {
            while (!processor.isConnectionOver()) {
                workers.watch();
            }
        } finally {
            synchronized (order) {
                order.forgetWaiting(held -> held.ended(new MessageOutcome.GivenBack()));
            }
        }
        workers.awaitEnd();
    }

    private List<HeldMessage> take(TransactedSession session, Semaphore receiving, Workers workers)
            throws JMSException, InterruptedException {
        List<HeldMessage> batch = new ArrayList<>();
        receiving.acquire();
        try {
            while (batch.isEmpty() && workers.isRunning()) {
                fill(batch, session);
            }
            session.pause();
            return batch;
        } catch (Throwable failed) {
            // Reported first, so that the source reconnects while these messages are still being processed.
            workers.markLost(failed);
            session.abandon(batch);
            throw failed;
        } finally {
            receiving.release();
        }
    }

    private void fill(List<HeldMessage> batch, TransactedSession session) throws JMSException {
        long end = 0;
        while (batch.size() < MAX_BATCH && processor.reserve(batch.isEmpty())) {
            TransactedSession.Arrival arrival = session.receive(batch.isEmpty() ? IDLE_PAUSE : 1);
            if (arrival == null) {
                return;
            }
            batch.add(arrival.held());
            if (arrival.isNew()) {
                startInOrder(arrival.held());
            }
            long now = processor.nanos();
            end = batch.size() == 1 ? now + OPEN_NANOS : end;
            if (now - end >= 0 || session.holdsUpReceiving()) {
                return;
            }
        }
    }

    private void startInOrder(HeldMessage held) {
        synchronized (order) {
            if (!order.mayStart(held)) {
                return;
            }
        }
        start(held);
    }

    private void start(HeldMessage held) {
        Thread.startVirtualThread(() -> {
            processor.handle(held);
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
