package dev.penstock.limit;

import java.util.Comparator;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;

/**
 * The permits of one target, and the queues of the flows that wait for them.
 *
 * <p>A free permit goes to the flow that holds the fewest permits; among equals, to the one that was served least recently.
 * This is max-min fairness: flows with enough requests get equal shares, a flow that needs less than its share gets all that
 * it needs, and a flow without requests takes nothing from the others.
 *
 * <p>Thread-safe. One lock guards all queues; it is not taken while no request waits.
 */
final class Permits {
    private static final Comparator<WaitQueue> FAIREST_FIRST =
            Comparator.comparingInt(WaitQueue::out).thenComparingLong(queue -> queue.lastServed);

    /** Guards all queues. */
    final ReentrantLock lock = new ReentrantLock();
    /** Whether several flows share them. */
    final boolean shared;

    private final IntSupplier total;
    private final AtomicInteger out = new AtomicInteger();
    private final CopyOnWriteArrayList<WaitQueue> waiting = new CopyOnWriteArrayList<>();
    /** The most that were out or waited for at once since the last {@link #takePeak}; 0 when they are not shared. */
    private final AtomicInteger peak = new AtomicInteger();

    private long turns;

    /** Permits that are all free; {@code total} supplies their number. */
    Permits(IntSupplier total, boolean shared) {
        this.total = total;
        this.shared = shared;
    }

    /** Whether any request waits, in any queue. */
    boolean hasWaiters() {
        return !waiting.isEmpty();
    }

    /** Takes a permit if one is free. */
    boolean tryTake() {
        int all = total.getAsInt();
        int now = out.get();
        while (now < all) {
            if (out.compareAndSet(now, now + 1)) {
                wanted(now + 1);
                return true;
            }
            now = out.get();
        }
        return false;
    }

    private void wanted(int permits) {
        if (shared && permits > peak.get()) {
            peak.accumulateAndGet(permits, Math::max);
        }
    }

    /** A request has found no permit. */
    void lacked() {
        if (shared) {
            wanted(wantedNow() + 1);
        }
    }

    private int wantedNow() {
        int all = out.get();
        for (WaitQueue queue : waiting) {
            all += queue.waiting();
        }
        return all;
    }

    /** The most permits that were in use or waited for at once since this was called before. */
    int takePeak() {
        int now = wantedNow();
        return Math.max(now, peak.getAndSet(now));
    }

    /** Releases a permit; a waiting request gets it if there is one. */
    void release(long now) {
        out.decrementAndGet();
        grantWaiting(now);
    }

    /** Grants free permits to waiting requests, for instance after their number has changed. */
    void grantWaiting(long now) {
        if (hasWaiters()) {
            lock.lock();
            try {
                grantFree(now);
            } finally {
                lock.unlock();
            }
        }
    }

    /** Records whether any request waits in a queue. Call it under the lock. */
    void setWaiting(WaitQueue queue, boolean waits) {
        if (waits) {
            waiting.addIfAbsent(queue);
        } else {
            waiting.remove(queue);
        }
    }

    /** Grants free permits to waiting requests. Call it under the lock. */
    void grantFree(long now) {
        while (hasWaiters() && tryTake()) {
            WaitQueue next = waiting.size() == 1
                    ? waiting.getFirst()
                    : waiting.stream().min(FAIREST_FIRST).orElseThrow();
            if (!next.grantNext(now, ++turns)) {
                out.decrementAndGet();
            }
        }
    }

    /**
     * The fair share of a flow with waiting requests: all permits except those held by flows without waiting requests,
     * divided by the number of flows with waiting requests; at least 1.
     */
    int share(WaitQueue of) {
        int all = total.getAsInt();
        if (!shared) {
            return all;
        }
        int toDivide = all - out.get() + of.out();
        int among = 1;
        for (WaitQueue other : waiting) {
            if (other != of) {
                toDivide += other.out();
                among++;
            }
        }
        return Math.max(1, toDivide / among);
    }

    /** The number of permits held by all flows. */
    int out() {
        return out.get();
    }
}
