package dev.penstock.jms.source;

import dev.penstock.jms.source.HeldMessage.MessageOutcome;
import dev.penstock.source.KeyOrder;
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
 * Acknowledges each message individually when it has ended, on the thread that owns the session. The preferred mode.
 *
 * <h2>Design note</h2>
 *
 * <p>The owner alternates: it receives up to {@value #MAX_PER_ROUND} messages while there is capacity, then acknowledges all
 * that have ended since. It cannot wait for both: an ending does not wake a client's receive. So while messages are in
 * flight it waits for the next one only briefly, from 1 ms up to {@value #MAX_PAUSE} ms, longer the longer nothing
 * happens; that delays an acknowledgement, but never a message.
 *
 * <p>{@link #run} is called by one thread, for one connection after the other; endings come from any thread.
 */
final class IndividualAck implements AckStrategy {
    private static final int MAX_PER_ROUND = 64;
    private static final long MAX_PAUSE = 16;
    private static final long IDLE_PAUSE = 100;
    private static final long POLL_NANOS = 5_000_000;

    private final MessageProcessor processor;
    private final KeyOrder<HeldMessage> order = new KeyOrder<>(HeldMessage::orderKey);
    private final Queue<HeldMessage> ended = new ConcurrentLinkedQueue<>();
    /** Started and not settled, including those in {@link #ended}, of any connection. */
    private final Set<HeldMessage> started = new HashSet<>();

    private volatile @Nullable Thread parked;
    /** The last message received. */
    private @Nullable HeldMessage last;

    private long connectionId;
    private long pause = 1;

    IndividualAck(MessageProcessor processor) {
        this.processor = processor;
    }

    @Override
    public void run(Connection connection) throws JMSException {
        connectionId++;
        try {
            IndividualReceiver receiver = processor.receiver(connection);
            Session transaction = receiver.transaction();
            DeadLetterSender deadLetterSender = processor.deadLetterSender(
                    transaction == null ? processor.sendingSession(connection) : transaction);
            processor.health().receiving();
            last = null;
            while (!processor.isConnectionOver()) {
                acknowledgeEnded(deadLetterSender, receiver);
                receive(receiver);
            }
            acknowledgeEnded(deadLetterSender, receiver);
        } finally {
            order.forgetWaiting(processor::dropped);
        }
    }

    private void receive(IndividualReceiver receiver) throws JMSException {
        int capacity = processor.capacityLeft();
        if (capacity == 0 || (last != null && last.holdsUpReceiving())) {
            parkUntilEnding();
            return;
        }
        for (int count = 0; count < Math.min(capacity, MAX_PER_ROUND); count++) {
            Message message = receiver.receive(wait(count));
            if (message == null) {
                pause = Math.min(MAX_PAUSE, pause * 2);
                processor.oneByOne().nothingReceived();
                return;
            }
            pause = 1;
            last = take(processor.held(message, receiver.bodyLeftAtBroker(), connectionId));
            if (last.holdsUpReceiving()) {
                return;
            }
        }
    }

    /** How long to wait for a message, in milliseconds. */
    private long wait(int count) {
        if (count > 0 || !ended.isEmpty()) {
            return 1;
        }
        return processor.inFlight() == 0 ? IDLE_PAUSE : pause;
    }

    private HeldMessage take(HeldMessage held) {
        HeldMessage earlier = processor.findEarlier(held);
        if (earlier != null) {
            earlier.deliveredAgain(held);
            if (started.add(earlier)) {
                processor.received();
                ended.add(earlier);
            }
            return earlier;
        }
        processor.received();
        if (order.mayStart(held)) {
            start(held);
        }
        return held;
    }

    private void start(HeldMessage held) {
        started.add(held);
        Thread.ofVirtual().name("penstock-jms-message").start(() -> {
            processor.handle(held);
            ended.add(held);
            LockSupport.unpark(parked);
        });
    }

    private void acknowledgeEnded(DeadLetterSender deadLetterSender, IndividualReceiver receiver) throws JMSException {
        List<HeldMessage> done = ended();
        if (done.isEmpty()) {
            return;
        }
        try {
            boolean sent = deadLetterSender.sendAll(done);
            if (receiver.transaction() != null) {
                receiver.acknowledge(done, sent || processor.awaitsConfirmation(done));
                done.forEach(HeldMessage::sent);
            } else {
                done.forEach(HeldMessage::sent);
                receiver.acknowledge(done, processor.awaitsConfirmation(done));
            }
            done.forEach(processor::acknowledged);
        } finally {
            done.forEach(processor::release);
            done.forEach(processor::settled);
        }
    }

    /** The messages that have ended since the last call, without those that this connection does not acknowledge. */
    private List<HeldMessage> ended() {
        List<HeldMessage> done = new ArrayList<>();
        for (HeldMessage held = ended.poll(); held != null; held = ended.poll()) {
            started.remove(held);
            startNext(held);
            if (held.connectionId() != connectionId || held.isGivenBack()) {
                processor.release(held);
                processor.settled(held);
            } else {
                done.add(held);
            }
        }
        return done;
    }

    private void startNext(HeldMessage ended) {
        HeldMessage next = ended.startsNext() ? order.after(ended) : null;
        if (next == null) {
            return;
        }
        if (processor.isStopping()) {
            started.add(next);
            next.ended(new MessageOutcome.GivenBack());
            this.ended.add(next);
        } else {
            start(next);
        }
    }

    private void parkUntilEnding() {
        parked = Thread.currentThread();
        if (ended.isEmpty()) {
            LockSupport.parkNanos(this, POLL_NANOS);
        }
        parked = null;
    }
}
