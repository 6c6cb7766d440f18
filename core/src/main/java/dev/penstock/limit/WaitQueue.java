package dev.penstock.limit;

import dev.penstock.Rejected;
import dev.penstock.Ticker;
import dev.penstock.limit.QueueEntry.State;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Hands out permits to one flow, and lets those wait who find none: the threads and locks around a {@link UrgencyQueue}, which
 * decides. {@link Permits} decides which flow is next where several share a target.
 *
 * <h2>Design note</h2>
 *
 * <p>While nobody waits, taking and giving back a permit is one compare-and-set in {@link Permits} each. A lock is taken
 * only to step into the line and out of it. No wake-up is lost, because a waiter first announces itself and then looks at the
 * permits that are out once more, while who gives back first lowers their number and then looks for announcements: both are
 * volatile, so at least one of the two sees the other.
 *
 * <p>Whom the line has no room for is told so without the lock, from what the last one who held it has written down: under
 * overload thousands a second come in vain, and those who get through must not stand in line for a lock behind them. A
 * request may so be refused for a place that came free this very moment; it is never let in by that.
 *
 * <p>{@link QueueEntry} tells why a permit that is handed over is not lost.
 *
 * <p>Safe for many threads.
 */
final class WaitQueue {
    private static final int NOBODY = -1;

    private final Permits permits;
    private final Ticker ticker;
    private final Rejections rejections;
    /** How many this flow has out; null where all that are out are this flow's. */
    private final @Nullable AtomicInteger own;

    private final ReentrantLock lock;
    private final UrgencyQueue<QueueEntry> line = new UrgencyQueue<>();
    private volatile QueuePolicy rules;
    private volatile int waiting;
    private volatile int leastUrgent = NOBODY;
    private volatile long notEmptySince;
    private long lastServed;

    /**
     * A queue in which nobody waits.
     *
     * @param permits what it waits for
     * @param rules who may wait, and for how long
     * @param ticker the clock that waits go by
     * @param random spreads the advice when to come back; safe for many threads
     */
    WaitQueue(Permits permits, QueuePolicy rules, Ticker ticker, RandomGenerator random) {
        this.permits = permits;
        this.lock = permits.lock();
        this.own = permits.isShared() ? new AtomicInteger() : null;
        this.rules = rules;
        this.ticker = ticker;
        this.rejections = new Rejections(this::share, ticker, random);
    }

    /** Takes a permit if one is free and nobody waits for it. */
    boolean tryAcquire() {
        return !permits.areAwaited() && take();
    }

    /** Gives a permit back, to the next in line if there is one. */
    void release(long now) {
        if (own != null) {
            own.decrementAndGet();
        }
        permits.release(now);
    }

    /**
     * Steps into the line, without waiting for anything but the lock. Pair it with {@link #await}, or with {@link #giveUp}.
     *
     * @throws Rejected there is no room, or no time
     */
    void lineUp(QueueEntry me) throws Rejected {
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
        QueuePolicy by = rules;
        boolean standing = ahead > 0 && by.isStanding(arrival - notEmptySince);
        return by.refuse(ahead, share(), allowed, standing);
    }

    private Rejected.@Nullable Cause stepIn(QueueEntry me) {
        lock.lock();
        try {
            if (!permits.areAwaited() && take()) {
                me.grant(me.arrival());
                return null;
            }
            me.waits();
            Rejected.Cause why = line.offer(me, share(), rules, this::shed);
            if (why == null) {
                announce();
                permits.serve(me.arrival());
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
    void await(QueueEntry me) {
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
    void giveUp(QueueEntry place) {
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
    private void leave(QueueEntry me, State as, @Nullable Rejected why) {
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
    void adapt(UnaryOperator<QueuePolicy> change, long now) {
        lock.lock();
        try {
            QueuePolicy changed = change.apply(rules);
            rules = changed;
            if (line.size() > 0) {
                line.prune(now, changed, this::drop);
                announce();
            }
            permits.serve(now);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Hands a permit, which was taken for it, to the next in line. Called under the lock.
     *
     * @param turn grows with each permit that is handed out
     * @return false when nobody is left; the permit is still free then
     */
    boolean serveNext(long now, long turn) {
        QueueEntry next = line.next(now, rules, this::drop);
        announce();
        if (next == null) {
            return false;
        }
        lastServed = turn;
        taken();
        next.grant(now);
        return true;
    }

    private void shed(QueueEntry lessUrgent) {
        putOut(lessUrgent, rejections.shed(rules, waiting));
    }

    private void drop(QueueEntry late) {
        putOut(late, rejections.waitedInVain(late, rules, waiting));
    }

    private static void putOut(QueueEntry left, Rejected why) {
        left.because(why);
        left.step(State.LINED, State.REFUSED);
    }

    /** Writes down, for those who do not hold the lock, how the line stands: {@code waiting} last, for it is read first. */
    private void announce() {
        leastUrgent = line.leastUrgent();
        notEmptySince = line.notEmptySince();
        waiting = line.size();
        permits.announce(this, line.size() > 0);
    }

    private boolean take() {
        if (!permits.take()) {
            return false;
        }
        taken();
        return true;
    }

    private void taken() {
        if (own != null) {
            own.incrementAndGet();
        }
    }

    /** When it was served last, among all queues of its target. */
    long lastServed() {
        return lastServed;
    }

    /** How many permits this flow gets when it waits for more. */
    int share() {
        return permits.share(this);
    }

    Rejections rejections() {
        return rejections;
    }

    QueuePolicy rules() {
        return rules;
    }

    /** How many permits this flow has out. */
    int out() {
        return own == null ? permits.out() : own.get();
    }

    int waiting() {
        return waiting;
    }

    /** Whether there is standing overload. */
    boolean isStanding(long now) {
        return waiting > 0 && rules.isStanding(now - notEmptySince);
    }
}
