package dev.penstock.jms;

import dev.penstock.Deadline;
import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Ticker;
import dev.penstock.Unanswered;
import jakarta.jms.JMSException;
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
 * Lends sessions, each to one at a time, and opens them on demand.
 *
 * <h2>Design note</h2>
 *
 * <p>No call of JMS takes a time, and a client waits as long as it was configured to, or for ever. So what is done with a
 * session is done on a virtual thread of its own, and its caller waits there only as long as it likes. A thread that is stuck
 * keeps its place, so there are never more of them than places. A session on which anything failed is closed: a broker may have
 * taken its producer away.
 *
 * <p>Safe for many threads.
 */
final class SenderSessions implements AutoCloseable {
    private final BrokerConnection brokerConnection;
    private final boolean transacted;
    private final Semaphore places;
    private final int most;
    private final long mostNanos;
    private final ConcurrentLinkedDeque<SenderSession> idle = new ConcurrentLinkedDeque<>();

    /**
     * Lends none yet.
     *
     * @param most how many at a time
     * @param mostNanos how long a call may take where no deadline is nearer
     */
    SenderSessions(BrokerConnection brokerConnection, boolean transacted, int most, long mostNanos) {
        this.brokerConnection = brokerConnection;
        this.transacted = transacted;
        this.most = most;
        this.mostNanos = mostNanos;
        this.places = new Semaphore(most);
    }

    /** The time that the calling thread has left. */
    long left() {
        Deadline deadline = Deadline.current();
        return deadline == null ? mostNanos : Math.min(mostNanos, deadline.nanosLeft());
    }

    /** Does some work within the time left. */
    <R> R call(SendTask.Work<R> work) throws Unanswered {
        return call(work, left());
    }

    <R> R call(SendTask.Work<R> work, long nanos) throws Unanswered {
        if (nanos <= 0) {
            throw new Rejected(Rejected.Cause.DEADLINE, "the time was up before a session was asked for");
        }
        long until = Ticker.SYSTEM.nanos() + nanos;
        // First whether there is a broker at all: who would wait for a place of one that is gone, waits for nothing.
        BrokerConnection.Open open = brokerConnection.open(nanos);
        enter(until - Ticker.SYSTEM.nanos());
        CompletableFuture<R> back = new CompletableFuture<>();
        SendTask sendTask = new SendTask(queue -> senderSession(open, queue));
        try {
            Thread.ofVirtual().name("penstock-jms-send").start(() -> run(work, sendTask, open, back));
        } catch (Throwable noThread) {
            places.release();
            throw noThread;
        }
        return await(back, sendTask, open, until - Ticker.SYSTEM.nanos());
    }

    private void enter(long nanos) throws Rejected {
        try {
            if (!places.tryAcquire(Math.max(0, nanos), TimeUnit.NANOSECONDS)) {
                throw new Rejected(
                        Rejected.Cause.POOL,
                        "none of " + most + " sessions came free within the time left",
                        Duration.ofSeconds(1),
                        null);
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new Rejected(Rejected.Cause.QUEUE, "the caller was interrupted while it waited for a session");
        }
    }

    private SenderSession senderSession(BrokerConnection.Open open, @Nullable String queue) throws JMSException {
        for (SenderSession senderSession = idle.pollFirst(); senderSession != null; senderSession = idle.pollFirst()) {
            if (!senderSession.open().isBroken()) {
                return senderSession;
            }
        }
        return SenderSession.on(open, queue, transacted && !JmsBroker.lacksTransactions(open.connection()));
    }

    private <R> void run(SendTask.Work<R> work, SendTask sendTask, BrokerConnection.Open open, CompletableFuture<R> back) {
        boolean good = false;
        Runnable answering;
        try {
            R answer = work.at(sendTask);
            good = !sendTask.isSpoilt();
            brokerConnection.works(open);
            answering = () -> back.complete(answer);
        } catch (Unanswered ending) {
            answering = () -> back.completeExceptionally(ending);
        } catch (JMSException failed) {
            JmsFault fault = JmsFault.of(failed);
            if (fault.isLost()) {
                brokerConnection.broke(used(sendTask, open), failed);
            }
            answering = () -> back.completeExceptionally(fault.ending(sendTask.step()));
        } catch (RuntimeException | Error failed) {
            answering = () -> back.completeExceptionally(JmsFault.unexpected(failed, sendTask.step()));
        }
        // The session is free before the caller goes on: it may call again at once.
        try {
            giveBack(sendTask.lent(), good);
        } finally {
            places.release();
            answering.run();
        }
    }

    private static BrokerConnection.Open used(SendTask sendTask, BrokerConnection.Open open) {
        SenderSession senderSession = sendTask.lent();
        return senderSession == null ? open : senderSession.open();
    }

    private void giveBack(@Nullable SenderSession senderSession, boolean good) {
        if (senderSession == null) {
            return;
        }
        if (good && !senderSession.open().isBroken()) {
            idle.addFirst(senderSession);
        } else {
            // To close a session asks the broker, who may be dead: nobody waits for that.
            Thread.ofVirtual().name("penstock-jms-close").start(() -> BrokerConnection.quietly(senderSession.session()));
        }
    }

    private <R> R await(CompletableFuture<R> back, SendTask sendTask, BrokerConnection.Open open, long nanos) throws Unanswered {
        try {
            return back.get(Math.max(0, nanos), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            brokerConnection.unanswered(open);
            throw sendTask.leave(false);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw sendTask.leave(true);
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

    int most() {
        return most;
    }

    long mostNanos() {
        return mostNanos;
    }

    Map<String, Long> connections() {
        long leased = (long) most - places.availablePermits();
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
}
