package dev.penstock.jms.source;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The best rung: each message is acknowledged on its own when it has ended, by the one thread that owns the session.
 *
 * <h2>Design note</h2>
 *
 * <p>The owner takes turns. It receives while there is room and there are messages, up to {@value #TURN} of them, then tells
 * the broker of all that have ended since. It cannot wait for both at once: a client's receive is not woken by an ending. So
 * while messages are in hand it waits for the next one only briefly, from 1 ms up to {@value #LONGEST_PAUSE} ms, longer the
 * longer nothing happens; that delays an acknowledgement, and never a message.
 *
 * <p>{@link #run} is called by one thread, one connection after the other; endings come from any thread.
 */
final class IndividualAck implements AckStrategy {
    private static final int TURN = 64;
    private static final long LONGEST_PAUSE = 16;
    private static final long IDLE_PAUSE = 100;
    private static final long LOOK_NANOS = 5_000_000;

    private final MessageProcessor messageProcessor;
    private final KeyOrder order = new KeyOrder();
    private final Queue<HeldMessage> ended = new ConcurrentLinkedQueue<>();
    /** What has begun and was not told yet: those in {@link #ended} included, whatever their connection. */
    private final Set<HeldMessage> begun = new HashSet<>();

    private volatile @Nullable Thread parked;
    /** The last one received. */
    private @Nullable HeldMessage last;

    private long link;
    private long pause = 1;

    IndividualAck(MessageProcessor messageProcessor) {
        this.messageProcessor = messageProcessor;
    }

    @Override
    public void run(Connection connection) throws JMSException {
        link++;
        try {
            IndividualAcknowledger acknowledging = IndividualAcknowledger.in(connection);
            Session session = acknowledging.session();
            DeadLetterSender deadLetterSender = acknowledging.isWithSends()
                    ? messageProcessor.deadLetterSender(session, false)
                    : messageProcessor.deadLetterSender(messageProcessor.sendingSession(connection), true);
            QueueConsumer consumer = messageProcessor.consumer(connection, session, true);
            messageProcessor.receives();
            last = null;
            while (!messageProcessor.isOver()) {
                tell(deadLetterSender, acknowledging);
                receive(consumer);
            }
            tell(deadLetterSender, acknowledging);
        } finally {
            order.forgetWaiting(messageProcessor::dropped);
        }
    }

    private void receive(QueueConsumer consumer) throws JMSException {
        int prefetchWindow = messageProcessor.roomLeft();
        if (prefetchWindow == 0 || (last != null && last.holdsUpReceiving())) {
            parkUntilSomethingEnds();
            return;
        }
        for (int count = 0; count < Math.min(prefetchWindow, TURN); count++) {
            Message message = consumer.receive(wait(count));
            if (message == null) {
                pause = Math.min(LONGEST_PAUSE, pause * 2);
                return;
            }
            pause = 1;
            last = take(messageProcessor.held(message, consumer.leftBody(), link));
            if (last.holdsUpReceiving()) {
                return;
            }
        }
    }

    /** How long to wait for a message, in ms. */
    private long wait(int count) {
        if (count > 0 || !ended.isEmpty()) {
            return 1;
        }
        return messageProcessor.inHand() == 0 ? IDLE_PAUSE : pause;
    }

    private HeldMessage take(HeldMessage held) {
        HeldMessage known = messageProcessor.known(held);
        if (known != null) {
            known.deliveredAgain(held);
            if (begun.add(known)) {
                messageProcessor.took();
                ended.add(known);
            }
            return known;
        }
        messageProcessor.took();
        if (order.mayBegin(held)) {
            begin(held);
        }
        return held;
    }

    private void begin(HeldMessage held) {
        begun.add(held);
        Thread.startVirtualThread(() -> {
            messageProcessor.handle(held);
            ended.add(held);
            LockSupport.unpark(parked);
        });
    }

    private void tell(DeadLetterSender deadLetterSender, IndividualAcknowledger acknowledging) throws JMSException {
        List<HeldMessage> done = ended();
        if (done.isEmpty()) {
            return;
        }
        try {
            boolean sent = deadLetterSender.sendAll(done);
            if (acknowledging.isWithSends()) {
                acknowledging.acknowledge(done, sent || messageProcessor.awaitsConfirmation(done));
                done.forEach(HeldMessage::sent);
            } else {
                done.forEach(HeldMessage::sent);
                acknowledging.acknowledge(done, messageProcessor.awaitsConfirmation(done));
            }
            done.forEach(messageProcessor::acknowledged);
        } finally {
            done.forEach(messageProcessor::leaves);
            done.forEach(messageProcessor::told);
        }
    }

    /** What has ended since the last time, without what this connection is not to be told. */
    private List<HeldMessage> ended() {
        List<HeldMessage> done = new ArrayList<>();
        for (HeldMessage held = ended.poll(); held != null; held = ended.poll()) {
            begun.remove(held);
            beginNext(held);
            if (held.link() != link || held.isGivenBack()) {
                messageProcessor.leaves(held);
                messageProcessor.told(held);
            } else {
                done.add(held);
            }
        }
        return done;
    }

    private void beginNext(HeldMessage ended) {
        HeldMessage next = ended.letsNextBegin() ? order.after(ended) : null;
        if (next == null) {
            return;
        }
        if (messageProcessor.isStopping()) {
            begun.add(next);
            next.ended(new MessageOutcome.GivenBack());
            this.ended.add(next);
        } else {
            begin(next);
        }
    }

    private void parkUntilSomethingEnds() {
        parked = Thread.currentThread();
        if (ended.isEmpty()) {
            LockSupport.parkNanos(this, LOOK_NANOS);
        }
        parked = null;
    }
}
