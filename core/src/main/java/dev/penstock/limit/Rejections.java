package dev.penstock.limit;

import dev.penstock.Durations;
import dev.penstock.Rejected;
import java.util.function.IntSupplier;
import java.util.random.RandomGenerator;

/**
 * Makes rejections cheaply: their sentences are made when somebody reads them, from the numbers of the moment.
 *
 * <p>Each advises to come back when the line of now is served, at least {@value #SHORTEST_NANOS} ns later, spread evenly
 * over half to one and a half times that: who was rejected together does not come back together.
 *
 * <p>Safe for many threads.
 */
final class Rejections {
    static final long SHORTEST_NANOS = 100_000_000;
    static final long LONGEST_NANOS = 60_000_000_000L;

    private final IntSupplier permits;
    private final RandomGenerator random;

    /**
     * Makes rejections.
     *
     * @param permits how many permits there are
     * @param random spreads the advice; safe for many threads
     */
    Rejections(IntSupplier permits, RandomGenerator random) {
        this.permits = permits;
        this.random = random;
    }

    /** Not let into the line, or not sent though a permit is free. */
    Rejected atDoor(Rejected.Cause why, long left, LineRules rules, int waiting) {
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

    private static String about(LineRules rules, int waiting, int permits) {
        return rules.holdNanos() == 0 ? "" : ", for about " + Durations.words(rules.waitNanos(waiting + 1, permits));
    }

    private Rejected tooLittleTime(long left, LineRules rules, int waiting) {
        return new Rejected(
                Rejected.Cause.DEADLINE,
                () -> left <= 0
                        ? "the time was up before it was sent"
                        : Durations.words(left) + " are left, and an answer takes about "
                                + Durations.words(rules.answerNanos()),
                comeBackIn(rules, waiting));
    }

    /** Waited for as long as it may. */
    Rejected waitedInVain(WaitLine.Entry entry, LineRules rules, int waiting) {
        return rules.causeAtEnd(entry.allowed()) == Rejected.Cause.DEADLINE
                ? late(rules, waiting)
                : waitedTooLong(rules, waiting);
    }

    private Rejected waitedTooLong(LineRules rules, int waiting) {
        int most = permits.getAsInt();
        return new Rejected(
                Rejected.Cause.QUEUE,
                () -> "it waited " + Durations.words(rules.queueNanos()) + " for one of " + most + " permits",
                comeBackIn(rules, waiting));
    }

    /** Its time is up, or as good as up, and it has waited. */
    Rejected late(LineRules rules, int waiting) {
        return new Rejected(
                Rejected.Cause.DEADLINE,
                () -> "the time was up while it waited for a permit"
                        + (rules.answerNanos() == 0
                                ? ""
                                : " (an answer takes about " + Durations.words(rules.answerNanos()) + ")"),
                comeBackIn(rules, waiting));
    }

    /** Put out of the line. */
    Rejected shed(LineRules rules, int waiting) {
        return new Rejected(
                Rejected.Cause.LIMIT,
                () -> "more urgent ones came, and left it no room in line",
                comeBackIn(rules, waiting));
    }

    /** Its caller wants it no more. */
    Rejected interrupted(LineRules rules, int waiting) {
        return new Rejected(
                Rejected.Cause.QUEUE,
                () -> "its caller was interrupted while it waited for a permit",
                comeBackIn(rules, waiting));
    }

    /** Its place was closed while it waited there. */
    Rejected closed(LineRules rules, int waiting) {
        return new Rejected(Rejected.Cause.QUEUE, () -> "its place in line was given up", comeBackIn(rules, waiting));
    }

    private long comeBackIn(LineRules rules, int waiting) {
        long base = Math.clamp(rules.waitNanos(waiting, permits.getAsInt()), SHORTEST_NANOS, LONGEST_NANOS);
        return (long) (base * (0.5 + random.nextDouble()));
    }
}
