package dev.penstock.jms.source;

import dev.penstock.Unanswered;
import dev.penstock.jms.JmsMessage;
import dev.penstock.jms.MessageMapper;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * A message in flight, kept for a while afterwards. Its delivery belongs to the thread that owns the session; its
 * outcome may be read by any thread.
 */
final class HeldMessage {
    static final int NO_ATTEMPT = -1;

    private static final MessageOutcome NOTHING_TO_SEND = new MessageOutcome.Done(null);

    private final @Nullable String id;
    private final @Nullable String orderKey;
    private final CountDownLatch endedLatch = new CountDownLatch(1);
    private volatile @Nullable Message message;
    private volatile @Nullable JmsMessage read;
    private volatile boolean bodyLeftAtBroker;
    private volatile long connectionId;
    private boolean startedNext;
    private int attempt = NO_ATTEMPT;
    private volatile @Nullable MessageOutcome outcome;

    /**
     * A received message.
     *
     * @param read its content, if it had to be read immediately
     * @param bodyLeftAtBroker whether its body is too large and still at the broker
     */
    HeldMessage(
            Message message,
            @Nullable JmsMessage read,
            boolean bodyLeftAtBroker,
            long connectionId,
            @Nullable String id,
            @Nullable String orderKey) {
        this.message = message;
        this.read = read;
        this.bodyLeftAtBroker = bodyLeftAtBroker;
        this.connectionId = connectionId;
        this.id = id;
        this.orderKey = orderKey;
    }

    @Nullable
    String id() {
        return id;
    }

    /** The key whose messages are processed in order; null for none. */
    @Nullable
    String orderKey() {
        return orderKey;
    }

    /** The connection of the latest delivery. */
    long connectionId() {
        return connectionId;
    }

    /**
     * The latest delivery.
     *
     * @throws IllegalStateException when it was settled already
     */
    Message message() {
        Message delivered = message;
        if (delivered == null) {
            throw new IllegalStateException("message " + id + " is already settled");
        }
        return delivered;
    }

    /**
     * The content of the latest delivery.
     *
     * @throws JMSException when it cannot be read
     */
    JmsMessage read() throws JMSException {
        JmsMessage known = read;
        if (known == null) {
            // Kept, because a client returns the bytes of a message only once.
            known = JmsMessage.of(message());
            read = known;
        }
        return known;
    }

    /** Whether its body would be lost with the next receive, and it is not settled yet. */
    boolean holdsUpReceiving() {
        Message delivered = message;
        return delivered != null && read == null && MessageMapper.isStreamed(delivered);
    }

    /** Whether its body is too large for memory and still at the broker. */
    boolean bodyLeftAtBroker() {
        return bodyLeftAtBroker;
    }

    /** It was delivered again: the new delivery is the one to acknowledge. */
    void deliveredAgain(HeldMessage redelivery) {
        read = redelivery.read;
        bodyLeftAtBroker = redelivery.bodyLeftAtBroker;
        message = redelivery.message;
        connectionId = redelivery.connectionId;
    }

    /** The delivery was settled, or cannot be: it is no longer needed. */
    void forgetDelivery() {
        message = null;
        read = null;
    }

    /** Whether the next message of its order key may start now: true once, however often it is delivered. */
    boolean startsNext() {
        boolean first = !startedNext;
        startedNext = true;
        return first;
    }

    /** The record of this attempt in the file; {@link #NO_ATTEMPT} for none. */
    synchronized int attempt() {
        return attempt;
    }

    synchronized void attempt(int recorded) {
        attempt = recorded;
    }

    void ended(MessageOutcome how) {
        outcome = how;
        endedLatch.countDown();
    }

    /** Its dead letter was sent: if it is delivered again, it only has to be acknowledged. */
    void sent() {
        outcome = NOTHING_TO_SEND;
    }

    /** The outcome; null while it is unknown. */
    @Nullable
    MessageOutcome outcome() {
        return outcome;
    }

    /** Waits for the outcome, for a second delivery of a message that is still being processed. */
    void awaitOutcome() throws InterruptedException {
        endedLatch.await();
    }

    boolean isGivenBack() {
        return outcome instanceof MessageOutcome.GivenBack;
    }

    /** The outcome of a message, for good or for this process. */
    sealed interface MessageOutcome {
        /**
         * Answered.
         *
         * @param reply the reply to send; null for none
         */
        record Done(@Nullable JmsMessage reply) implements MessageOutcome {}

        /**
         * Becomes a dead letter.
         *
         * @param why how the last attempt ended
         * @param attempts the number of attempts by this process
         */
        record Dead(Unanswered why, int attempts) implements MessageOutcome {}

        /**
         * To be delivered again, to any consumer.
         *
         * @param mayHaveEffect whether it was sent, and its ending could not be recorded
         */
        record GivenBack(boolean mayHaveEffect) implements MessageOutcome {
            /** Without effect. */
            GivenBack() {
                this(false);
            }
        }
    }
}
