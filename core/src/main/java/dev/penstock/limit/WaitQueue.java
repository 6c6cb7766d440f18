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
 * The permits and the wait queue of one flow: the threads and locks around a {@link UrgencyQueue}, which decides. {@link
 * Permits} decides which flow is next when several share a target.
 *
 * <h2>Design note</h2>
 *
 * <p>While no request waits, acquiring and releasing a permit each take one compare-and-set in {@link Permits}. The lock is
 * taken only to enter and to leave the queue. No wake-up is lost: a waiter first publishes itself and then checks the permits
 * again, while a releasing thread first lowers their number and then checks for waiters. Both are volatile, so at least one
 * of the two sees the other.
 *
 * <p>A full queue rejects without taking the lock, using state published by the last lock holder. Under overload thousands of
 * requests per second are rejected, and the admitted ones must not compete with them for the lock. So a request may be
 * rejected although a position has just become free; it is never admitted wrongly.
 *
 * <p>{@link QueueEntry} explains why a granted permit is not lost.
 *
 * <p>Thread-safe.
 */
final class WaitQueue {
    private static final int NONE = -1;

    private final Permits permits;
    private final Ticker ticker;
    private final Rejections rejections;
    /** The number of permits that this flow holds; null when the permits are not shared. */
    private final @Nullable AtomicInteger own;

    private final ReentrantLock lock;
    private final UrgencyQueue<QueueEntry> entries = new UrgencyQueue<>();
    private volatile QueuePolicy policy;
    private volatile int waiting;
    private volatile int leastUrgent = NONE;
    private volatile long notEmptySince;
    private long lastServed;

    /** An empty queue for permits of the target; {@code random}, which must be thread-safe, spreads the retry-after times. */
    WaitQueue(Permits permits, QueuePolicy policy, Ticker ticker, RandomGenerator random) {
        this.permits = permits;
        this.lock = permits.lock();
        this.own = permits.isShared() ? new AtomicInteger() : null;
        this.policy = policy;
        this.ticker = ticker;
        this.rejections = new Rejections(this::policy, this::share, this::waiting, ticker, random);
    }

    /** Takes a permit if one is free and no request waits for it. */
    boolean tryAcquire() {
        return !permits.hasWaiters() && tryTake();
    }

    /** Releases a permit; the next waiting request gets it. */
    void release(long now) {
        if (own != null) {
            own.decrementAndGet();
        }
        permits.release(now);
    }

    /**
     * Enters the queue, without waiting for anything but the lock. Follow it by {@link QueueEntry#await} or {@link
     * QueueEntry#close}.
     *
     * @throws Rejected when the queue is full, or the time left is too short
     */
    void enqueue(QueueEntry entry) throws Rejected {
        Rejected.Cause why = tryEnqueue(entry);
        if (why != null) {
            throw rejections.onArrival(why, entry.allowed());
        }
    }

    /**
     * Checks a new request without the lock and without allocation.
     *
     * @return the cause of rejection, or null to enter the queue
     */
    Rejected.@Nullable Cause rejectEarly(long arrival, long allowed, int urgency) {
        int ahead = waiting;
        int least = leastUrgent;
        // No urgency although requests wait: the queue is being emptied right now.
        if (ahead > 0 && (least == NONE || urgency < least)) {
            return null;
        }
        QueuePolicy by = policy;
        boolean standing = ahead > 0 && by.isStanding(arrival - notEmptySince);
        return by.rejects(ahead, share(), allowed, standing);
    }

    private Rejected.@Nullable Cause tryEnqueue(QueueEntry entry) {
        lock.lock();
        try {
            if (!permits.hasWaiters() && tryTake()) {
                entry.grant(entry.arrival());
                return null;
            }
            entry.markWaited();
            Rejected.Cause why = entries.offer(entry, share(), policy, this::shed);
            if (why == null) {
                publishState();
                permits.grantFree(entry.arrival());
            }
            return why;
        } finally {
            lock.unlock();
        }
    }

    /** Parks the calling thread until the state of an entry may have changed; rejects it when its wait is over. */
    void park(QueueEntry entry) {
        long due = entry.dueAt(policy);
        if (Thread.currentThread().isInterrupted()) {
            String message = "the caller was interrupted while it waited for a permit";
            remove(entry, State.REJECTED, rejections.of(Rejected.Cause.QUEUE, () -> message));
        } else if (ticker.nanos() - due >= 0) {
            remove(entry, State.REJECTED, rejections.timedOut(entry.allowed()));
        } else {
            ticker.parkUntil(due);
        }
    }

    /** Removes an entry from the queue; has no effect on one that was served in the meantime. */
    void remove(QueueEntry entry, State as, @Nullable Rejected why) {
        lock.lock();
        try {
            if (entries.remove(entry)) {
                entry.setRejection(why);
                entry.transition(State.QUEUED, as);
                publishState();
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Changes the policy, and grants permits that have become available.
     *
     * @param change computes the new policy from the current one, under the lock
     */
    void adapt(UnaryOperator<QueuePolicy> change, long now) {
        lock.lock();
        try {
            policy = change.apply(policy);
            if (entries.size() > 0) {
                entries.prune(now, policy, this::drop);
                publishState();
            }
            permits.grantFree(now);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Grants a permit, which was already taken, to the next waiting request. Called under the lock.
     *
     * @param turn increases with each permit granted
     * @return false when no request is left; the permit is then unused
     */
    boolean grantNext(long now, long turn) {
        QueueEntry next = entries.next(now, policy, this::drop);
        publishState();
        if (next == null) {
            return false;
        }
        lastServed = turn;
        countTaken();
        next.grant(now);
        return true;
    }

    private void shed(QueueEntry lessUrgent) {
        String message = "displaced from the queue by more urgent requests";
        reject(lessUrgent, rejections.of(Rejected.Cause.LIMIT, () -> message));
    }

    private void drop(QueueEntry late) {
        reject(late, rejections.timedOut(late.allowed()));
    }

    private static void reject(QueueEntry removed, Rejected why) {
        removed.setRejection(why);
        removed.transition(State.QUEUED, State.REJECTED);
    }

    /** Publishes the state of the queue for threads without the lock: {@code waiting} last, because it is read first. */
    private void publishState() {
        leastUrgent = entries.leastUrgent();
        notEmptySince = entries.notEmptySince();
        waiting = entries.size();
        permits.setWaiting(this, entries.size() > 0);
    }

    private boolean tryTake() {
        if (!permits.tryTake()) {
            return false;
        }
        countTaken();
        return true;
    }

    private void countTaken() {
        if (own != null) {
            own.incrementAndGet();
        }
    }

    /** The turn at which it was last served, among all queues of the target. */
    long lastServed() {
        return lastServed;
    }

    /** The fair share of this flow. */
    int share() {
        return permits.share(this);
    }

    Rejections rejections() {
        return rejections;
    }

    QueuePolicy policy() {
        return policy;
    }

    long now() {
        return ticker.nanos();
    }

    /** The number of permits that this flow holds. */
    int out() {
        return own == null ? permits.out() : own.get();
    }

    int waiting() {
        return waiting;
    }

    /** Whether there is standing overload. */
    boolean isStanding(long now) {
        return waiting > 0 && policy.isStanding(now - notEmptySince);
    }
}
