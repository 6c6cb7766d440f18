package dev.penstock.jms.source;

import dev.penstock.Ticker;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.jms.client.ActiveMQConnection;
import org.apache.activemq.artemis.jms.client.ActiveMQSession;
import org.jspecify.annotations.Nullable;

/**
 * Asks the broker for the number of messages in the queue of a consumer. Thread-safe.
 *
 * <h2>Design note</h2>
 *
 * <p>JMS has no such question, except a {@code QueueBrowser}, which transfers all messages. Artemis answers it to every
 * client that may receive from the queue, in one round trip, also for subscriptions. AMQP 1.0 has no standard for it.
 * The client waits for up to 30 s, so the question is asked on a thread of its own, one at a time.
 */
final class QueueDepth {
    private static final long TIMEOUT = 500_000_000;

    private @Nullable Subject subject;
    private CompletableFuture<Long> answer = CompletableFuture.failedFuture(new JMSException("never asked"));
    private long asked;

    /** A queue, with a session for questions about it. */
    private static final class Subject {
        private final ActiveMQConnection connection;
        private final SimpleString queue;
        private @Nullable ActiveMQSession session;

        Subject(ActiveMQConnection connection, SimpleString queue) {
            this.connection = connection;
            this.queue = queue;
        }

        long messages() throws JMSException, ActiveMQException {
            ActiveMQSession open = session;
            if (open == null) {
                open = (ActiveMQSession) connection.createSession();
                session = open;
            }
            return open.getCoreSession().queueQuery(queue).getMessageCount();
        }
    }

    /**
     * A consumer was opened: further questions are about its queue.
     *
     * @param queue null if the broker is no Artemis
     */
    synchronized void opened(Connection connection, @Nullable SimpleString queue) {
        subject = queue == null ? null : new Subject((ActiveMQConnection) connection, queue);
    }

    /** The number of messages; empty if the broker does not report it, or not in time. */
    OptionalLong messages() {
        try {
            CompletableFuture<Long> question;
            long left;
            synchronized (this) {
                Subject about = subject;
                if (about == null) {
                    return OptionalLong.empty();
                }
                long now = Ticker.SYSTEM.nanos();
                if (answer.isDone()) {
                    answer = ask(about);
                    asked = now;
                }
                question = answer;
                left = asked + TIMEOUT - now;
            }
            return OptionalLong.of(question.get(Math.max(0, left), TimeUnit.NANOSECONDS));
        } catch (TimeoutException | ExecutionException noAnswer) {
            return OptionalLong.empty();
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            return OptionalLong.empty();
        }
    }

    private static CompletableFuture<Long> ask(Subject about) {
        CompletableFuture<Long> asked = new CompletableFuture<>();
        Thread.ofVirtual().name("penstock-jms-depth").start(() -> {
            try {
                asked.complete(about.messages());
            } catch (Throwable failed) { // also an Error of the client: the next question may succeed
                asked.completeExceptionally(failed);
            }
        });
        return asked;
    }
}
