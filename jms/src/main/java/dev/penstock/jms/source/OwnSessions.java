package dev.penstock.jms.source;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The last rung, which any broker can do: each message in a transaction and a session of its own, on a virtual thread that
 * receives, carries and commits. There are more of them as long as all are busy and there is room.
 */
final class OwnSessions implements Receiving {
    private static final int AT_FIRST = 4;
    private static final long IDLE_PAUSE = 100;

    private final Desk desk;
    private final AtomicInteger idle = new AtomicInteger();
    private long link;

    OwnSessions(Desk desk) {
        this.desk = desk;
    }

    @Override
    public void run(Connection connection) throws JMSException {
        long current = ++link;
        Crew crew = new Crew(desk);
        while (!desk.isOver()) {
            int wanted = crew.size() < AT_FIRST ? AT_FIRST : idle.get() == 0 ? 1 + crew.size() / 4 : 0;
            for (int n = 0; n < wanted && crew.size() < desk.bound(); n++) {
                Transacted session = new Transacted(connection, desk, current);
                crew.add(() -> serve(session, crew));
            }
            crew.watch();
        }
        crew.disband();
    }

    private void serve(Transacted session, Crew crew) throws JMSException, InterruptedException {
        while (crew.goesOn()) {
            idle.incrementAndGet();
            Transacted.Arrival arrival;
            try {
                if (!desk.keepsPlace(true)) {
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
                desk.handle(arrival.held());
            }
            session.finish(List.of(arrival.held()));
        }
    }
}
