package dev.penstock.lab;

import dev.penstock.Ticker;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Stands still until it is moved; wakes whoever parked on it. */
public final class HandTicker implements Ticker {
    private final AtomicLong now;
    private final Queue<Thread> parked = new ConcurrentLinkedQueue<>();

    public HandTicker(long start) {
        now = new AtomicLong(start);
    }

    @Override
    public long nanos() {
        return now.get();
    }

    @Override
    public void parkUntil(long nanos) {
        parked.add(Thread.currentThread());
        if (nanos - now.get() > 0) {
            LockSupport.park(this);
        }
        parked.remove(Thread.currentThread());
    }

    public void move(long nanos) {
        now.addAndGet(nanos);
        parked.forEach(LockSupport::unpark);
    }
}
