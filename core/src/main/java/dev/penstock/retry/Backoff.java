package dev.penstock.retry;

import java.util.random.RandomGenerator;

/**
 * Exponential backoff with full jitter: the wait before an attempt is a random time between 0 and a ceiling that doubles with
 * each attempt.
 *
 * @param firstNanos the ceiling before the second attempt
 * @param mostNanos the maximum of the ceiling
 */
record Backoff(long firstNanos, long mostNanos) {
    /**
     * Returns the wait before a retry, in nanoseconds.
     *
     * @param retry 1 before the second attempt, 2 before the third, ...
     * @param random the source of the jitter
     */
    long wait(int retry, RandomGenerator random) {
        long ceiling = ceiling(retry);
        return ceiling == 0 ? 0 : random.nextLong(ceiling + 1);
    }

    long ceiling(int retry) {
        int doublings = Math.min(retry - 1, Long.numberOfLeadingZeros(Math.max(1, firstNanos)) - 2);
        return Math.min(mostNanos, firstNanos << doublings);
    }
}
