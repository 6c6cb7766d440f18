package dev.penstock.http.pool;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The places of a pool: who wants a connection takes one first, so there are never more connections in use than places.
 * Their number may change; places that are taken when it falls are gone when they come free. Safe for many threads.
 */
final class ResizableSemaphore {
    /** Opens the one method that takes permits away. */
    private static final class Permits extends Semaphore {
        private static final long serialVersionUID = 1L;

        Permits(int permits) {
            super(permits);
        }

        void take(int count) {
            reducePermits(count);
        }
    }

    private final PoolSize size;
    private final Permits permits;
    private volatile int max;

    ResizableSemaphore(PoolSize size) {
        this.size = size;
        this.max = size.max();
        this.permits = new Permits(max);
    }

    boolean enter(long nanos) throws InterruptedException {
        if (permits.tryAcquire()) {
            return true;
        }
        synchronized (size) {
            size.pressed(inUse(), waiting());
            resize();
        }
        return permits.tryAcquire(nanos, TimeUnit.NANOSECONDS);
    }

    void leave() {
        permits.release();
    }

    void window(long nanos, long carried, long busy) {
        synchronized (size) {
            size.window(nanos, carried, busy, inUse());
            resize();
        }
    }

    void pin(int wanted) {
        synchronized (size) {
            size.pin(wanted);
            resize();
        }
    }

    void unpin() {
        synchronized (size) {
            size.unpin();
            resize();
        }
    }

    private void resize() {
        int wanted = size.max();
        if (wanted > max) {
            permits.release(wanted - max);
        } else if (wanted < max) {
            permits.take(max - wanted);
        }
        max = wanted;
    }

    int max() {
        return max;
    }

    String reason() {
        synchronized (size) {
            return size.reason();
        }
    }

    /** Exact at an instant, also while the number of places changes. */
    int inUse() {
        synchronized (size) {
            return Math.max(0, max - permits.availablePermits());
        }
    }

    int waiting() {
        return permits.getQueueLength();
    }
}
