package dev.penstock.http.pool;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * The permits of a pool, one per connection in use. Their number follows the measured demand, or is pinned; when it falls,
 * permits in use disappear as they are released. Thread-safe.
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
    private final LongAdder exchanges = new LongAdder();
    private final LongAdder busyNanos = new LongAdder();
    private volatile int max;

    // The current window, and the sums at its start. For the thread that calls endWindow.
    private long windowStart;
    private long exchangesBefore;
    private long busyNanosBefore;

    ResizableSemaphore(PoolSize size, long now) {
        this.size = size;
        this.windowStart = now;
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

    /** Records how long an exchange had a connection. */
    void recordExchange(long nanos) {
        exchanges.increment();
        busyNanos.add(nanos);
    }

    /** When the window ends over which the demand is measured, by the ticker. */
    long windowEnd() {
        return windowStart + PoolSize.WINDOW;
    }

    /** Adapts the maximum to the demand of the window that ends now, and begins the next one. For one thread. */
    void endWindow(long now) {
        long length = now - windowStart;
        long exchangesNow = exchanges.sum();
        long busyNow = busyNanos.sum();
        long exchangesThen = exchangesBefore;
        long busyThen = busyNanosBefore;
        windowStart = now;
        exchangesBefore = exchangesNow;
        busyNanosBefore = busyNow;
        adapt(length, exchangesNow - exchangesThen, busyNow - busyThen);
    }

    void adapt(long nanos, long ended, long busy) {
        synchronized (size) {
            size.window(nanos, ended, busy, inUse());
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
