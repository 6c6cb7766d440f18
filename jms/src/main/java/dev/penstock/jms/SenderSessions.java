package dev.penstock.jms;

import dev.penstock.CallContext;
import dev.penstock.Deadline;
import dev.penstock.Failed;
import dev.penstock.Observation;
import dev.penstock.Rejected;
import dev.penstock.Ticker;
import dev.penstock.Unanswered;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A pool of sessions, opened on demand, each used by one call at a time.
 *
 * <h2>Design note</h2>
 *
 * <p>JMS calls take no timeout, and a client waits for as long as it is configured to, or for ever. So all work with a
 * session runs on a virtual thread, and the caller waits only until its deadline. A blocked thread keeps its permit, so
 * there are never more threads than permits. A session on which anything failed is closed, since the broker may have
 * closed its producer.
 *
 * <p>Thread-safe.
 */
final class SenderSessions implements AutoCloseable {
    private final BrokerConnection brokerConnection;
    private final boolean transacted;
    private final Semaphore permits;
    private final int maxSessions;
    private final long maxNanos;
    private final ConcurrentLinkedDeque<SenderSession> idle = new ConcurrentLinkedDeque<>();

    /**
     * Without sessions.
     *
     * @param maxSessions the maximum number of concurrent sessions
     * @param maxNanos the maximum duration of a call without a nearer deadline, in nanoseconds
     */
    SenderSessions(BrokerConnection brokerConnection, boolean transacted, int maxSessions, long maxNanos) {
        this.brokerConnection = brokerConnection;
        this.transacted = transacted;
        this.maxSessions = maxSessions;
        this.maxNanos = maxNanos;
        this.permits = new Semaphore(maxSessions);
    }

    /** The time left for the calling thread, in nanoseconds. */
    long nanosLeft() {
        Deadline deadline = Deadline.current();
        return deadline == null ? maxNanos : Math.min(maxNanos, deadline.nanosLeft());
    }

    /** Does work within the time left. */
    <R> R call(SendTask.Work<R> work) throws Unanswered {
        return call(work, nanosLeft());
    }

    <R> R call(SendTask.Work<R> work, long nanos) throws Unanswered {
        Observation observation = CallContext.currentObservation();
        if (observation == null) {
            return send(work, nanos);
        }
        long start = Ticker.SYSTEM.nanos();
        try {
            return send(work, nanos);
        } finally {
            long took = Ticker.SYSTEM.nanos() - start;
            observation.exchanged(new Observation.Exchange(where(), to -> to.accept("send", took), 0, 0));
        }
    }

    private <R> R send(SendTask.Work<R> work, long nanos) throws Unanswered {
        if (nanos <= 0) {
            throw new Rejected(Rejected.Cause.DEADLINE, "deadline exceeded before a session was requested");
        }
        long until = Ticker.SYSTEM.nanos() + nanos;
        // Connects first: waiting for a permit makes no sense while the broker is down.
        BrokerConnection.Open open = brokerConnection.open(nanos);
        acquirePermit(until - Ticker.SYSTEM.nanos());
        CompletableFuture<R> result = new CompletableFuture<>();
        SendTask sendTask = new SendTask(to -> senderSession(open, to));
        try {
            Thread.ofVirtual().name("penstock-jms-send").start(() -> run(work, sendTask, open, result));
        } catch (Throwable cannotStart) {
            permits.release();
            throw cannotStart;
        }
        return await(result, sendTask, open, until - Ticker.SYSTEM.nanos());
    }

