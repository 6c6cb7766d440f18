package dev.penstock.jms.source;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Receives each message in a transaction and a session of its own, which works with any JMS client. Each session has a
 * virtual thread that receives, processes and commits. Sessions are added while all are busy and there is capacity; a
 * subscription for one consumer has one session, which processes one message after the other.
 */
final class SessionPerMessageAck implements AckStrategy {
    private static final int INITIAL_SESSIONS = 4;
    private static final long IDLE_PAUSE = 100;
    private static final long POLL_NANOS = 5_000_000;
    private static final long END_WAIT_NANOS = 500_000_000;

    private final MessageProcessor processor;
    private long connectionId;

    SessionPerMessageAck(MessageProcessor processor) {
        this.processor = processor;
    }

    @Override
    public void run(Connection connection) throws JMSException {
        new Sessions(connection, ++connectionId).run();
    }

    /**
     * The sessions of one connection. After it is lost, sessions whose messages are still in process are not awaited; their
     * threads end with their messages.
     */
    private final class Sessions {
        private final Connection connection;
        private final long connectionId;
        private final AtomicReference<@Nullable Throwable> broken = new AtomicReference<>();
        private final AtomicInteger open = new AtomicInteger();
        private final AtomicInteger idle = new AtomicInteger();

        Sessions(Connection connection, long connectionId) {
            this.connection = connection;
            this.connectionId = connectionId;
        }

        void run() throws JMSException {
            while (!processor.isConnectionOver()) {
                int most = processor.subscription().isExclusive() ? 1 : processor.maxInFlight();
                int wanted =
                        open.get() < INITIAL_SESSIONS ? INITIAL_SESSIONS : idle.get() == 0 ? 1 + open.get() / 4 : 0;
                for (int n = 0; n < wanted && open.get() < most; n++) {
                    add(new TransactedSession(this, connection));
                }
                LockSupport.parkNanos(this, POLL_NANOS);
                switch (broken.get()) {
                    case null -> {}
                    case JMSException failed -> throw failed;
                    case Throwable failed -> throw new IllegalStateException("receiving failed: " + failed, failed);
                }
            }
            // Only threads whose messages have ended can still acknowledge.
            long end = processor.nanos() + END_WAIT_NANOS;
            while (open.get() > 0 && processor.nanos() - end < 0) {
                LockSupport.parkNanos(this, POLL_NANOS);
            }
        }

        private void add(TransactedSession session) {
            open.incrementAndGet();
            try {
                Thread.ofVirtual().name("penstock-jms-receive").start(() -> receive(session));
            } catch (Throwable cannotStart) {
                open.decrementAndGet();
                throw cannotStart;
            }
        }

        private void receive(TransactedSession session) {
            try {
                while (broken.get() == null && !processor.isConnectionOver()) {
                    session.next();
                }
            } catch (Throwable failed) { // also an Error: run() throws it on the supervised thread
                broken.compareAndSet(null, failed);
            } finally {
                open.decrementAndGet();
            }
        }
    }

    /** A session with its consumer. For one thread. */
    private final class TransactedSession {
        private final Sessions sessions;
        private final Session session;
        private final MessageConsumer consumer;
        private final DeadLetterSender deadLetterSender;

        TransactedSession(Sessions sessions, Connection connection) throws JMSException {
            this.sessions = sessions;
            this.session = connection.createSession(true, Session.SESSION_TRANSACTED);
            this.deadLetterSender = processor.deadLetterSender(session);
            this.consumer = processor.subscription().consumer(session);
            processor.health().receiving();
        }

        /** Receives a message if there is one soon, and acknowledges it when it has ended. */
        void next() throws JMSException, InterruptedException {
            HeldMessage held = receive();
            if (held == null) {
                return;
            }
            HeldMessage earlier = processor.findEarlier(held);
            if (earlier == null) {
                processor.handle(held);
                finish(held);
            } else {
                earlier.deliveredAgain(held);
                finish(earlier);
            }
        }

        private @Nullable HeldMessage receive() throws JMSException {
            sessions.idle.incrementAndGet();
            try {
                return processor.reserve() ? receiveReserved() : null;
            } finally {
                sessions.idle.decrementAndGet();
            }
        }

        private @Nullable HeldMessage receiveReserved() throws JMSException {
            HeldMessage held = null;
            try {
                Message message = consumer.receive(IDLE_PAUSE);
                held = message == null ? null : processor.held(message, false, sessions.connectionId);
            } finally {
                if (held == null) {
                    processor.cancelReservation();
                } else {
                    processor.receivedReserved();
                }
            }
            return held;
        }

        private void finish(HeldMessage held) throws JMSException, InterruptedException {
            boolean settled = false;
            try {
                held.awaitOutcome();
                settled = commit(held);
            } finally {
                processor.release(held);
                if (settled) {
                    processor.confirmed(held);
                } else {
                    processor.settled(held);
                }
            }
        }

        /**
         * A message that is given back is sent to its queue again, since the broker would count a rollback as a delivery;
         * if that is not possible, it is rolled back.
         */
        private boolean commit(HeldMessage held) throws JMSException {
            if (held.isGivenBack() && !processor.maySendAgain()) {
                session.rollback();
                return false;
            }
            deadLetterSender.sendOrReturn(held);
            session.commit();
            return true;
        }
    }
}
