package dev.penstock.limit;

import dev.penstock.Prioritized;
import dev.penstock.text.Durations;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The bounds of the wait queue of a {@link Limit}.
 *
 * @param time the maximum wait, 0 or more; null for adaptive: with a deadline, as long as an answer can still come in time,
 *     otherwise 1 s
 * @param length the maximum number of waiting requests, 0 to 1,000,000, 0 disables the queue; null for adaptive: as many as
 *     can be served in the time, at most 10,000, and fewer during standing overload
 * @param urgency the urgency of a request, 0 (most urgent) to 7; called only when no permit is free. Must be thread-safe
 * @param caller who sent a request, null if unknown; called as above
 */
public record QueueSettings(
        @Nullable Duration time,
        @Nullable Integer length,
        ToIntFunction<Object> urgency,
        Function<Object, @Nullable Object> caller) {
    /** The longest time that can be pinned, and written in a flow file: 1 h. */
    public static final Duration LONGEST_TIME = Duration.ofHours(1);

    /** The highest length that can be configured. */
    public static final int LONGEST = 1_000_000;

    /** Checks the bounds; throws an {@link IllegalArgumentException}. */
    public QueueSettings {
        if (length != null && (length < 0 || length > LONGEST)) {
            throw new IllegalArgumentException("a queue length is 0 to " + LONGEST + ", not " + length);
        }
        if (time != null && time.isNegative()) {
            throw new IllegalArgumentException("a queue time is 0 or more, not " + Durations.format(time));
        }
    }

    /** Adaptive time and length; the urgency of requests is that of {@link Prioritized}. */
    public static QueueSettings automatic() {
        return new QueueSettings(null, null, Prioritized::of, request -> null);
    }

    /** A copy with another time. */
    public QueueSettings withTime(@Nullable Duration pinned) {
        return new QueueSettings(pinned, length, urgency, caller);
    }

    /** A copy with another length. */
    public QueueSettings withLength(@Nullable Integer pinned) {
        return new QueueSettings(time, pinned, urgency, caller);
    }

    /** A copy with another urgency function. */
    public QueueSettings withUrgency(ToIntFunction<Object> function) {
        return new QueueSettings(time, length, function, caller);
    }

    /** A copy with another function for callers, which take turns. */
    public QueueSettings withCaller(Function<Object, @Nullable Object> function) {
        return new QueueSettings(time, length, urgency, function);
    }

    Object callerOf(@Nullable Object request) {
        Object known = request == null ? null : caller.apply(request);
        return known == null ? UrgencyQueue.ONE_CALLER : known;
    }

    int urgencyOf(@Nullable Object request) {
        return request == null
                ? Prioritized.DEFAULT_URGENCY
                : Math.clamp(urgency.applyAsInt(request), 0, Prioritized.LEAST_URGENT);
    }
}
