package dev.penstock;

import java.util.concurrent.locks.LockSupport;

/**
 * Where all time in Penstock comes from, and how its threads wait for it. Injected everywhere, so that hours pass in
 * milliseconds under test: a test's ticker stands still until it is told to move.
 *
 * <p>Safe for many threads.
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

    /** Nanoseconds since some fixed instant. Compare two readings by their difference only: they may overflow. */
    long nanos();

    /**
     * Parks the calling thread until the given reading, until it is unparked or interrupted, or for no reason: call it in
     * a loop that checks what it waits for, as with {@link LockSupport#park()}.
     *
     * @param nanos the reading of {@link #nanos()} to wait for; returns at once when it has passed
     */
    void parkUntil(long nanos);
}
