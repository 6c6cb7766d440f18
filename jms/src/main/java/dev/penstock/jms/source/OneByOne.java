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
final class OneByOne implements Receiving {
    private static final int TURN = 64;
    private static final long LONGEST_PAUSE = 16;
    private static final long IDLE_PAUSE = 100;
    private static final long LOOK_NANOS = 5_000_000;

    private final Desk desk;
    private final InOrder order = new InOrder();
    private final Queue<Held> ended = new ConcurrentLinkedQueue<>();
    /** What has begun and was not told yet: those in {@link #ended} included, whatever their connection. */
    private final Set<Held> begun = new HashSet<>();

    private volatile @Nullable Thread parked;
    /** The last one received. */
    private @Nullable Held last;

    private long link;
    private long pause = 1;

    OneByOne(Desk desk) {
        this.desk = desk;
    }

    @Override
    public void run(Connection connection) throws JMSException {
        link++;
        try {
            Acknowledging acknowledging = Acknowledging.in(connection);
            Session session = acknowledging.session();
            Letters letters = acknowledging.isWithSends()
                    ? desk.letters(session, false)
                    : desk.letters(desk.sendingSession(connection), true);
            QueueConsumer consumer = desk.consumer(connection, session, true);
            desk.receives();
            last = null;
            while (!desk.isOver()) {
                tell(letters, acknowledging);
                receive(consumer);
            }
            tell(letters, acknowledging);
        } finally {
            order.forgetWaiting(desk::dropped);
        }
    }

    private void receive(QueueConsumer consumer) throws JMSException {
        int room = desk.roomLeft();
        if (room == 0 || (last != null && last.holdsUpReceiving())) {
            parkUntilSomethingEnds();
            return;
        }
        for (int count = 0; count < Math.min(room, TURN); count++) {
            Message message = consumer.receive(wait(count));
            if (message == null) {
                pause = Math.min(LONGEST_PAUSE, pause * 2);
                return;
            }
            pause = 1;
            last = take(desk.held(message, consumer.leftBody(), link));
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
        return desk.inHand() == 0 ? IDLE_PAUSE : pause;
    }

    private Held take(Held held) {
        Held known = desk.known(held);
        if (known != null) {
            known.deliveredAgain(held);
            if (begun.add(known)) {
                desk.took();
                ended.add(known);
            }
            return known;
        }
        desk.took();
        if (order.mayBegin(held)) {
            begin(held);
        }
        return held;
    }

    private void begin(Held held) {
        begun.add(held);
        Thread.startVirtualThread(() -> {
            desk.handle(held);
            ended.add(held);
            LockSupport.unpark(parked);
        });
    }

    private void tell(Letters letters, Acknowledging acknowledging) throws JMSException {
        List<Held> done = ended();
        if (done.isEmpty()) {
            return;
        }
        try {
            boolean sent = letters.sendAll(done);
            if (acknowledging.isWithSends()) {
                acknowledging.acknowledge(done, sent || desk.awaitsConfirmation(done));
                done.forEach(Held::sent);
            } else {
                done.forEach(Held::sent);
                acknowledging.acknowledge(done, desk.awaitsConfirmation(done));
            }
            done.forEach(desk::acknowledged);
        } finally {
            done.forEach(desk::leaves);
            done.forEach(desk::told);
        }
    }

    /** What has ended since the last time, without what this connection is not to be told. */
    private List<Held> ended() {
        List<Held> done = new ArrayList<>();
        for (Held held = ended.poll(); held != null; held = ended.poll()) {
            begun.remove(held);
            beginNext(held);
            if (held.link() != link || held.isGivenBack()) {
                desk.leaves(held);
                desk.told(held);
            } else {
                done.add(held);
            }
        }
        return done;
    }

    private void beginNext(Held ended) {
        Held next = ended.letsNextBegin() ? order.after(ended) : null;
        if (next == null) {
            return;
        }
        if (desk.isStopping()) {
            begun.add(next);
            next.ended(new Outcome.GivenBack());
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
