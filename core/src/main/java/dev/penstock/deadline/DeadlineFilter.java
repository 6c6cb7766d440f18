package dev.penstock.deadline;

import dev.penstock.CallContext;
import dev.penstock.Deadline;
import dev.penstock.Filter;
import dev.penstock.Rejected;
import dev.penstock.Service;
import dev.penstock.text.Durations;
import dev.penstock.text.Ranges;
import java.time.Duration;

/**
 * Sets the deadline of each transaction, and rejects a transaction whose deadline has already passed.
 *
 * <p>Thread-safe.
 *
 * @param <Q> the request
 * @param <R> the answer
 */
public final class DeadlineFilter<Q, R> implements Filter<Q, R> {
    /** A timeout counts as the caller's own if less than this fraction (1/8) of the allowed time is left. */
    private static final int MAX_LEFT_PART = 8;

    private final boolean own;
    private final long nanos;
    private final String lateMessage;

    private DeadlineFilter(boolean own, long nanos, String lateMessage) {
        this.own = own;
        this.nanos = nanos;
        this.lateMessage = lateMessage;
    }

    /**
     * A deadline for every transaction.
     *
     * @param time from offer to answer; more than 0
     * @throws IllegalArgumentException when it is not more than 0
     */
    public static <Q, R> DeadlineFilter<Q, R> of(Duration time) {
        return new DeadlineFilter<>(
                true,
                Durations.nanos(Ranges.positive("a deadline", time)),
                "the deadline (" + Durations.format(time) + ") passed before it was sent");
    }

    /** No deadline but that of the calling thread. */
    public static <Q, R> DeadlineFilter<Q, R> inherited() {
        return new DeadlineFilter<>(
                false,
                Durations.nanos(Duration.ofSeconds(Long.MAX_VALUE)),
                "the deadline of its caller passed before it was sent");
    }

    /** The time allowed to a transaction that begins now on the calling thread, in nanoseconds; 0 or less after its deadline. */
    public long allowed() {
        Deadline outer = Deadline.current();
        return outer == null ? nanos : Math.min(nanos, outer.nanosLeft());
    }

    /**
     * Rejects a transaction without time left.
     *
     * @param left the time left, in nanoseconds
     * @throws Rejected cause deadline, if {@code left} is not above 0
     */
    public void rejectIfLate(long left) throws Rejected {
        if (left <= 0) {
            throw new Rejected(Rejected.Cause.DEADLINE, lateMessage);
        }
    }

    /**
     * Whether a transaction timed out because its caller allowed less than half of this deadline. Such a timeout does not count
     * against the target.
     */
    public boolean isCallersOwn(CallContext callContext) {
        long left = callContext.timeLeft();
        long allowed = left + callContext.elapsed();
        return own && allowed < nanos / 2 && left < allowed / MAX_LEFT_PART;
    }

    @Override
    public Service<Q, R> around(Service<Q, R> next) {
        return new BoundedService<>(this, next);
    }

    /** A class, not a lambda: see the design note of {@code dev.penstock.flow}. */
    private record BoundedService<Q, R>(DeadlineFilter<Q, R> deadline, Service<Q, R> next) implements Service<Q, R> {
        @Override
        public R call(Q request) throws Exception {
            CallContext callContext = CallContext.required();
            callContext.allowAtMost(deadline.nanos);
            deadline.rejectIfLate(callContext.timeLeft());
            return next.call(request);
        }
    }
}
