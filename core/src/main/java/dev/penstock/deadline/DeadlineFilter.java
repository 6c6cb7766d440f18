package dev.penstock.deadline;

import dev.penstock.Deadline;
import dev.penstock.Durations;
import dev.penstock.Rejected;
import dev.penstock.Service;
import dev.penstock.CallContext;
import java.time.Duration;

/**
 * Gives each transaction a time by which it has to be over, and rejects at once what has none left.
 *
 * <p>Safe for many threads.
 */
public final class DeadlineFilter {
    /** A client may give up a little before the time is up. */
    private static final int NEARLY_ALL = 8;

    private final boolean own;
    private final long nanos;
    private final String late;

    private DeadlineFilter(boolean own, long nanos, String late) {
        this.own = own;
        this.nanos = nanos;
        this.late = late;
    }

    /**
     * A deadline for every transaction.
     *
     * @param time from the offer to the answer; more than 0
     * @throws IllegalArgumentException when it is not more than 0
     */
    public static DeadlineFilter of(Duration time) {
        if (time.isNegative() || time.isZero()) {
            throw new IllegalArgumentException("a deadline is more than 0, not " + Durations.words(time));
        }
        return new DeadlineFilter(
                true,
                Durations.nanos(time),
                "the time was up before it was sent (deadline " + Durations.words(time) + ")");
    }

    /** No deadline but the one that a transaction brings along. */
    public static DeadlineFilter inherited() {
        return new DeadlineFilter(
                false,
                Durations.nanos(Duration.ofSeconds(Long.MAX_VALUE)),
                "the time that its caller allows was up before it was sent");
    }

    /** How long a transaction may take that begins now on the calling thread, in nanoseconds; not above 0 when its time is up. */
    public long allowed() {
        Deadline outer = Deadline.current();
        return outer == null ? nanos : Math.min(nanos, outer.nanosLeft());
    }

    /**
     * Rejects what has no time left.
     *
     * @param left the time left, in nanoseconds
     */
    public void refuseIfLate(long left) throws Rejected {
        if (left <= 0) {
            throw new Rejected(Rejected.Cause.DEADLINE, late);
        }
    }

    /**
     * Whether a transaction that timed out had less than half of this deadline, because its caller allows no more: that tells
     * about the caller, and nothing about the target.
     */
    public boolean isCallersOwn(CallContext callContext) {
        long left = callContext.timeLeft();
        long allowed = left + callContext.elapsed();
        return own && allowed < nanos / 2 && left < allowed / NEARLY_ALL;
    }

    /** Puts this deadline around a service. */
    public <Q, R> Service<Q, R> around(Service<Q, R> next) {
        return new Bounded<>(this, next);
    }

    /** A class, not a lambda: see the design note of {@code dev.penstock.flow}. */
    private record Bounded<Q, R>(DeadlineFilter deadline, Service<Q, R> next) implements Service<Q, R> {
        @Override
        public R call(Q request) throws Exception {
            CallContext callContext = CallContext.required();
            callContext.allowAtMost(deadline.nanos);
            deadline.refuseIfLate(callContext.timeLeft());
            return next.call(request);
        }
    }
}
