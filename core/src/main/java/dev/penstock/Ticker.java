package dev.penstock;

import java.util.concurrent.locks.LockSupport;

/**
 * The clock of Penstock: all time readings and timed waits go through it. It is injected everywhere, so that a test can use a
 * manual clock and simulate hours in milliseconds.
 *
 * <p>Thread-safe.
 */
public interface Ticker {
    /** The JVM's monotonic clock. */
    Ticker SYSTEM = new Ticker() {
        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        public void parkUntil(long nanos) {
            long left = nanos - System.nanoTime();
            if (left > 0) {
                LockSupport.parkNanos(this, left);
            }
        }
    };

    /** {@return nanoseconds since an arbitrary fixed instant} Readings may overflow: compare two only by their difference. */
    long nanos();

    /**
     * Parks the calling thread until the given reading. Returns earlier when the thread is unparked or interrupted, or
     * spuriously: call it in a loop that checks the condition, as with {@link LockSupport#park()}.
     *
     * @param nanos the reading of {@link #nanos()} to wait for; returns immediately when it has passed
     */
    void parkUntil(long nanos);
}
