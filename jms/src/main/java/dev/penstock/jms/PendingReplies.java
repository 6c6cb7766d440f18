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
 * The callers waiting for replies, and the consumer that receives the replies. Callers with the same key share one
 * pending reply, since the broker keeps only one of their requests.
 *
 * <p>Thread-safe.
 */
final class PendingReplies implements AutoCloseable {
    /** The pending reply of one caller, possibly shared with others. The caller closes it when it stops waiting. */
    final class PendingReply implements AutoCloseable {
        private final String id;
        private final SharedReply shared;

        private PendingReply(String id, SharedReply shared) {
            this.id = id;
            this.shared = shared;
        }

        String id() {
            return id;
        }

        CompletableFuture<JmsMessage> reply() {
            return shared.reply;
        }

        @Override
        public void close() {
            pending.computeIfPresent(id, (same, is) -> is == shared && --is.callers == 0 ? null : is);
        }
    }

    private static final class SharedReply {
        private final CompletableFuture<JmsMessage> reply = new CompletableFuture<>();
        private int callers;
    }

    /** The destination for replies, valid as long as the connection. */
    private record ReplyQueue(BrokerConnection.Open open, Destination address) {}

    private final @Nullable String queue;
    private final BrokerConnection brokerConnection;
    private final String prefix = "penstock-" + UUID.randomUUID() + "-";
    private final AtomicLong numbers = new AtomicLong();
    private final LongAdder late = new LongAdder();
    private final ConcurrentHashMap<String, SharedReply> pending = new ConcurrentHashMap<>();
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable CompletableFuture<ReplyQueue> opening;

    /**
     * Without callers.
     *
     * @param queue the name of the reply queue; null for a temporary one
     */
    PendingReplies(JmsBroker broker, @Nullable String queue) {
        this.queue = queue;
        this.brokerConnection = new BrokerConnection(broker, BrokerConnection.Use.EACH, this::lost);
    }

    /**
     * The destination for replies; starts a consumer if there is none.
     *
     * @param nanos the time limit, in nanoseconds
     * @throws Failed with cause {@code CONNECT} when the consumer could not be started in time
     */
    Destination open(long nanos) throws Unanswered {
        long until = Ticker.SYSTEM.nanos() + nanos;
        BrokerConnection.Open open = brokerConnection.open(nanos);
        try {
            return replyQueue(open)
                    .get(Math.max(0, until - Ticker.SYSTEM.nanos()), TimeUnit.NANOSECONDS)
                    .address();
        } catch (TimeoutException late) {
            throw new Failed(Failed.Cause.CONNECT, "the reply queue could not be opened before the deadline");
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new Failed(Failed.Cause.CONNECT, "interrupted while opening the reply queue");
        } catch (ExecutionException failed) {
            throw new Failed(
                    Failed.Cause.CONNECT,
                    "cannot open the reply queue: " + JmsFault.describe(failed.getCause()),
                    failed.getCause());
        }
    }

    private CompletableFuture<ReplyQueue> replyQueue(BrokerConnection.Open open) {
        lock.lock();
        try {
            CompletableFuture<ReplyQueue> now = opening;
            if (now != null && !isGone(now, open)) {
                return now;
            }
            CompletableFuture<ReplyQueue> future = new CompletableFuture<>();
            Thread.ofVirtual().name("penstock-jms-replies").start(() -> listen(open, future));
            opening = future;
            return future;
        } finally {
            lock.unlock();
        }
    }

    private static boolean isGone(CompletableFuture<ReplyQueue> now, BrokerConnection.Open open) {
        return now.isCompletedExceptionally() || (now.isDone() && now.join().open() != open);
    }

    private void listen(BrokerConnection.Open open, CompletableFuture<ReplyQueue> future) {
        Session session = null;
        try {
            session = open.connection().createSession(false, Session.AUTO_ACKNOWLEDGE);
            Destination address = queue == null ? session.createTemporaryQueue() : session.createQueue(queue);
            // The queue may be shared: each process selects its own replies.
            MessageConsumer consumer = queue == null
                    ? session.createConsumer(address)
                    : session.createConsumer(address, "JMSCorrelationID LIKE '" + prefix + "%'");
            consumer.setMessageListener(this::onReply);
            brokerConnection.succeeded(open);
            future.complete(new ReplyQueue(open, address));
        } catch (JMSException failed) {
            brokerConnection.markLost(open, failed);
            future.completeExceptionally(failed);
        } catch (Throwable failed) {
            // Also an Error: the next caller tries again.
            brokerConnection.failed("the calls waiting for the reply queue fail; the next call opens it again", failed);
            future.completeExceptionally(failed);
            QuietClose.quietly(session);
        }
    }

    private void onReply(Message message) {
        try {
            String id = message.getJMSCorrelationID();
            SharedReply shared = id == null ? null : pending.get(id);
            if (shared == null || !shared.reply.complete(MessageMapper.read(message))) {
                late.increment();
            }
        } catch (JMSException unreadable) {
            late.increment();
        } catch (Throwable failed) { // also an Error of the client: other replies are still received
            late.increment();
            brokerConnection.failed("this reply is dropped; others are received", failed);
        }
    }

    /** A temporary queue is lost with its connection; replies to a named queue are received by the next connection. */
    private void lost(JMSException why) {
        if (queue == null) {
            endAll(why);
        }
    }

    private void endAll(JMSException why) {
        List<SharedReply> all = new ArrayList<>(pending.values());
        all.forEach(shared -> shared.reply.completeExceptionally(why));
    }

    /**
     * Registers a pending reply. Called before the request is sent, since the reply may come before the send returns.
     *
     * @param key callers with the same key share a reply; null for none
     */
    PendingReply await(@Nullable String key) {
        String id = prefix + (key == null ? "n" + numbers.incrementAndGet() : "k" + key);
        SharedReply shared = pending.compute(id, (same, is) -> {
            SharedReply here = is == null || is.reply.isDone() ? new SharedReply() : is;
            here.callers++;
            return here;
        });
        return new PendingReply(id, shared);
    }

    int waiting() {
        return pending.size();
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
