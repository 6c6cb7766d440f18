package dev.penstock;

import org.jspecify.annotations.Nullable;

/**
 * The request was sent and no answer came: it may or may not have taken effect. It is retried only with an idempotency key,
 * if it is declared idempotent, or after a {@link StatusProbe} found that the target does not have it.
 */
public final class Unknown extends Unanswered {
    private static final long serialVersionUID = 1L;

    /** Why no answer came. */
    public enum Cause {
        /** No answer within the time allowed. */
        TIMEOUT,
        /** The connection was closed or reset before the answer. */
        CLOSED,
        /** The caller stopped waiting. */
        INTERRUPTED,
        /** The answer could not be parsed. */
        GARBLED,
        /** The target threw an exception that does not show whether the request took effect. */
        ERROR
    }

    /** The cause. */
    private final Cause why;

    /** Whether it is known that this process failed. */
    private final boolean ofThisProcess;

    /**
     * An unknown ending.
     *
     * @param why why no answer came
     * @param message one sentence with its numbers
     */
    public Unknown(Cause why, String message) {
        this(why, message, null);
    }

    /**
     * An unknown ending with the exception that caused it.
     *
     * @param why why no answer came
     * @param message one sentence with its numbers
     * @param origin the exception that caused it, if any
     */
    public Unknown(Cause why, String message, @Nullable Throwable origin) {
        this(why, message, origin, false);
    }

    private Unknown(Cause why, String message, @Nullable Throwable origin, boolean ofThisProcess) {
        super(message, origin);
        this.why = why;
        this.ofThisProcess = ofThisProcess;
    }

    /**
     * {@return an unknown ending that is not the target's fault: this process closed the connection, or could not take the
     * answer} See {@link #isOwnFault()}.
     *
     * @param why why no answer came
     * @param message one sentence with its numbers
     * @param origin the exception that caused it, if any
     */
    public static Unknown ofThisProcess(Cause why, String message, @Nullable Throwable origin) {
        return new Unknown(why, message, origin, true);
    }

    @Override
    public String ending() {
        return "unknown";
    }

    @Override
    public Cause why() {
        return why;
    }

    @Override
    public boolean isOwnFault() {
        return ofThisProcess || why == Cause.INTERRUPTED || super.isOwnFault();
    }

    /** Always false: a retry is only safe under the conditions above. */
    @Override
    public boolean isRetryable() {
        return false;
    }
}
