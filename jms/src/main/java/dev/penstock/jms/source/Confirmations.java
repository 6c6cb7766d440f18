package dev.penstock.jms.source;

import jakarta.jms.CompletionListener;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The broker's confirmations of messages sent without a transaction. All are awaited together, so that they take about
 * as long as one. One thread sends and waits; the client confirms on another.
 */
final class Confirmations {
    /** Longer than the client's own timeout. */
    private static final long TIMEOUT_SECONDS = 35;

    private final Phaser open = new Phaser(1);
    private final AtomicReference<@Nullable Exception> refused = new AtomicReference<>();

    /** A listener for one message that is about to be sent. */
    CompletionListener expect() {
        open.register();
        return new CompletionListener() {
            @Override
            public void onCompletion(Message message) {
                open.arriveAndDeregister();
            }

            @Override
            public void onException(Message message, Exception why) {
                refused.compareAndSet(null, why);
                open.arriveAndDeregister();
            }
        };
    }

    /**
     * Waits for all confirmations.
     *
     * @throws JMSException when a message was refused, or not confirmed in time
     */
    void await() throws JMSException {
        try {
            open.awaitAdvanceInterruptibly(open.arrive(), TIMEOUT_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException late) {
            throw failure("no confirmation from the broker within " + TIMEOUT_SECONDS + " s", late);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw failure("interrupted while waiting for the broker's confirmation", stop);
        }
        Exception why = refused.getAndSet(null);
        if (why != null) {
            throw why instanceof JMSException known ? known : failure("the broker refused the message: " + why, why);
        }
    }

    private static JMSException failure(String message, Exception cause) {
        JMSException failed = new JMSException(message);
        failed.initCause(cause);
        return failed;
    }
}
