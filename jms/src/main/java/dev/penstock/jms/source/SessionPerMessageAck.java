package dev.penstock.jms.source;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The last rung, which any broker can do: each message in a transaction and a session of its own, on a virtual thread that
 * receives, carries and commits. There are more of them as long as all are busy and there is room.
 */
final class SessionPerMessageAck implements AckStrategy {
    private static final int AT_FIRST = 4;
    private static final long IDLE_PAUSE = 100;

    private final MessageProcessor messageProcessor;
    private final AtomicInteger idle = new AtomicInteger();
    private long link;

    SessionPerMessageAck(MessageProcessor messageProcessor) {
        this.messageProcessor = messageProcessor;
    }

    @Override
    public void run(Connection connection) throws JMSException {
        long current = ++link;
        Workers workers = new Workers(messageProcessor);
        while (!messageProcessor.isOver()) {
            int wanted = workers.size() < AT_FIRST ? AT_FIRST : idle.get() == 0 ? 1 + workers.size() / 4 : 0;
            for (int n = 0; n < wanted && workers.size() < messageProcessor.bound(); n++) {
                TransactedSession session = new TransactedSession(connection, messageProcessor, current);
                workers.add(() -> serve(session, workers));
            }
            workers.watch();
        }
        workers.disband();
    }

    private void serve(TransactedSession session, Workers workers) throws JMSException, InterruptedException {
        while (workers.goesOn()) {
            idle.incrementAndGet();
            TransactedSession.Arrival arrival;
            try {
                if (!messageProcessor.keepsPlace(true)) {
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
                messageProcessor.handle(arrival.held());
            }
            session.finish(List.of(arrival.held()));
        }
    }
}
