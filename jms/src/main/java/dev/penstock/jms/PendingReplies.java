package dev.penstock.jms;

import dev.penstock.Failed;
import dev.penstock.Ticker;
import dev.penstock.Unanswered;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Who waits for which reply, and the one consumer that they come by. Those who ask by one key wait in one place, since the
 * broker keeps one request of theirs.
 *
 * <p>Safe for many threads.
 */
final class PendingReplies implements AutoCloseable {
    /** Where a reply is waited for, by one caller of perhaps some. To be closed when he waits no more. */
    final class Place implements AutoCloseable {
        private final String id;
        private final Waiting waiting;

        private Place(String id, Waiting waiting) {
            this.id = id;
            this.waiting = waiting;
        }

        String id() {
            return id;
        }

        CompletableFuture<JmsMessage> reply() {
            return waiting.reply;
        }

        @Override
        public void close() {
            places.computeIfPresent(id, (same, is) -> is == waiting && --is.callers == 0 ? null : is);
        }
    }

    private static final class Waiting {
        private final CompletableFuture<JmsMessage> reply = new CompletableFuture<>();
        private int callers;
    }

    /** Where replies come, as long as the connection holds. */
    private record Desk(BrokerConnection.Open open, Destination address) {}

    private final @Nullable String queue;
    private final BrokerConnection brokerConnection;
    private final String prefix = "penstock-" + UUID.randomUUID() + "-";
    private final AtomicLong numbers = new AtomicLong();
    private final LongAdder late = new LongAdder();
    private final ConcurrentHashMap<String, Waiting> places = new ConcurrentHashMap<>();
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable CompletableFuture<Desk> opening;

    /**
     * Nobody waits yet.
     *
     * @param queue its name; null for a temporary one
     */
    PendingReplies(JmsBroker broker, @Nullable String queue) {
        this.queue = queue;
        this.brokerConnection = new BrokerConnection(broker, BrokerConnection.Use.EACH, this::lost);
    }

    /**
     * Where replies come; listens there when nobody did.
     *
     * @param nanos how long it may take
     */
    Destination open(long nanos) throws Unanswered {
        long until = Ticker.SYSTEM.nanos() + nanos;
        BrokerConnection.Open open = brokerConnection.open(nanos);
        try {
            return desk(open)
                    .get(Math.max(0, until - Ticker.SYSTEM.nanos()), TimeUnit.NANOSECONDS)
                    .address();
        } catch (TimeoutException late) {
            throw new Failed(Failed.Cause.CONNECT, "no queue for the reply was ready within the time left");
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new Failed(Failed.Cause.CONNECT, "the caller was interrupted before a queue for the reply was ready");
        } catch (ExecutionException failed) {
            throw new Failed(
                    Failed.Cause.CONNECT,
                    "no queue for the reply: " + JmsFault.words(failed.getCause()),
                    failed.getCause());
        }
    }

    private CompletableFuture<Desk> desk(BrokerConnection.Open open) {
        lock.lock();
        try {
            CompletableFuture<Desk> now = opening;
            if (now != null && !isGone(now, open)) {
                return now;
            }
            CompletableFuture<Desk> begun = new CompletableFuture<>();
            Thread.ofVirtual().name("penstock-jms-replies").start(() -> listen(open, begun));
            opening = begun;
            return begun;
        } finally {
            lock.unlock();
        }
    }

    private static boolean isGone(CompletableFuture<Desk> now, BrokerConnection.Open open) {
        return now.isCompletedExceptionally() || (now.isDone() && now.join().open() != open);
    }

    private void listen(BrokerConnection.Open open, CompletableFuture<Desk> begun) {
        Session session = null;
        try {
            session = open.connection().createSession(false, Session.AUTO_ACKNOWLEDGE);
            Destination address = queue == null ? session.createTemporaryQueue() : session.createQueue(queue);
            // Of a queue that others listen to as well, each takes what it asked for.
            MessageConsumer consumer = queue == null
                    ? session.createConsumer(address)
                    : session.createConsumer(address, "JMSCorrelationID LIKE '" + prefix + "%'");
            consumer.setMessageListener(this::came);
            brokerConnection.works(open);
            begun.complete(new Desk(open, address));
        } catch (JMSException failed) {
            brokerConnection.broke(open, failed);
            begun.completeExceptionally(failed);
        } catch (Throwable failed) {
            // An Error too: the next caller tries again.
            brokerConnection.failed("the calls that wait for the reply queue fail; the next one opens it again", failed);
            begun.completeExceptionally(failed);
            BrokerConnection.quietly(session);
        }
    }

    private void came(Message message) {
        try {
            String id = message.getJMSCorrelationID();
            Waiting waiting = id == null ? null : places.get(id);
            if (waiting == null || !waiting.reply.complete(MessageMapper.read(message))) {
                late.increment();
            }
        } catch (JMSException unreadable) {
            late.increment();
        } catch (Throwable failed) { // an Error of the client too: other replies come
            late.increment();
            brokerConnection.failed("that reply is dropped; others are received", failed);
        }
    }

    /** A temporary queue is gone with its connection; what comes to a queue of a name, comes to the next one. */
    private void lost(JMSException why) {
        if (queue == null) {
            endAll(why);
        }
    }

    private void endAll(JMSException why) {
        List<Waiting> all = new ArrayList<>(places.values());
        all.forEach(waiting -> waiting.reply.completeExceptionally(why));
    }

    /**
     * A place to wait in. Taken before the request is sent, for the reply may be faster than the word that it was.
     *
     * @param key those who ask by one wait in one place; null for a place of its own
     */
    Place await(@Nullable String key) {
        String id = prefix + (key == null ? "n" + numbers.incrementAndGet() : "k" + key);
        Waiting waiting = places.compute(id, (same, is) -> {
            Waiting here = is == null || is.reply.isDone() ? new Waiting() : is;
            here.callers++;
            return here;
        });
        return new Place(id, waiting);
    }

    int waiting() {
        return places.size();
    }

    long late() {
        return late.sum();
    }

    long opened() {
        return brokerConnection.opened();
    }

    @Override
    public void close() {
        brokerConnection.close();
        endAll(new JMSException("the target was closed"));
    }
}
