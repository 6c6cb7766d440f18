package dev.penstock;

import dev.penstock.text.Durations;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The request was never sent, so it is safe to send it again. */
public final class Rejected extends Unanswered {
    private static final long serialVersionUID = 1L;

    /** Why the request was rejected. */
    public enum Cause {
        /** All permits are in use and the wait queue is full or disabled. */
        LIMIT,
        /** It waited for the maximum queue time, or its caller stopped waiting. */
        QUEUE,
        /** The time left until the deadline is too short for an answer. */
        DEADLINE,
        /** The circuit breaker is open. */
        BREAKER,
        /** No connection of the pool became available in time. */
        POOL,
        /** What must be stored before it is sent cannot be stored: the disk is full, or the store cannot be reached. */
        STORE,
        /** The flow is shutting down. */
        DRAINING
    }

    /** The cause. */
    private final Cause why;

    /** How long the caller should wait, in nanoseconds. */
    private final long retryAfterNanos;

    private final transient @Nullable Supplier<String> lazyMessage;

    /**
     * A rejection with a retry-after of one second.
     *
     * @param why the cause
     * @param message one sentence with its numbers; a constant of the stage, not built for each rejection
     */
    public Rejected(Cause why, String message) {
        this(why, message, Duration.ofSeconds(1), null);
    }

    /**
     * A rejection.
     *
     * @param why the cause
     * @param message one sentence with its numbers
     * @param retryAfter how long the caller should wait before it tries again; not negative
     * @param origin the exception that caused it, if any
     */
    public Rejected(Cause why, String message, Duration retryAfter, @Nullable Throwable origin) {
        super(message, origin);
        this.why = why;
        this.retryAfterNanos = Durations.nanos(retryAfter);
        this.lazyMessage = null;
    }

    /**
     * A rejection whose message is built only when it is read: building it costs more than the rest of a rejection.
     *
     * @param why the cause
     * @param message supplies one sentence with its numbers; may be called at any time, repeatedly, on any thread
     * @param retryAfterNanos how long the caller should wait before it tries again, in nanoseconds; not negative
     */
    public Rejected(Cause why, Supplier<String> message, long retryAfterNanos) {
        super(null, null);
        this.why = why;
        this.retryAfterNanos = retryAfterNanos;
        this.lazyMessage = message;
    }

    @Override
    public @Nullable String getMessage() {
        return lazyMessage == null ? super.getMessage() : lazyMessage.get();
    }

    @Override
    public String ending() {
        return "rejected";
    }

    @Override
    public Cause why() {
        return why;
    }

    /**
     * {@return how long the caller should wait before it tries again} The limit spreads this time over the requests it
     * rejects, so that they do not all return at the same moment.
     */
    public Duration retryAfter() {
        return Duration.ofNanos(retryAfterNanos);
    }

    /** Always true: nothing was sent. */
    @Override
    public boolean isOwnFault() {
        return true;
    }

    /** False for causes {@link Cause#DEADLINE} and {@link Cause#DRAINING}: another attempt here cannot succeed. */
    @Override
    public boolean isRetryable() {
        return why != Cause.DEADLINE && why != Cause.DRAINING;
    }
}
