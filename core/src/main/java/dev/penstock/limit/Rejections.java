package dev.penstock.limit;

import dev.penstock.Rejected;
import dev.penstock.Ticker;
import dev.penstock.text.Durations;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
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

    private final Supplier<QueuePolicy> queuePolicy;
    private final IntSupplier permits;
    private final IntSupplier waiting;
    private final Ticker ticker;
    private final RandomGenerator random;
    /** When all requests that were asked to return will have been served. */
    private final AtomicLong servedAt;

    /**
     * Creates rejections.
     *
     * @param queuePolicy supplies the current policy
     * @param permits supplies the number of permits
     * @param waiting supplies the number of waiting requests
     * @param ticker the clock
     * @param random spreads the retry-after times; must be thread-safe
     */
    Rejections(
            Supplier<QueuePolicy> queuePolicy,
            IntSupplier permits,
            IntSupplier waiting,
            Ticker ticker,
            RandomGenerator random) {
        this.queuePolicy = queuePolicy;
        this.permits = permits;
        this.waiting = waiting;
        this.ticker = ticker;
        this.random = random;
        this.servedAt = new AtomicLong(ticker.nanos());
    }

    /** Rejected on arrival: not queued, or not sent although a permit is free. */
    Rejected onArrival(Rejected.Cause why, long left) {
        QueuePolicy policy = queuePolicy.get();
        if (why == Rejected.Cause.DEADLINE) {
            return of(why, () -> deadlineTooNear(left, policy));
        }
        int most = permits.getAsInt();
        int ahead = waiting.getAsInt();
        return of(
                why,
                () -> "all " + most + " permits are in use and " + ahead + " requests wait"
                        + (policy.holdNanos() == 0
                                ? ""
                                : ", for about " + Durations.format(policy.waitNanos(ahead + 1, most))));
    }

    private static String deadlineTooNear(long left, QueuePolicy policy) {
        return left <= 0
                ? "the deadline passed before it was sent"
                : Durations.format(left) + " are left, but an answer takes about "
                        + Durations.format(policy.answerNanos());
    }

    /** Has waited for its maximum time; {@code allowed} is the time from its arrival to its deadline. */
    Rejected timedOut(long allowed) {
        QueuePolicy policy = queuePolicy.get();
        int most = permits.getAsInt();
        return policy.causeOfTimeout(allowed) == Rejected.Cause.DEADLINE
                ? late()
                : of(
                        Rejected.Cause.QUEUE,
                        () -> "it waited " + Durations.format(policy.queueNanos()) + " for one of " + most
                                + " permits");
    }

    /** Has waited until the time left is too short for an answer. */
    Rejected late() {
        QueuePolicy policy = queuePolicy.get();
        String message = "too little time was left after it waited for a permit";
        return of(
                Rejected.Cause.DEADLINE,
                () -> policy.answerNanos() == 0
                        ? message
                        : message + " (an answer takes about " + Durations.format(policy.answerNanos()) + ")");
    }

    /** Rejected for any other reason. */
    Rejected of(Rejected.Cause why, Supplier<String> message) {
        return new Rejected(why, message, retryAfterNanos());
    }

    private long retryAfterNanos() {
        QueuePolicy policy = queuePolicy.get();
        int most = permits.getAsInt();
        long now = ticker.nanos();
        long queueNanos = policy.waitNanos(waiting.getAsInt(), most);
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
