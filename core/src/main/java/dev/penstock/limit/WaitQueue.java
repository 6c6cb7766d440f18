package dev.penstock.limit;

import dev.penstock.Rejected;
import dev.penstock.Ticker;
import dev.penstock.limit.Waiter.State;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Hands out permits, and lets those wait who find none: the threads and locks around a {@link WaitLine}, which decides.
 *
 * <h2>Design note</h2>
 *
 * <p>While nobody waits, taking and giving back a permit is one compare-and-set of {@code out} each. A lock is taken only
 * to step into the line and out of it. No wake-up is lost, because a waiter first announces itself ({@code waiting}) and
 * then looks at {@code out} once more, while who gives back first lowers {@code out} and then looks at {@code waiting}:
 * both are volatile, so at least one of the two sees the other.
 *
 * <p>Whom the line has no room for is told so without the lock, from what the last one who held it has written down: under
 * overload thousands a second come in vain, and those who get through must not stand in line for a lock behind them. A
 * request may so be refused for a place that came free this very moment; it is never let in by that.
 *
 * <p>{@link Waiter} tells why a permit that is handed over is not lost.
 *
 * <p>Safe for many threads.
 */
final class WaitQueue {
    private static final int NOBODY = -1;

    private final IntSupplier permits;
    private final Ticker ticker;
    private final Rejections rejections;
    private final AtomicInteger out = new AtomicInteger();
    private final ReentrantLock lock = new ReentrantLock();
    private final WaitLine<Waiter> line = new WaitLine<>();
    private volatile LineRules rules;
    private volatile int waiting;
    private volatile int leastUrgent = NOBODY;
    private volatile long notEmptySince;

    WaitQueue(IntSupplier permits, LineRules rules, Ticker ticker, Rejections rejections) {
        this.permits = permits;
        this.rules = rules;
        this.ticker = ticker;
        this.rejections = rejections;
    }

    /** Takes a permit if one is free and nobody waits for it. */
    boolean tryAcquire() {
        return waiting == 0 && take();
    }

    /** Gives a permit back, to the next in line if there is one. */
    void release(long now) {
        out.decrementAndGet();
        if (waiting > 0) {
            serveLocked(now);
        }
    }

    /**
     * Steps into the line, without waiting for anything but the lock. Pair it with {@link #await}, or with {@link #giveUp}.
     *
     * @throws Rejected there is no room, or no time
     */
    void lineUp(Waiter me) throws Rejected {
        Rejected.Cause why = stepIn(me);
        if (why != null) {
            throw rejections.atDoor(why, me.allowed(), rules, waiting);
        }
    }

    /**
     * Why one who comes now need not step into the line at all, told without the lock and before anything is made for it;
     * null to step in.
     */
    Rejected.@Nullable Cause refuseAtOnce(long arrival, long allowed, int urgency) {
        int ahead = waiting;
        int least = leastUrgent;
        // Nobody, though somebody waited: the line is being emptied this very moment.
        if (ahead > 0 && (least == NOBODY || urgency < least)) {
            return null;
        }
        LineRules by = rules;
        boolean standing = ahead > 0 && by.isStanding(arrival - notEmptySince);
        return by.refuse(ahead, permits.getAsInt(), allowed, standing);
    }

    private Rejected.@Nullable Cause stepIn(Waiter me) {
        lock.lock();
        try {
            if (line.size() == 0 && take()) {
                me.grant(me.arrival());
                return null;
            }
            me.waits();
            Rejected.Cause why = line.offer(me, permits.getAsInt(), rules, this::shed);
            if (why == null) {
                announce();
                serve(me.arrival());
            }
            return why;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits, on the thread that has claimed it, until it is granted or not to be: then its state is GRANTED, REFUSED or
     * CLOSED. When the thread is interrupted it steps out of the line; its interrupt status stays set.
     */
    void await(Waiter me) {
        while (me.state() == State.LINED) {
            if (Thread.currentThread().isInterrupted()) {
                leave(me, State.REFUSED, rejections.interrupted(rules, waiting));
                return;
            }
            long due = me.dueAt(rules);
            if (ticker.nanos() - due >= 0) {
                leave(me, State.REFUSED, rejections.waitedInVain(me, rules, waiting));
                return;
            }
            ticker.parkUntil(due);
        }
    }

    /** Gives a place back, wherever it stands: out of the line, or with its permit. Does nothing when it is used or gone. */
    void giveUp(Waiter place) {
        while (true) {
            switch (place.state()) {
                case LINED -> leave(place, State.CLOSED, null);
                case GRANTED -> {
                    if (place.step(State.GRANTED, State.CLOSED)) {
                        release(ticker.nanos());
                    }
                }
                case USED, REFUSED, CLOSED -> {
                    return;
                }
            }
        }
    }

    /** Steps out of the line; who has been served in the same moment is left as it is, whatever made it leave. */
    private void leave(Waiter me, State as, @Nullable Rejected why) {
        lock.lock();
        try {
            if (line.leave(me)) {
                me.because(why);
                me.step(State.LINED, as);
                announce();
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Goes by other rules from now on, and perhaps by more permits.
     *
     * @param change what becomes of the rules; several change parts of them, one after the other
     */
    void adapt(UnaryOperator<LineRules> change, long now) {
        lock.lock();
        try {
            LineRules changed = change.apply(rules);
            rules = changed;
            if (line.size() > 0) {
                line.prune(now, changed, this::drop);
                announce();
                serve(now);
            }
        } finally {
            lock.unlock();
        }
    }

    private void serveLocked(long now) {
        lock.lock();
        try {
            serve(now);
        } finally {
            lock.unlock();
        }
    }

    private void serve(long now) {
        while (line.size() > 0 && take()) {
            Waiter next = line.next(now, rules, this::drop);
            if (next == null) {
                out.decrementAndGet();
            } else {
                next.grant(now);
            }
        }
        announce();
    }

    private void shed(Waiter lessUrgent) {
        putOut(lessUrgent, rejections.shed(rules, waiting));
    }

    private void drop(Waiter late) {
        putOut(late, rejections.waitedInVain(late, rules, waiting));
    }

    private static void putOut(Waiter left, Rejected why) {
        left.because(why);
        left.step(State.LINED, State.REFUSED);
    }

    /** Writes down, for those who do not hold the lock, how the line stands: {@code waiting} last, for it is read first. */
    private void announce() {
        leastUrgent = line.leastUrgent();
        notEmptySince = line.notEmptySince();
        waiting = line.size();
    }

    private boolean take() {
        int most = permits.getAsInt();
        int now = out.get();
        while (now < most) {
            if (out.compareAndSet(now, now + 1)) {
                return true;
            }
            now = out.get();
        }
        return false;
    }

    LineRules rules() {
        return rules;
    }

    int out() {
        return out.get();
    }

    int waiting() {
        return waiting;
    }

    /** Whether there is standing overload. */
    boolean isStanding(long now) {
        return waiting > 0 && rules.isStanding(now - notEmptySince);
    }
}
