package dev.penstock.limit;

import dev.penstock.Durations;
import dev.penstock.Rejected;
import dev.penstock.Ticker;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;
import java.util.random.RandomGenerator;

/**
 * Makes rejections cheaply: their sentences are made when somebody reads them, from the numbers of the moment.
 *
 * <p>Each advises to come back when the line of now is served, and those who were rejected before and were told to come back:
 * so if all do, those who return are about as many a second as can be served, however many they are. That is at least
 * {@value #SHORTEST_NANOS} ns later and at most {@value #LONGEST_NANOS}, spread evenly over half to one and a half times
 * that: who was rejected together does not come back together.
 *
 * <p>Safe for many threads.
 */
final class Rejections {
    static final long SHORTEST_NANOS = 100_000_000;
    static final long LONGEST_NANOS = 60_000_000_000L;

    private final IntSupplier permits;
    private final Ticker ticker;
    private final RandomGenerator random;
    /** When all who were told to come back are served. */
    private final AtomicLong servedAt;

    /**
     * Makes rejections.
     *
     * @param permits how many permits there are
     * @param ticker the clock that the advice goes by
     * @param random spreads the advice; safe for many threads
     */
    Rejections(IntSupplier permits, Ticker ticker, RandomGenerator random) {
        this.permits = permits;
        this.ticker = ticker;
        this.random = random;
        this.servedAt = new AtomicLong(ticker.nanos());
    }

    /** Not let into the line, or not sent though a permit is free. */
    Rejected atDoor(Rejected.Cause why, long left, QueuePolicy rules, int waiting) {
        if (why == Rejected.Cause.DEADLINE) {
            return tooLittleTime(left, rules, waiting);
        }
        int most = permits.getAsInt();
        return new Rejected(
                why,
                () -> "all " + most + " permits are in use and " + waiting + " wait already"
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
                        ? "the time was up before it was sent"
                        : Durations.words(left) + " are left, and an answer takes about "
                                + Durations.words(rules.answerNanos()),
                comeBackIn(rules, waiting));
    }

    /** Waited for as long as it may. */
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

    /** Its time is up, or as good as up, and it has waited. */
    Rejected late(QueuePolicy rules, int waiting) {
        return new Rejected(
                Rejected.Cause.DEADLINE,
                () -> "the time was up while it waited for a permit"
                        + (rules.answerNanos() == 0
                                ? ""
                                : " (an answer takes about " + Durations.words(rules.answerNanos()) + ")"),
                comeBackIn(rules, waiting));
    }

    /** Put out of the line. */
    Rejected shed(QueuePolicy rules, int waiting) {
        return new Rejected(
                Rejected.Cause.LIMIT,
                () -> "more urgent ones came, and left it no room in line",
                comeBackIn(rules, waiting));
    }

    /** Its caller wants it no more. */
    Rejected interrupted(QueuePolicy rules, int waiting) {
        return new Rejected(
                Rejected.Cause.QUEUE,
                () -> "its caller was interrupted while it waited for a permit",
                comeBackIn(rules, waiting));
    }

    /** Its place was closed while it waited there. */
    Rejected closed(QueuePolicy rules, int waiting) {
        return new Rejected(Rejected.Cause.QUEUE, () -> "its place in line was given up", comeBackIn(rules, waiting));
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

    /** In how many nanoseconds those in line are served, and those who come back before. */
    private static long turn(long now, long line, long servedAt) {
        return Math.clamp(servedAt - now, Math.min(line, LONGEST_NANOS), LONGEST_NANOS);
    }
}
