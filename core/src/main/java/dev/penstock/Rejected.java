package dev.penstock;

import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Never sent, so safe to send again. */
public final class Rejected extends Unanswered {
    private static final long serialVersionUID = 1L;

    /** What rejected it. */
    public enum Cause {
        /** All permits are in use and the wait queue is full, or there is none. */
        LIMIT,
        /** It waited as long as the queue allows, or its caller stopped waiting. */
        QUEUE,
        /** The time left is not enough for an answer. */
        DEADLINE,
        /** The circuit breaker is open. */
        BREAKER,
        /** No connection came free in time. */
        POOL,
        /** The flow is shutting down. */
        DRAINING
    }

    private final Cause why;
    private final long retryAfterNanos;
    private final transient @Nullable Supplier<String> words;

    /**
     * A rejection that advises to come back after one second.
     *
     * @param why what rejected it
     * @param message one sentence with its numbers; made once by a stage, not for each rejection
     */
    public Rejected(Cause why, String message) {
        this(why, message, Duration.ofSeconds(1), null);
    }

    /**
     * A rejection.
     *
     * @param why what rejected it
     * @param message one sentence with its numbers
     * @param retryAfter how long the caller had better wait before it comes back; not negative
     * @param origin the exception behind it, if any
     */
    public Rejected(Cause why, String message, Duration retryAfter, @Nullable Throwable origin) {
        super(message, origin);
        this.why = why;
        this.retryAfterNanos = Durations.nanos(retryAfter);
        this.words = null;
    }

    /**
     * A rejection whose message is made when somebody reads it: making it costs more than all else about rejecting.
     *
     * @param why what rejected it
     * @param words makes one sentence with its numbers; may be called at any time, often, on any thread
     * @param retryAfterNanos how long the caller had better wait before it comes back, in nanoseconds; not negative
     */
    public Rejected(Cause why, Supplier<String> words, long retryAfterNanos) {
        super(null, null);
        this.why = why;
        this.retryAfterNanos = retryAfterNanos;
        this.words = words;
    }

    @Override
    public @Nullable String getMessage() {
        return words == null ? super.getMessage() : words.get();
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
     * How long the caller had better wait before it comes back. Where many are rejected at once, each is told another
     * time, so that they do not come back at once.
     */
    public Duration retryAfter() {
        return Duration.ofNanos(retryAfterNanos);
    }

    /** False when the time is up or the flow is closing: then another attempt here cannot do better. */
    @Override
    public boolean isRepeatable() {
        return why != Cause.DEADLINE && why != Cause.DRAINING;
    }
}