    private void acquirePermit(long nanos) throws Rejected {
        try {
            if (!permits.tryAcquire(Math.max(0, nanos), TimeUnit.NANOSECONDS)) {
                throw new Rejected(
                        Rejected.Cause.POOL,
                        "no free session before the deadline, all " + maxSessions + " are in use",
                        Duration.ofSeconds(1),
                        null);
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new Rejected(Rejected.Cause.QUEUE, "interrupted while waiting for a session");
        }
    }

    private SenderSession senderSession(BrokerConnection.Open open, @Nullable JmsDestination to) throws JMSException {
        for (SenderSession senderSession = idle.pollFirst(); senderSession != null; senderSession = idle.pollFirst()) {
            if (!senderSession.open().isBroken()) {
                return senderSession;
            }
        }
        return SenderSession.on(brokerConnection.broker(), open, to, transacted);
    }

    private <R> void run(
            SendTask.Work<R> work, SendTask sendTask, BrokerConnection.Open open, CompletableFuture<R> result) {
        boolean reusable = false;
        Runnable completion;
        try {
            R answer = work.at(sendTask);
            reusable = !sendTask.isUnusable();
            brokerConnection.succeeded(open);
            completion = () -> result.complete(answer);
        } catch (Unanswered ending) {
            completion = () -> result.completeExceptionally(ending);
        } catch (JMSException failed) {
            JmsFault fault = JmsFault.of(failed);
            if (fault.isLost()) {
                brokerConnection.markLost(used(sendTask, open), failed);
            }
            completion = () -> result.completeExceptionally(fault.ending(sendTask.step()));
        } catch (RuntimeException | Error failed) {
            completion = () -> result.completeExceptionally(JmsFault.unexpected(failed, sendTask.step()));
        }
        // Releases the session before the caller continues: it may call again immediately.
        try {
            release(sendTask.usedSession(), reusable);
        } finally {
            permits.release();
            completion.run();
        }
    }

    private static BrokerConnection.Open used(SendTask sendTask, BrokerConnection.Open open) {
        SenderSession senderSession = sendTask.usedSession();
        return senderSession == null ? open : senderSession.open();
    }

    private void release(@Nullable SenderSession senderSession, boolean reusable) {
        if (senderSession == null) {
            return;
        }
        if (reusable && !senderSession.open().isBroken()) {
            idle.addFirst(senderSession);
        } else {
            // Closing a session is a call to the broker, which may be dead, so it runs in the background.
            QuietClose.inBackground(senderSession.session());
        }
    }

    private <R> R await(CompletableFuture<R> result, SendTask sendTask, BrokerConnection.Open open, long nanos)
            throws Unanswered {
        try {
            return result.get(Math.max(0, nanos), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            brokerConnection.unanswered(open);
            throw sendTask.abandon(false, where());
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw sendTask.abandon(true, where());
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof Unanswered ending) {
                throw ending;
            }
            throw new Failed(Failed.Cause.UNDONE, "unexpected: " + failed.getCause(), failed.getCause());
        }
    }

    String where() {
        return brokerConnection.where();
    }

    BrokerConnection brokerConnection() {
        return brokerConnection;
    }

    int maxSessions() {
        return maxSessions;
    }

    long maxNanos() {
        return maxNanos;
    }

    Map<String, Long> connections() {
        long leased = (long) maxSessions - permits.availablePermits();
        return Map.of(
                "opened",
                brokerConnection.opened(),
                "open",
                brokerConnection.isOpen() ? 1L : 0L,
                "sessions_leased",
                leased,
                "sessions_idle",
                (long) idle.size());
    }

    @Override
    public void close() {
        brokerConnection.close();
        idle.clear();
    }

    /**
     * A session with its producer. Not thread-safe.
     *
     * @param open the connection of the session
     */
    record SenderSession(BrokerConnection.Open open, Session session, MessageProducer producer) {
        static SenderSession on(
                JmsBroker broker, BrokerConnection.Open open, @Nullable JmsDestination to, boolean transacted)
                throws JMSException {
            Session session = open.connection()
                    .createSession(transacted, transacted ? Session.SESSION_TRANSACTED : Session.AUTO_ACKNOWLEDGE);
            try {
                Destination destination = to == null ? null : to.in(session);
                RabbitMq.requireQueue(broker, session, destination);
                return new SenderSession(open, session, session.createProducer(destination));
            } catch (Throwable noProducer) {
                // Nothing else refers to this session.
                QuietClose.quietly(session);
                throw noProducer;
            }
        }
    }
}
