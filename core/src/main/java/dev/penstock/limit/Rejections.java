package dev.penstock.limit;

import dev.penstock.Durations;
import dev.penstock.Rejected;
import dev.penstock.Ticker;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;
import java.util.random.RandomGenerator;

/**
 * Creates rejections cheaply: messages are built only when they are read, from the numbers at the time of rejection.
 *
 * <p>The retry-after time is the time to serve the current queue and all requests that were rejected before and will return.
 * So if all return, they arrive at about the rate that can be served, however many they are. The time is at least {@value
 * #SHORTEST_NANOS} ns and at most {@value #LONGEST_NANOS} ns, then multiplied by a random factor of 0.5 to 1.5, so that
 * requests rejected together do not return together.
 *
 * <p>Thread-safe.
 */
final class Rejections {
    static final long SHORTEST_NANOS = 100_000_000;
    static final long LONGEST_NANOS = 60_000_000_000L;

    private final IntSupplier permits;
    private final Ticker ticker;
    private final RandomGenerator random;
    /** When all requests that were asked to return will have been served. */
    private final AtomicLong servedAt;

    /**
     * Creates rejections.
     *
     * @param permits supplies the number of permits
     * @param ticker the clock
     * @param random spreads the retry-after times; must be thread-safe
     */
    Rejections(IntSupplier permits, Ticker ticker, RandomGenerator random) {
        this.permits = permits;
        this.ticker = ticker;
        this.random = random;
        this.servedAt = new AtomicLong(ticker.nanos());
    }

    /** Rejected on arrival: not queued, or not sent although a permit is free. */
    Rejected onArrival(Rejected.Cause why, long left, QueuePolicy policy, int waiting) {
        if (why == Rejected.Cause.DEADLINE) {
            return deadlineTooNear(left, policy, waiting);
        }
        int most = permits.getAsInt();
        return new Rejected(
                why,
                () -> "all " + most + " permits are in use and " + waiting + " requests wait"
                        + about(policy, waiting, most),
                retryAfterNanos(policy, waiting));
    }

    private static String about(QueuePolicy policy, int waiting, int permits) {
        return policy.holdNanos() == 0 ? "" : ", for about " + Durations.format(policy.waitNanos(waiting + 1, permits));
    }

    private Rejected deadlineTooNear(long left, QueuePolicy policy, int waiting) {
        return new Rejected(
                Rejected.Cause.DEADLINE,
                () -> left <= 0
                        ? "the deadline passed before it was sent"
                        : Durations.format(left) + " are left, but an answer takes about "
                                + Durations.format(policy.answerNanos()),
                retryAfterNanos(policy, waiting));
    }

    /** Has waited for its maximum time. */
    Rejected timedOut(UrgencyQueue.Entry entry, QueuePolicy policy, int waiting) {
        return policy.causeOfTimeout(entry.allowed()) == Rejected.Cause.DEADLINE
                ? late(policy, waiting)
                : queueTimeExceeded(policy, waiting);
    }

    private Rejected queueTimeExceeded(QueuePolicy policy, int waiting) {
        int most = permits.getAsInt();
        return new Rejected(
                Rejected.Cause.QUEUE,
                () -> "it waited " + Durations.format(policy.queueNanos()) + " for one of " + most + " permits",
                retryAfterNanos(policy, waiting));
    }

    /** Has waited until the time left is too short for an answer. */
    Rejected late(QueuePolicy policy, int waiting) {
        return new Rejected(
                Rejected.Cause.DEADLINE,
                () -> "too little time was left after it waited for a permit"
                        + (policy.answerNanos() == 0
                                ? ""
                                : " (an answer takes about " + Durations.format(policy.answerNanos()) + ")"),
                retryAfterNanos(policy, waiting));
    }

    /** Displaced by more urgent requests. */
    Rejected shed(QueuePolicy policy, int waiting) {
        return new Rejected(
                Rejected.Cause.LIMIT,
                () -> "displaced from the queue by more urgent requests",
                retryAfterNanos(policy, waiting));
    }

    /** The caller was interrupted. */
    Rejected interrupted(QueuePolicy policy, int waiting) {
        return new Rejected(
                Rejected.Cause.QUEUE,
                () -> "the caller was interrupted while it waited for a permit",
                retryAfterNanos(policy, waiting));
    }

    /** Its reservation was closed while it waited. */
    Rejected closed(QueuePolicy policy, int waiting) {
        return new Rejected(
                Rejected.Cause.QUEUE,
                () -> "its reservation was closed while it waited for a permit",
                retryAfterNanos(policy, waiting));
    }

    private long retryAfterNanos(QueuePolicy policy, int waiting) {
        int most = permits.getAsInt();
        long now = ticker.nanos();
        long queueNanos = policy.waitNanos(waiting, most);
        long onePermitNanos = policy.waitNanos(1, most);
        long before = servedAt.get();
        long nanosUntilServed = nanosUntilServed(now, queueNanos, before);
        while (!servedAt.compareAndSet(before, now + nanosUntilServed + onePermitNanos)) {
            before = servedAt.get();
            nanosUntilServed = nanosUntilServed(now, queueNanos, before);
        }
        return (long) (Math.max(SHORTEST_NANOS, nanosUntilServed) * (0.5 + random.nextDouble()));
    }

    /** The time until the queue and all requests that return earlier have been served, in nanoseconds. */
    private static long nanosUntilServed(long now, long queueNanos, long servedAt) {
        return Math.clamp(servedAt - now, Math.min(queueNanos, LONGEST_NANOS), LONGEST_NANOS);
    }
}
