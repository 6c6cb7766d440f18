package dev.penstock.limit;

import dev.penstock.Ticker;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;

/**
 * Hands out permits, and holds those who wait for one, first come first served.
 *
 * <h2>Design note</h2>
 *
 * <p>While nobody waits, taking and giving back a permit is one compare-and-set of {@code out} each. A lock is taken only
 * to wait and to serve who waits. No wake-up is lost, because a waiter first announces itself ({@code waiting}) and then
 * looks at {@code out} once more, while who gives back first lowers {@code out} and then looks at {@code waiting}: both
 * are volatile, so at least one of the two sees the other.
 *
 * <p>A permit is handed to a waiter under the lock, and a waiter that gives up looks under the same lock whether it has
 * been handed one: so a permit is never handed to somebody who has left, and never lost with him.
 */
final class WaitQueue {
    /** How a wait ended. */
    enum Wait {
        GRANTED,
        FULL,
        TIMED_OUT,
        INTERRUPTED
    }

    private final IntSupplier permits;
    private final int length;
    private final Ticker ticker;
    private final AtomicInteger out = new AtomicInteger();
    private final ReentrantLock lock = new ReentrantLock();
    private final Set<Waiter> line = new LinkedHashSet<>();
    private volatile int waiting;

    WaitQueue(IntSupplier permits, int length, Ticker ticker) {
        this.permits = permits;
        this.length = length;
        this.ticker = ticker;
    }

    /** Takes a permit if one is free and nobody waits for it. */
    boolean tryAcquire() {
        return waiting == 0 && take();
    }

    /** Waits for a permit until the given reading of the ticker, in line behind those who came before. */
    Wait await(long until) {
        Waiter me = new Waiter(Thread.currentThread());
        lock.lock();
        try {
            if (line.isEmpty() && take()) {
                return Wait.GRANTED;
            }
            if (line.size() >= length) {
                return Wait.FULL;
            }
            line.add(me);
            waiting = line.size();
            serve();
        } finally {
            lock.unlock();
        }
        return sleep(me, until);
    }

    /** Gives a permit back, to the next in line if there is one. */
    void release() {
        out.decrementAndGet();
        if (waiting > 0) {
            serveLocked();
        }
    }

    /** Serves those in line after the number of permits has grown. */
    void serveLocked() {
        lock.lock();
        try {
            serve();
        } finally {
            lock.unlock();
        }
    }

    int out() {
        return out.get();
    }

    int waiting() {
        return waiting;
    }

    private Wait sleep(Waiter me, long until) {
        while (!me.granted) {
            if (Thread.currentThread().isInterrupted()) {
                return leave(me, Wait.INTERRUPTED);
            }
            if (ticker.nanos() - until >= 0) {
                return leave(me, Wait.TIMED_OUT);
            }
            ticker.parkUntil(until);
        }
        return Wait.GRANTED;
    }

    /** Steps out of the line; a permit that came in the same moment is kept, whatever made the waiter leave. */
    private Wait leave(Waiter me, Wait why) {
        lock.lock();
        try {
            if (me.granted) {
                return Wait.GRANTED;
            }
            line.remove(me);
            waiting = line.size();
            return why;
        } finally {
            lock.unlock();
        }
    }

    private void serve() {
        Iterator<Waiter> next = line.iterator();
        while (next.hasNext() && take()) {
            Waiter waiter = next.next();
            next.remove();
            waiter.granted = true;
            LockSupport.unpark(waiter.thread);
        }
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

    private static final class Waiter {
        private final Thread thread;
        private volatile boolean granted;

        Waiter(Thread thread) {
            this.thread = thread;
        }
    }
}
