package dev.penstock.retry;

import java.util.random.RandomGenerator;

/**
 * How long to wait before an attempt: a random time between 0 and a ceiling that doubles each time (full jitter).
 *
 * @param firstNanos the ceiling before the second attempt
 * @param mostNanos the ceiling that it never exceeds
 */
record Backoff(long firstNanos, long mostNanos) {
    /**
     * The wait before a repeat.
     *
     * @param repeat 1 before the second attempt, 2 before the third, ...
     * @param random where the jitter comes from
     */
    long wait(int repeat, RandomGenerator random) {
        long ceiling = ceiling(repeat);
        return ceiling == 0 ? 0 : random.nextLong(ceiling + 1);
    }

    long ceiling(int repeat) {
        int doublings = Math.min(repeat - 1, Long.numberOfLeadingZeros(Math.max(1, firstNanos)) - 2);
        return Math.min(mostNanos, firstNanos << doublings);
    }
}
