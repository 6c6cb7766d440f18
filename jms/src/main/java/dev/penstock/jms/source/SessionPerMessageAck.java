package dev.penstock.jms.source;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Receives each message in a transaction and a session of its own, which works with any broker. Each session has a
 * virtual thread that receives, processes and commits. Sessions are added while all are busy and there is capacity.
 */
final class SessionPerMessageAck implements AckStrategy {
    private static final int INITIAL_SESSIONS = 4;
    private static final long IDLE_PAUSE = 100;

    private final MessageProcessor processor;
    private final AtomicInteger idle = new AtomicInteger();
    private long connectionId;

    SessionPerMessageAck(MessageProcessor processor) {
        this.processor = processor;
    }

    @Override
    public void run(Connection connection) throws JMSException {
        long current = ++connectionId;
        Workers workers = new Workers(processor);
        while (!processor.isConnectionOver()) {
            int wanted =
                    workers.size() < INITIAL_SESSIONS ? INITIAL_SESSIONS : idle.get() == 0 ? 1 + workers.size() / 4 : 0;
            for (int n = 0; n < wanted && workers.size() < processor.maxInFlight(); n++) {
                TransactedSession session = new TransactedSession(connection, processor, current);
                workers.add(() -> serve(session, workers));
            }
            workers.watch();
        }
        workers.awaitEnd();
    }

    private void serve(TransactedSession session, Workers workers) throws JMSException, InterruptedException {
        while (workers.isRunning()) {
            idle.incrementAndGet();
            TransactedSession.Arrival arrival;
            try {
                if (!processor.reserve(true)) {
                    continue;
                }
                arrival = session.receive(IDLE_PAUSE);
            } finally {
                idle.decrementAndGet();
            }
            if (arrival == null) {
                continue;
            }
            if (arrival.isNew()) {
                processor.handle(arrival.held());
            }
            session.finish(List.of(arrival.held()));
        }
    }
}
