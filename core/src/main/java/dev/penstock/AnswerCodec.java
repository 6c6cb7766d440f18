package dev.penstock;

/**
 * Converts answers to bytes for an {@link IdempotencyStore}, and back. Implementations are safe for many threads.
 *
 * @param <R> the kind of answer
 */
public interface AnswerCodec<R> {
    /** {@return the type of answer that this codec converts; of other answers only the ending is kept} */
    Class<R> kind();

    /**
     * {@return the answer as bytes; they must not be modified afterwards}
     *
     * @param answer an answer of the target
     */
    byte[] encode(R answer);

    /**
     * {@return an answer equal to the encoded one}
     *
     * @param bytes what {@link #encode} returned
     * @throws RuntimeException the bytes were not written by this codec; the answer is then treated as lost
     */
    R decode(byte[] bytes);

    /**
     * {@return whether an answer is kept} An answer by which the target declines to process the request is not kept, so the
     * same key may be sent again. Default: all answers are kept except those that are {@link Busy}.
     *
     * @param answer an answer of the target
     */
    default boolean keeps(R answer) {
        return !Busy.is(answer);
    }
}
