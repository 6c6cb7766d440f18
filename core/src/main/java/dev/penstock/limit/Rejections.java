package dev.penstock.limit;

import dev.penstock.Rejected;
import dev.penstock.Rejected.Cause;
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

    /** Creates rejections from the current numbers; {@code random}, which must be thread-safe, spreads the retry-after times. */
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
    Rejected onArrival(Cause why, long left) {
        QueuePolicy policy = queuePolicy.get();
        int most = permits.getAsInt();
        int ahead = waiting.getAsInt();
        return of(why, () -> {
            if (why == Cause.LIMIT) {
                String wait = policy.holdNanos() == 0
                        ? ""
                        : ", for about " + Durations.format(policy.waitNanos(ahead + 1, most));
                return "all " + most + " permits are in use and " + ahead + " requests wait" + wait;
            }
            return left <= 0
                    ? "the deadline passed before it was sent"
                    : "%s are left, but an answer takes about %s"
                            .formatted(Durations.format(left), Durations.format(policy.answerNanos()));
        });
    }

    /** Has waited for its maximum time; {@code allowed} is the time from its arrival to its deadline. */
    Rejected timedOut(long allowed) {
        QueuePolicy policy = queuePolicy.get();
        int most = permits.getAsInt();
        return policy.causeOfTimeout(allowed) == Cause.DEADLINE
                ? late()
                : of(
                        Cause.QUEUE,
                        () -> "it waited " + Durations.format(policy.queueNanos()) + " for one of " + most
                                + " permits");
    }

    /** Has waited until the time left is too short for an answer. */
    Rejected late() {
        long answer = queuePolicy.get().answerNanos();
        return of(
                Cause.DEADLINE,
                () -> "too little time was left after it waited for a permit"
                        + (answer == 0 ? "" : " (an answer takes about " + Durations.format(answer) + ")"));
    }

    /** Rejected for any other reason. */
    Rejected of(Cause why, Supplier<String> message) {
        return new Rejected(why, message, retryAfterNanos());
    }

    private long retryAfterNanos() {
        QueuePolicy policy = queuePolicy.get();
        int most = permits.getAsInt();
        long now = ticker.nanos();
        long queueNanos = Math.min(policy.waitNanos(waiting.getAsInt(), most), LONGEST_NANOS);
        long onePermitNanos = policy.waitNanos(1, most);
        // Until the queue and all requests that return earlier have been served, and then this one.
        long served = servedAt.updateAndGet(
                before -> now + Math.clamp(before - now, queueNanos, LONGEST_NANOS) + onePermitNanos);
        return (long) (Math.max(SHORTEST_NANOS, served - onePermitNanos - now) * (0.5 + random.nextDouble()));
    }
}
