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
 * The broker's confirmations of messages that are sent without a transaction, all awaited together: it takes as long as one.
 * One thread sends and waits; the client confirms on another.
 */
final class Confirmations {
    /** Longer than the client itself waits for one. */
    private static final long MOST_SECONDS = 35;

    private final Phaser open = new Phaser(1);
    private final AtomicReference<@Nullable Exception> refused = new AtomicReference<>();

    /** A listener of one message that is about to be sent. */
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
     * Waits for all.
     *
     * @throws JMSException one was not taken, or no word of it came in time
     */
    void await() throws JMSException {
        try {
            open.awaitAdvanceInterruptibly(open.arrive(), MOST_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException late) {
            throw failure("the broker did not confirm what was sent within " + MOST_SECONDS + " s", late);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw failure("interrupted before the broker confirmed what was sent", stop);
        }
        Exception why = refused.getAndSet(null);
        if (why != null) {
            throw why instanceof JMSException known ? known : failure("the broker did not take it: " + why, why);
        }
    }

    private static JMSException failure(String words, Exception cause) {
        JMSException failed = new JMSException(words);
        failed.initCause(cause);
        return failed;
    }
}
