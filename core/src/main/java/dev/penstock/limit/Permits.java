package dev.penstock.limit;

import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;
import java.util.stream.Stream;

/**
 * The permits of one target, and the queues of the flows that wait for them.
 *
 * <p>A free permit goes to the queue whose flow has the fewest permits out; among equals, to the one that was served longest
 * ago. This is max-min fairness: flows with enough requests get equal shares, a flow that needs less than its share gets all
 * that it needs, and a flow without requests takes nothing from the others.
 *
 * <p>Safe for many threads. One lock guards the lines of all queues; while nobody waits it is not taken.
 */
final class Permits {
    private static final Comparator<WaitQueue> FAIREST_FIRST =
            Comparator.comparingInt(WaitQueue::out).thenComparingLong(WaitQueue::lastServed);

    private final IntSupplier most;
    private final boolean shared;
    private final AtomicInteger out = new AtomicInteger();
    private final ReentrantLock lock = new ReentrantLock();
    private volatile List<WaitQueue> queueing = List.of();
    private long served;

    /** The permits of one flow alone. */
    Permits(IntSupplier most) {
        this(most, false);
    }

    /**
     * Permits of which none is out.
     *
     * @param most how many there are
     * @param shared whether the queues of several flows may wait for them
     */
    Permits(IntSupplier most, boolean shared) {
        this.most = most;
        this.shared = shared;
    }

    boolean isShared() {
        return shared;
    }

    /** Guards the lines of all queues. */
    ReentrantLock lock() {
        return lock;
    }

    /** Whether anybody waits, in any queue. */
    boolean areAwaited() {
        return !queueing.isEmpty();
    }

    /** Takes a permit if one is free. */
    boolean take() {
        int all = most.getAsInt();
        int now = out.get();
        while (now < all) {
            if (out.compareAndSet(now, now + 1)) {
                return true;
            }
            now = out.get();
        }
        return false;
    }

    /** Gives a permit back, to somebody who waits if there is one. */
    void release(long now) {
        out.decrementAndGet();
        if (areAwaited()) {
            lock.lock();
            try {
                serve(now);
            } finally {
                lock.unlock();
            }
        }
    }

    /** Notes, under the lock, whether somebody waits in a queue. */
    void announce(WaitQueue queue, boolean waits) {
        List<WaitQueue> before = queueing;
        if (before.contains(queue) != waits) {
            queueing = waits
                    ? Stream.concat(before.stream(), Stream.of(queue)).toList()
                    : before.stream().filter(other -> other != queue).toList();
        }
    }

    /** Hands out, under the lock, what is free. */
    void serve(long now) {
        while (areAwaited() && take()) {
            WaitQueue next = queueing.size() == 1
                    ? queueing.getFirst()
                    : queueing.stream().min(FAIREST_FIRST).orElseThrow();
            if (!next.serveNext(now, ++served)) {
                out.decrementAndGet();
            }
        }
    }

    /**
     * How many permits a flow gets when it waits for more: all but what flows that do not wait have out, divided by how many
     * flows wait; at least 1.
     */
    int share(WaitQueue of) {
        int all = most.getAsInt();
        if (!shared) {
            return all;
        }
        int toDivide = all - out.get() + of.out();
        int among = 1;
        for (WaitQueue other : queueing) {
            if (other != of) {
                toDivide += other.out();
                among++;
            }
        }
        return Math.max(1, toDivide / among);
    }

    /** How many are out, to all flows. */
    int out() {
        return out.get();
    }
}
