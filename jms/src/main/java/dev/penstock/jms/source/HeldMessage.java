package dev.penstock.jms.source;

import dev.penstock.jms.JmsMessage;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * A message in hand, and for a while after. What it says of its delivery belongs to the thread that owns the session; its
 * outcome may be read by any.
 */
final class HeldMessage {
    static final int NO_ATTEMPT = -1;

    private static final MessageOutcome NOTHING_TO_SEND = new MessageOutcome.Done(null);

    private final @Nullable String id;
    private final @Nullable String orderKey;
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile @Nullable Message message;
    private volatile @Nullable JmsMessage read;
    private volatile boolean leftBody;
    private volatile long link;
    private boolean stoodInOrder;
    private int attempt = NO_ATTEMPT;
    private volatile @Nullable MessageOutcome outcome;

    HeldMessage(Message message, long link, @Nullable String id, @Nullable String orderKey) {
        this(message, null, false, link, id, orderKey);
    }

    /**
     * A message that was received.
     *
     * @param read what it says, when it had to be read at once
     * @param leftBody whether its body is still at the broker, as it is too large
     */
    HeldMessage(
            Message message,
            @Nullable JmsMessage read,
            boolean leftBody,
            long link,
            @Nullable String id,
            @Nullable String orderKey) {
        this.message = message;
        this.read = read;
        this.leftBody = leftBody;
        this.link = link;
        this.id = id;
        this.orderKey = orderKey;
    }

    @Nullable
    String id() {
        return id;
    }

    /** Of which key it is, where messages of a key are carried in order; null where they are not. */
    @Nullable
    String orderKey() {
        return orderKey;
    }

    /** The connection of its latest delivery. */
    long link() {
        return link;
    }

    /**
     * Its latest delivery.
     *
     * @throws IllegalStateException the broker was told of it already
     */
    Message message() {
        Message delivered = message;
        if (delivered == null) {
            throw new IllegalStateException("message " + id + " is not in hand any more");
        }
        return delivered;
    }

    /**
     * What its latest delivery says.
     *
     * @throws JMSException it cannot be read
     */
    JmsMessage read() throws JMSException {
        JmsMessage known = read;
        return known == null ? JmsMessage.of(message()) : known;
    }

    /** Whether its body is lost with the next receive, and the broker still is to be told of it. */
    boolean holdsUpReceiving() {
        Message delivered = message;
        return delivered != null && read == null && JmsMessage.isStreamed(delivered);
    }

    /** Whether its body is too large to be read into memory, and still at the broker. */
    boolean leftBody() {
        return leftBody;
    }

    /** It was delivered again: that is the one to acknowledge. */
    void deliveredAgain(HeldMessage anew) {
        read = anew.read;
        leftBody = anew.leftBody;
        message = anew.message;
        link = anew.link;
    }

    /** The broker was told, or cannot be: nothing more is wanted of this delivery. */
    void letGo() {
        message = null;
        read = null;
    }

    /** Whether the next of its order key may begin now for it: once, however often it is delivered. */
    boolean letsNextBegin() {
        boolean first = !stoodInOrder;
        stoodInOrder = true;
        return first;
    }

    /** Where it is noted that this process has begun with it; {@link #NO_ATTEMPT} for nowhere. */
    synchronized int attempt() {
        return attempt;
    }

    synchronized void attempt(int noted) {
        attempt = noted;
    }

    void ended(MessageOutcome how) {
        outcome = how;
        over.countDown();
    }

    /** What its outcome asks for is sent: should it be delivered again, there is nothing left to do but acknowledge it. */
    void sent() {
        outcome = NOTHING_TO_SEND;
    }

    /** What became of it; null while that is not known. */
    @Nullable
    MessageOutcome outcome() {
        return outcome;
    }

    /** Waits until its outcome is known: for who has the second delivery of what is in process. */
    void awaitOutcome() throws InterruptedException {
        over.await();
    }

    boolean isGivenBack() {
        return outcome instanceof MessageOutcome.GivenBack;
    }
}
