package dev.penstock.limit;

import dev.penstock.Rejected;
import dev.penstock.Rejected.Cause;
import dev.penstock.Ticker;
import dev.penstock.limit.UrgencyQueue.QueueState;
import dev.penstock.text.Durations;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
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
 * <p>{@link QueueEntry} explains why a granted permit is not lost. Thread-safe.
 */
final class WaitQueue {
    private final Permits permits;
    private final Ticker ticker;
    private final RetrySchedule retries;
    /** The number of permits that this flow holds; null when the permits are not shared. */
    private final @Nullable AtomicInteger own;

    private final UrgencyQueue<QueueEntry> entries = new UrgencyQueue<>();
    private volatile QueuePolicy policy;
    private volatile QueueState published = QueueState.EMPTY;
    /** The turn at which it was last served, among all queues of the target; guarded by the lock. */
    long lastServed;

    /** An empty queue for permits of the target; {@code random}, which must be thread-safe, spreads the retry-after times. */
    WaitQueue(Permits permits, QueuePolicy policy, Ticker ticker, RandomGenerator random) {
        this.permits = permits;
        this.own = permits.shared ? new AtomicInteger() : null;
        this.policy = policy;
        this.ticker = ticker;
        this.retries = new RetrySchedule(ticker.nanos(), random);
    }

    /** Takes a permit if one is free and no request waits for it. */
    boolean tryAcquire() {
        if (permits.hasWaiters() || !permits.tryTake()) {
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

    /** Releases a permit now. */
    void release() {
        release(ticker.nanos());
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
     * QueueEntry#close}. Rejects when the queue is full, or the time left is too short.
     */
    void enqueue(QueueEntry entry) throws Rejected {
        QueuePolicy current = policy;
        boolean standing = published.isStanding(entry.arrival, current);
        Cause early = current.rejects(entries.ahead(entry), share(), entry.allowed, standing);
        if (early != null) {
            throw onArrival(early, entry.allowed);
        }
        permits.lock.lock();
        try {
            if (tryAcquire()) {
                entry.grantAtOnce();
                return;
            }
            Cause why = entries.offer(
                    entry,
                    share(),
                    policy,
                    shed -> shed.end(
                            rejected(Cause.LIMIT, () -> "displaced from the queue by requests that go first")));
            if (why != null) {
                throw onArrival(why, entry.allowed);
            }
            publish();
            permits.grantFree(entry.arrival);
        } finally {
            permits.lock.unlock();
        }
    }

    /** Parks the calling thread until the state of an entry may have changed; rejects it when its wait is over. */
    void park(QueueEntry entry) {
        long due = entry.dueAt(policy);
        if (Thread.currentThread().isInterrupted()) {
            leave(entry, rejected(Cause.QUEUE, () -> "the caller was interrupted while it waited for a permit"));
        } else if (ticker.nanos() - due >= 0) {
            leave(entry, timedOut(entry.allowed));
        } else {
            ticker.parkUntil(due);
        }
    }

    /** Removes an entry, for this reason if there is one; has no effect on one that was served in the meantime. */
    void leave(QueueEntry entry, @Nullable Rejected why) {
        permits.lock.lock();
        try {
            if (entries.remove(entry)) {
                entry.end(why);
                publish();
            }
        } finally {
            permits.lock.unlock();
        }
    }

    /** Changes the policy, under the lock, and grants permits that have become available. */
    void adapt(UnaryOperator<QueuePolicy> change, long now) {
        permits.lock.lock();
        try {
            policy = change.apply(policy);
            entries.prune(now, policy, this::drop);
            publish();
            permits.grantFree(now);
        } finally {
            permits.lock.unlock();
        }
    }

    /**
     * Grants a permit, which was already taken, to the next waiting request. Called under the lock, with a turn that increases with
     * each permit. Returns false when no request is left; the permit is then unused.
     */
    boolean grantNext(long now, long turn) {
        QueueEntry next = entries.next(now, policy, this::drop);
        publish();
        if (next == null) {
            return false;
        }
        lastServed = turn;
        countTaken();
        next.grant(now);
        return true;
    }

    private void drop(QueueEntry late) {
        late.end(timedOut(late.allowed));
    }

    /** Publishes the state of the queue for threads without the lock. */
    private void publish() {
        QueueState state = entries.state();
        published = state;
        permits.setWaiting(this, state.size() > 0);
    }

    // Rejections are cheap: messages are built only when they are read, from the numbers at the time of rejection.

    /** Rejected on arrival: not queued, or not sent although a permit is free. */
    Rejected onArrival(Cause why, long left) {
        QueuePolicy current = policy;
        int share = share();
        int ahead = waiting();
        return rejected(why, () -> why == Cause.DEADLINE ? current.tooLate(left) : current.full(share, ahead));
    }

    /** Has waited for its maximum time; {@code allowed} is the time from its arrival to its deadline. */
    Rejected timedOut(long allowed) {
        QueuePolicy current = policy;
        int share = share();
        return current.causeOfTimeout(allowed) == Cause.DEADLINE
                ? late()
                : rejected(
                        Cause.QUEUE,
                        () ->
                                "the request waited %s for one of %d permits; send fewer, or let them wait longer (queue time)"
                                        .formatted(Durations.format(current.queueNanos()), share));
    }

    /** Has waited until the time left is too short for an answer. */
    Rejected late() {
        long answer = policy.answerNanos();
        return rejected(
                Cause.DEADLINE,
                () -> "too little time was left after the request waited for a permit"
                        + (answer == 0 ? "" : " (an answer takes about " + Durations.format(answer) + ")"));
    }

    Rejected rejected(Cause why, Supplier<String> message) {
        QueuePolicy current = policy;
        int share = share();
        long queueNanos = current.waitNanos(waiting(), share);
        return new Rejected(why, message, retries.nanos(ticker.nanos(), queueNanos, current.waitNanos(1, share)));
    }

    /** The fair share of this flow. */
    int share() {
        return permits.share(this);
    }

    QueuePolicy policy() {
        return policy;
    }

    /** The number of permits that this flow holds. */
    int out() {
        return own == null ? permits.out() : own.get();
    }

    int waiting() {
        return published.size();
    }

    /** Whether there is standing overload. */
    boolean isStanding() {
        return published.isStanding(ticker.nanos(), policy);
    }
}
