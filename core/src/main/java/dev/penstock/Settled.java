package dev.penstock;

/**
 * What a {@link StatusProbe} found out about a transaction without an answer: {@link Answered} with the transaction's own
 * answer, {@link NotThere} or {@link StillUnknown}.
 *
 * @param <R> the type of the answer
 */
public sealed interface Settled<R> permits Answered, Settled.NotThere, Settled.StillUnknown {
    /**
     * The target does not have the transaction and will not receive it late, so it is safe to send it again.
     *
     * @param <R> the type of the answer
     */
    record NotThere<R>() implements Settled<R> {}

    /**
     * The probe could not determine the outcome.
     *
     * @param why in a few words that follow "still unknown:", without secrets
     * @param <R> the kind of answer
     */
    record StillUnknown<R>(String why) implements Settled<R> {}
}
