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
    Rejected atDoor(Rejected.Cause why, long left, QueuePolicy rules, int waiting) {
        if (why == Rejected.Cause.DEADLINE) {
            return tooLittleTime(left, rules, waiting);
        }
        int most = permits.getAsInt();
        return new Rejected(
                why,
                () -> "all " + most + " permits are in use and " + waiting + " requests wait"
                        + about(rules, waiting, most),
                comeBackIn(rules, waiting));
    }

    private static String about(QueuePolicy rules, int waiting, int permits) {
        return rules.holdNanos() == 0 ? "" : ", for about " + Durations.words(rules.waitNanos(waiting + 1, permits));
    }

    private Rejected tooLittleTime(long left, QueuePolicy rules, int waiting) {
        return new Rejected(
                Rejected.Cause.DEADLINE,
                () -> left <= 0
                        ? "the deadline passed before it was sent"
                        : Durations.words(left) + " are left, but an answer takes about "
                                + Durations.words(rules.answerNanos()),
                comeBackIn(rules, waiting));
    }

    /** Has waited for its maximum time. */
    Rejected waitedInVain(UrgencyQueue.Entry entry, QueuePolicy rules, int waiting) {
        return rules.causeAtEnd(entry.allowed()) == Rejected.Cause.DEADLINE
                ? late(rules, waiting)
                : waitedTooLong(rules, waiting);
    }

    private Rejected waitedTooLong(QueuePolicy rules, int waiting) {
        int most = permits.getAsInt();
        return new Rejected(
                Rejected.Cause.QUEUE,
                () -> "it waited " + Durations.words(rules.queueNanos()) + " for one of " + most + " permits",
                comeBackIn(rules, waiting));
    }

    /** Has waited until the time left is too short for an answer. */
    Rejected late(QueuePolicy rules, int waiting) {
        return new Rejected(
                Rejected.Cause.DEADLINE,
                () -> "too little time was left after it waited for a permit"
                        + (rules.answerNanos() == 0
                                ? ""
                                : " (an answer takes about " + Durations.words(rules.answerNanos()) + ")"),
                comeBackIn(rules, waiting));
    }

    /** Displaced by more urgent requests. */
    Rejected shed(QueuePolicy rules, int waiting) {
        return new Rejected(
                Rejected.Cause.LIMIT,
                () -> "displaced from the queue by more urgent requests",
                comeBackIn(rules, waiting));
    }

    /** The caller was interrupted. */
    Rejected interrupted(QueuePolicy rules, int waiting) {
        return new Rejected(
                Rejected.Cause.QUEUE,
                () -> "the caller was interrupted while it waited for a permit",
                comeBackIn(rules, waiting));
    }

    /** Its reservation was closed while it waited. */
    Rejected closed(QueuePolicy rules, int waiting) {
        return new Rejected(Rejected.Cause.QUEUE, () -> "its reservation was closed while it waited for a permit", comeBackIn(rules, waiting));
    }

    private long comeBackIn(QueuePolicy rules, int waiting) {
        int most = permits.getAsInt();
        long now = ticker.nanos();
        long line = rules.waitNanos(waiting, most);
        long oneMore = rules.waitNanos(1, most);
        long before = servedAt.get();
        long turn = turn(now, line, before);
        while (!servedAt.compareAndSet(before, now + turn + oneMore)) {
            before = servedAt.get();
            turn = turn(now, line, before);
        }
        return (long) (Math.max(SHORTEST_NANOS, turn) * (0.5 + random.nextDouble()));
    }

    /** The time until the queue and all requests that return earlier have been served, in nanoseconds. */
    private static long turn(long now, long line, long servedAt) {
        return Math.clamp(servedAt - now, Math.min(line, LONGEST_NANOS), LONGEST_NANOS);
    }
}
