package dev.penstock.dedupe;

import dev.penstock.Busy;

/**
 * Turns answers into bytes that outlive the process, and back. Safe for many threads.
 *
 * @param <R> the kind of answer
 */
public interface AnswerCodec<R> {
    /** The kind of answer that this knows; of others only the ending is kept. */
    Class<R> kind();

    /** The answer as bytes; not to be changed afterwards. */
    byte[] encode(R answer);

    /**
     * An answer that is equal to the one that was encoded.
     *
     * @throws RuntimeException when these bytes are none of this codec; the answer is then as good as lost
     */
    R decode(byte[] bytes);

    /**
     * Whether an answer tells what became of its request. One that does not, as it says that the target did not take the
     * request, is not kept: the same key may be sent again. Default: all but those that are {@link Busy}.
     */
    default boolean keeps(R answer) {
        return !Busy.is(answer);
    }
}
