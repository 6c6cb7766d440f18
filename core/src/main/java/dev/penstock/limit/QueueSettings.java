package dev.penstock.limit;

import dev.penstock.Durations;
import dev.penstock.Prioritized;
import java.time.Duration;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * How a {@link Limit} lets others wait for their turn.
 *
 * @param time how long each may wait at most, 0 or more; null finds itself: with a deadline, as long as an answer can still
 *     come in time, otherwise twice as long as a permit is held, 50 ms to 1 s
 * @param length how many may wait at once, 0 to 1,000,000, 0 lets nobody wait; null finds itself: as many as can be
 *     served in the time, 10,000 at most, and fewer while there is standing overload
 * @param urgency how urgent a request is, 0 (the most) to 7; called only when no permit is free. Safe for many threads
 */
public record QueueSettings(
        @Nullable Duration time, @Nullable Integer length, ToIntFunction<Object> urgency) {
    /** The longest line that can be asked for. */
    public static final int LONGEST = 1_000_000;

    /**
     * Checks the bounds.
     *
     * @throws IllegalArgumentException when the time is negative, or the length out of range
     */
    public QueueSettings {
        if (length != null && (length < 0 || length > LONGEST)) {
            throw new IllegalArgumentException("a queue length is 0 to " + LONGEST + ", not " + length);
        }
        if (time != null && time.isNegative()) {
            throw new IllegalArgumentException("a queue time is 0 or more, not " + Durations.words(time));
        }
    }

    /** Time and length find themselves; requests say by {@link Prioritized} how urgent they are. */
    public static QueueSettings automatic() {
        return new QueueSettings(null, null, Prioritized::of);
    }

    /** The same with the time pinned. */
    public QueueSettings withTime(Duration pinned) {
        return new QueueSettings(pinned, length, urgency);
    }

    /** The same with the length pinned. */
    public QueueSettings withLength(int pinned) {
        return new QueueSettings(time, pinned, urgency);
    }

    /** The same with another way to tell how urgent a request is. */
    public QueueSettings withUrgency(ToIntFunction<Object> function) {
        return new QueueSettings(time, length, function);
    }

    int urgencyOf(Object request) {
        return Math.clamp(urgency.applyAsInt(request), 0, Prioritized.LEAST_URGENT);
    }
}
