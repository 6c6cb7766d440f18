package dev.penstock.jms.source;

import dev.penstock.Durations;
import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * What is done with a message that was not answered. Pure.
 *
 * <ul>
 *   <li>Rejected: it was never sent, so it waits and is offered again, however often; given back when the flow closes.
 *   <li>Failed: offered again, up to {@code attempts} in all, after a wait that doubles; what the target refused for good is
 *       not.
 *   <li>Unknown: the same for a message that bears a key, since the target, or a dedupe stage, knows it by that. Without one
 *       it may have taken effect, so it is never offered again.
 * </ul>
 *
 * @param attempts how often it is offered at most; 1 to 1,000
 * @param first the wait before the second attempt; the wait doubles with each
 * @param most the longest wait
 */
record Redelivery(int attempts, Duration first, Duration most) {
    private static final long SHORTEST_REJECTED = 5_000_000;
    private static final long LONGEST_REJECTED = 1_000_000_000;

    /** What comes next. */
    sealed interface Next {
        /** Offer it again after a wait. */
        record Again(long nanos) implements Next {}

        /** Keep it as a dead letter. */
        record Bury() implements Next {}

        /** Give it back to the broker. */
        record GiveBack() implements Next {}
    }

    Redelivery {
        if (attempts < 1 || attempts > 1_000) {
            throw new IllegalArgumentException("a message is tried 1 to 1,000 times, not " + attempts);
        }
        if (first.isNegative() || first.compareTo(most) > 0) {
            throw new IllegalArgumentException(
                    "the wait before the second attempt is 0 to the longest wait, not " + Durations.words(first));
        }
    }

    /**
     * Decides.
     *
     * @param ended how it ended
     * @param tried how often it was sent, this time included
     * @param isKeyed whether it bears a key
     */
    Next after(Unanswered ended, int tried, boolean isKeyed, RandomGenerator random) {
        return switch (ended) {
            case Rejected rejected -> afterRejected(rejected, random);
            case Failed failed when failed.why() == Failed.Cause.REFUSED -> new Next.Bury();
            case Unknown _ when !isKeyed -> new Next.Bury();
            case Failed _, Unknown _ -> tried < attempts ? new Next.Again(wait(tried, random)) : new Next.Bury();
        };
    }

    private static Next afterRejected(Rejected rejected, RandomGenerator random) {
        if (rejected.why() == Rejected.Cause.DRAINING) {
            return new Next.GiveBack();
        }
        long advised = Math.clamp(Durations.nanos(rejected.retryAfter()), SHORTEST_REJECTED, LONGEST_REJECTED);
        return new Next.Again(advised / 2 + random.nextLong(advised / 2 + 1));
    }

    private long wait(int tried, RandomGenerator random) {
        long start = Durations.nanos(first);
        int doublings = Math.min(tried - 1, Long.numberOfLeadingZeros(Math.max(1, start)) - 2);
        long ceiling = Math.min(Durations.nanos(most), start << doublings);
        return ceiling / 2 + random.nextLong(ceiling / 2 + 1);
    }
}
