package dev.penstock;

import org.jspecify.annotations.Nullable;

/** Known not to have taken effect, or refused by the target for good. */
public final class Failed extends Unanswered {
    private static final long serialVersionUID = 1L;

    /** What made it fail. */
    public enum Cause {
        /** The target could not be reached: nothing of the request was sent. */
        CONNECT,
        /** Sent, and known not to have taken effect; the same again would fare no better, or its time is up. */
        UNDONE,
        /**
         * Sent, and known not to have taken effect, for something that passes: a conflict with another transaction, or a
         * connection that ended before it was told to keep what was done.
         */
        ROLLED_BACK,
        /** The target, or the way to it, refused the request for good. */
        REFUSED,
        /** Sent, and no answer came; a {@link StatusProbe} then said that it is not there. */
        NOT_THERE
    }

    private final Cause why;

    /**
     * A failure.
     *
     * @param why what made it fail
     * @param message one sentence with its numbers
     */
    public Failed(Cause why, String message) {
        this(why, message, null);
    }

    /**
     * A failure with the exception behind it.
     *
     * @param why what made it fail
     * @param message one sentence with its numbers
     * @param origin the exception behind it, if any
     */
    public Failed(Cause why, String message, @Nullable Throwable origin) {
        super(message, origin);
        this.why = why;
    }

    @Override
    public String ending() {
        return "failed";
    }

    @Override
    public Cause why() {
        return why;
    }

    /** True for what failed before it was sent, for what is not there though it was, and for what was rolled back. */
    @Override
    public boolean isRepeatable() {
        return why == Cause.CONNECT || why == Cause.NOT_THERE || why == Cause.ROLLED_BACK;
    }
}
