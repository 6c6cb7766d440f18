package dev.penstock;

import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * A moment by which an answer is wanted. It travels with the thread: whatever is called inside of a flow, another flow
 * included, sees the time that is left, and never more than that.
 *
 * <p>Immutable, so it may be handed to another thread and taken up there with {@link #call}.
 */
public final class Deadline {
    private final Ticker ticker;
    private final long at;

    private Deadline(Ticker ticker, long at) {
        this.ticker = ticker;
        this.at = at;
    }

    /**
     * A deadline some time from now, by the JVM's clock.
     *
     * @param time how long from now; negative means that it has passed
     */
    public static Deadline in(Duration time) {
        return in(time, Ticker.SYSTEM);
    }

    /**
     * A deadline some time from now.
     *
     * @param time how long from now; negative means that it has passed
     * @param ticker the clock to go by
     */
    public static Deadline in(Duration time, Ticker ticker) {
        return new Deadline(ticker, ticker.nanos() + Durations.nanos(time));
    }

    /** The deadline that the calling thread is under, or null when it is under none. */
    public static @Nullable Deadline current() {
        CallContext callContext = CallContext.current();
        return callContext == null || !callContext.hasDeadline() ? null : new Deadline(callContext.ticker(), callContext.deadline());
    }

    /** The time left; negative once it has passed. */
    public Duration left() {
        return Duration.ofNanos(nanosLeft());
    }

    /** The time left in nanoseconds; negative once it has passed. */
    public long nanosLeft() {
        return at - ticker.nanos();
    }

    /**
     * Does some work under this deadline, on the calling thread. A deadline that the thread is under already still holds.
     *
     * @param work what to do
     * @return what the work returns
     * @throws Exception what the work throws
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
        return "deadline in " + Durations.words(left());
    }
}
