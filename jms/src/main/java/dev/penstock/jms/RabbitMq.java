package dev.penstock.jms;

import jakarta.jms.Destination;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.Session;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * RabbitMQ over AMQP 1.0. A JMS client does not tell which broker it is connected to, so RabbitMQ is recognized by its
 * addresses, which begin with a slash: {@code /amq/queue/NAME}, {@code /topic/NAME}.
 */
public final class RabbitMq {
    /** The prefix of queue addresses that RabbitMQ does not declare itself. */
    private static final String NOT_AUTO_DECLARED = "/amq/queue/";

    private RabbitMq() {}

    /** Whether a name is an address of RabbitMQ: it has no transactions, no selectors and no named subscriptions. */
    public static boolean isAddress(JmsBroker broker, String name) {
        return broker.kind() == JmsBroker.Kind.QPID && name.startsWith("/");
    }

    /**
     * Checks that a queue exists. RabbitMQ 3 confirms and drops messages to a missing queue, but refuses receivers for it.
     * So this attaches a receiver without credit. RabbitMQ answers by ending the session, which the client's request does
     * not wait for. Does nothing for other brokers.
     *
     * @throws JMSException when it does not exist; the session may be unusable afterwards
     */
    public static void requireQueue(JmsBroker broker, Session session, @Nullable Destination destination)
            throws JMSException {
        if (!(destination instanceof Queue queue)
                || !isAddress(broker, queue.getQueueName())
                || !queue.getQueueName().startsWith(NOT_AUTO_DECLARED)) {
            return;
        }
        CompletableFuture<@Nullable Void> asked = new CompletableFuture<>();
        Thread.ofVirtual().name("penstock-jms-queue").start(() -> {
            try (QueueBrowser browser = session.createBrowser(queue)) {
                browser.getEnumeration();
                asked.complete(null);
            } catch (Throwable failed) {
                asked.completeExceptionally(failed);
            }
        });
        while (!isAnswered(asked, queue)) {
            try {
                boolean _ = session.getTransacted();
            } catch (IllegalStateException ended) {
                throw missing(queue, ended);
            }
        }
    }

    private static boolean isAnswered(CompletableFuture<@Nullable Void> asked, Queue queue) throws JMSException {
        try {
            asked.get(5, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException notYet) {
            return false;
        } catch (ExecutionException failed) {
            throw missing(queue, failed.getCause());
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw missing(queue, stop);
        }
    }

    private static JMSException missing(Queue queue, @Nullable Throwable why) throws JMSException {
        if (why instanceof JMSException known && known.getCause() == null) {
            return known; // the connection failed
        }
        return new InvalidDestinationException("the queue " + queue.getQueueName()
                + " does not exist; declare it at the broker as a durable queue: " + JmsFault.describe(why));
    }
}
