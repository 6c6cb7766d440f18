package dev.penstock.source;

import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import dev.penstock.text.Durations;
import dev.penstock.text.Ranges;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Decides what happens to a message that was not answered. Immutable.
 *
 * <ul>
 *   <li>Rejected: it was not sent, so it waits and is tried again without a limit; given back when the flow closes.
 *   <li>Failed: tried again, up to {@code attempts} in all, after a backoff that doubles; not if the target refused
 *       it permanently.
 *   <li>Unknown: the same for a message with a key, by which the target or a dedupe stage recognizes it. Without a key
 *       it may have taken effect, so it is never tried again.
 * </ul>
 *
 * @param attempts the maximum number of attempts; 1 to 1,000
 * @param first the backoff before the second attempt; doubles with each attempt
 * @param most the maximum backoff
 */
public record Redelivery(int attempts, Duration first, Duration most) {
    /** The default of sources: 5 attempts, 200 ms to 10 s apart. */
    public static final Redelivery DEFAULT = new Redelivery(5, Duration.ofMillis(200), Duration.ofSeconds(10));

    private static final long MIN_REJECTED_WAIT = 5_000_000;
    private static final long MAX_REJECTED_WAIT = 1_000_000_000;

    /** The next step. */
    public sealed interface Next {
        /** Try again after a wait. */
        record Again(long nanos) implements Next {}

        /** Make it a dead letter. */
        record ToDeadLetter() implements Next {}

        /** Give it back to the broker. */
        record GiveBack() implements Next {}
    }

    /** Checks the bounds. */
    public Redelivery {
        attempts = Ranges.within("redeliver", attempts, 1, 1_000);
        if (first.isNegative() || first.compareTo(most) > 0) {
            throw new IllegalArgumentException(
                    "the first backoff must be between 0 and the maximum, but is " + Durations.format(first));
        }
    }

    /** A copy with another maximum number of attempts. */
    public Redelivery withAttempts(int times) {
        return new Redelivery(times, first, most);
    }

    /** A copy with other backoffs. */
    public Redelivery withBackoff(Duration shortest, Duration longest) {
        return new Redelivery(attempts, shortest, longest);
    }

    /** The backoffs, for people. */
    public String waits() {
        return Durations.format(first) + " to " + Durations.format(most);
    }

    /**
     * Decides the next step.
     *
     * @param ended how the attempt ended
     * @param tried the number of attempts so far
     * @param isKeyed whether the message has a key
     */
    public Next after(Unanswered ended, int tried, boolean isKeyed, RandomGenerator random) {
        return switch (ended) {
            case Rejected rejected -> afterRejected(rejected, random);
            case Failed failed when failed.why() == Failed.Cause.REFUSED -> new Next.ToDeadLetter();
            case Unknown _ when !isKeyed -> new Next.ToDeadLetter();
            case Failed _, Unknown _ ->
                tried < attempts ? new Next.Again(wait(tried, random)) : new Next.ToDeadLetter();
        };
    }

    private static Next afterRejected(Rejected rejected, RandomGenerator random) {
        if (rejected.why() == Rejected.Cause.DRAINING) {
            return new Next.GiveBack();
        }
        long advised = Math.clamp(Durations.nanos(rejected.retryAfter()), MIN_REJECTED_WAIT, MAX_REJECTED_WAIT);
        return new Next.Again(advised / 2 + random.nextLong(advised / 2 + 1));
    }

    private long wait(int tried, RandomGenerator random) {
        long start = Durations.nanos(first);
        int doublings = Math.min(tried - 1, Long.numberOfLeadingZeros(Math.max(1, start)) - 2);
        long ceiling = Math.min(Durations.nanos(most), start << doublings);
        return ceiling / 2 + random.nextLong(ceiling / 2 + 1);
    }
}
