package dev.penstock;

import org.jspecify.annotations.Nullable;

/**
 * Sent, and no answer came: it may or may not have taken effect. Never repeated blindly, only with an idempotency key, for
 * a request declared idempotent, or after a status probe says that it is not there.
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
        /** Something came that could not be read as an answer. */
        GARBLED,
        /** The target threw something that does not tell what became of the request. */
        ERROR
    }

    private final Cause why;

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
     * An unknown ending with the exception behind it.
     *
     * @param why why no answer came
     * @param message one sentence with its numbers
     * @param origin the exception behind it, if any
     */
    public Unknown(Cause why, String message, @Nullable Throwable origin) {
        super(message, origin);
        this.why = why;
    }

    @Override
    public String ending() {
        return "unknown";
    }

    @Override
    public Cause why() {
        return why;
    }

    /** Always false: by itself it is not safe to repeat, see above. */
    @Override
    public boolean isRepeatable() {
        return false;
    }
}
