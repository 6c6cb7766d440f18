package dev.penstock.lab.datagram;

import java.io.IOException;
import java.util.OptionalLong;

/** Sends numbered datagrams and receives their answers, in batches and without blocking. One thread at a time. */
public interface DatagramPort extends AutoCloseable {
    /**
     * Sends datagrams that contain these numbers.
     *
     * @param first the first number
     * @param count how many
     * @return the number of datagrams accepted, from the first on; 0 when the send buffer is full
     * @throws IOException when nothing can be sent any more
     */
    int send(long first, int count) throws IOException;

    /**
     * Receives the answers available now.
     *
     * @param taker receives each
     * @return their number
     * @throws IOException when nothing can be received any more
     */
    int receive(Taker taker) throws IOException;

    /**
     * Waits for an answer; a port that cannot wait returns immediately, and its caller keeps polling.
     *
     * @param nanos maximum wait, with a resolution of 1 ms
     * @throws IOException when nothing can be received any more
     */
    default void await(long nanos) throws IOException {}

    /** The number of answers dropped by the kernel at this port's own socket; empty when not available. */
    OptionalLong dropped();

    @Override
    void close();

    /** Receives answers. */
    @FunctionalInterface
    interface Taker {
        /**
         * Called for each answer.
         *
         * @param number of the datagram that it answers
         * @param right whether the answer is correct
         */
        void answer(long number, boolean right);
    }
}
