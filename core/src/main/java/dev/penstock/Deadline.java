package dev.penstock;

import dev.penstock.text.Durations;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * The time by which an answer is needed. It is bound to the thread: every call inside a flow, including a call of another
 * flow, is bounded by the time left.
 *
 * <p>Immutable. Pass it to another thread and apply it there with {@link #call}.
 */
public final class Deadline {
    private final Ticker ticker;
    private final long at;

    private Deadline(Ticker ticker, long at) {
        this.ticker = ticker;
        this.at = at;
    }

    /**
     * {@return a deadline relative to now, on the JVM's clock}
     *
     * @param time how long from now; negative for a deadline that has passed
     */
    public static Deadline in(Duration time) {
        return in(time, Ticker.SYSTEM);
    }

    /**
     * {@return a deadline relative to now}
     *
     * @param time how long from now; negative for a deadline that has passed
     * @param ticker the clock
     */
    public static Deadline in(Duration time, Ticker ticker) {
        return new Deadline(ticker, ticker.nanos() + Durations.nanos(time));
    }

    /** {@return the deadline of the calling thread, or null when it has none} */
    public static @Nullable Deadline current() {
        CallContext callContext = CallContext.current();
        return callContext == null || !callContext.hasDeadline()
                ? null
                : new Deadline(callContext.ticker(), callContext.deadline());
    }

    /** {@return the time left; negative once it has passed} */
    public Duration left() {
        return Duration.ofNanos(nanosLeft());
    }

    /** {@return the time left in nanoseconds; negative once it has passed} */
    public long nanosLeft() {
        return at - ticker.nanos();
    }

    /**
     * Runs a task under this deadline, on the calling thread. An earlier deadline of the thread stays in force.
     *
     * @param <T> the result
     * @param work the task
     * @return the result of the task
     * @throws Exception whatever the task throws
     */
    public <T> T call(Callable<T> work) throws Exception {
        CallContext callContext = CallContext.begin(ticker);
        try {
            callContext.allowAtMost(at - callContext.now());
            return work.call();
        } finally {
            callContext.end();
        }
    }

    @Override
    public String toString() {
        return "deadline in " + Durations.format(left());
    }
}
