package dev.penstock;

/**
 * What a {@link StatusProbe} found out about a transaction that got no answer: it is {@link Answered}, with the
 * transaction's own answer, {@link NotThere} or {@link StillUnknown}.
 *
 * @param <R> the kind of answer
 */
public sealed interface Settled<R> permits Answered, Settled.NotThere, Settled.StillUnknown {
    /**
     * The target does not know the transaction, and will not come to know it unless it is sent again: so it may be.
     *
     * @param <R> the kind of answer
     */
    record NotThere<R>() implements Settled<R> {}

    /**
     * The question brought no clear word.
     *
     * @param why in a few words that follow "still unknown:", without secrets
     * @param <R> the kind of answer
     */
    record StillUnknown<R>(String why) implements Settled<R> {}
}
