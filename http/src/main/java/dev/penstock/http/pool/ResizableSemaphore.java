package dev.penstock.http.pool;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The permits of a pool, one per connection in use. Their number can change; when it falls, permits in use disappear as they
 * are released. Thread-safe.
 */
final class ResizableSemaphore {
    /** Makes the protected method that removes permits accessible. */
    private static final class Permits extends Semaphore {
        private static final long serialVersionUID = 1L;

        Permits(int permits) {
            super(permits);
        }

        void remove(int count) {
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

    boolean tryAcquire(long nanos) throws InterruptedException {
        if (permits.tryAcquire()) {
            return true;
        }
        synchronized (size) {
            size.exhausted(inUse(), waiting());
            resize();
        }
        return permits.tryAcquire(nanos, TimeUnit.NANOSECONDS);
    }

    void release() {
        permits.release();
    }

    void window(long nanos, long exchanges, long busy) {
        synchronized (size) {
            size.window(nanos, exchanges, busy, inUse());
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
            permits.remove(max - wanted);
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

    /** Consistent even while the number of permits changes. */
    int inUse() {
        synchronized (size) {
            return Math.max(0, max - permits.availablePermits());
        }
    }

    int waiting() {
        return permits.getQueueLength();
    }
}
