package dev.penstock;

import org.jspecify.annotations.Nullable;

/** The request is known not to have taken effect, or the target refused it permanently. */
public final class Failed extends Unanswered {
    private static final long serialVersionUID = 1L;

    /** Why the transaction failed. */
    public enum Cause {
        /** No connection to the target: nothing was sent. */
        CONNECT,
        /** Sent, and known not to have taken effect. A retry would fail too, or its deadline has passed. */
        UNDONE,
        /**
         * Sent, and known not to have taken effect for a transient reason: a conflict with another transaction, or a
         * connection lost before the commit was sent.
         */
        ROLLED_BACK,
        /** The target, or a proxy in front of it, refused the request permanently. */
        REFUSED,
        /** Sent without an answer; a {@link StatusProbe} then found that the target does not have the transaction. */
        NOT_THERE
    }

    /** What a target that refused a request permanently objects to. */
    public enum Refusal {
        /** Something else than the data of the request, such as wrong SQL, or not known. */
        OTHER,
        /** The request conflicts with other data: a duplicate, or another constraint. */
        CONFLICT,
        /** A value of the request. */
        VALUE
    }

    /** The cause. */
    private final Cause why;

    /** What was refused. */
    private final Refusal refusal;

    /**
     * A failed ending.
     *
     * @param why the cause
     * @param message one sentence with its numbers
     */
    public Failed(Cause why, String message) {
        this(why, message, null);
    }

    /**
     * A failed ending with the exception that caused it.
     *
     * @param why the cause
     * @param message one sentence with its numbers
     * @param origin the exception that caused it, if any
     */
    public Failed(Cause why, String message, @Nullable Throwable origin) {
        this(why, Refusal.OTHER, message, origin);
    }

    private Failed(Cause why, Refusal refusal, String message, @Nullable Throwable origin) {
        super(message, origin);
        this.why = why;
        this.refusal = refusal;
    }

    /**
     * {@return an ending with cause {@link Cause#REFUSED}}
     *
     * @param refusal what was refused
     * @param message one sentence with its numbers
     * @param origin the exception that caused it, if any
     */
    public static Failed refused(Refusal refusal, String message, @Nullable Throwable origin) {
        return new Failed(Cause.REFUSED, refusal, message, origin);
    }

    /** {@return what the target objects to; {@link Refusal#OTHER} for every other cause} */
    public Refusal refusal() {
        return refusal;
    }

    @Override
    public String ending() {
        return "failed";
    }

    @Override
    public Cause why() {
        return why;
    }

    /** True for causes {@link Cause#CONNECT}, {@link Cause#NOT_THERE} and {@link Cause#ROLLED_BACK}. */
    @Override
    public boolean isRetryable() {
        return why == Cause.CONNECT || why == Cause.NOT_THERE || why == Cause.ROLLED_BACK;
    }
}
