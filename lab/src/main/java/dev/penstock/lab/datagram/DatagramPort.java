package dev.penstock.lab.datagram;

import java.io.IOException;
import java.util.OptionalLong;

/** Sends numbered datagrams and takes their answers, many by one call and without waiting. One thread at a time. */
public interface DatagramPort extends AutoCloseable {
    /**
     * Sends datagrams with these numbers in them.
     *
     * @param first the number of the first
     * @param count how many
     * @return how many were taken: the first ones; 0 when there is no room just now
     * @throws IOException nothing can be sent any more
     */
    int send(long first, int count) throws IOException;

    /**
     * Takes what answers are there.
     *
     * @param taker is told each
     * @return how many there were
     * @throws IOException nothing can be received any more
     */
    int receive(Taker taker) throws IOException;

    /**
     * Waits for an answer; a port that cannot returns at once, and its caller keeps looking.
     *
     * @param nanos for how long at most, to a millisecond
     * @throws IOException nothing can be received any more
     */
    default void await(long nanos) throws IOException {}

    /** How many answers the kernel dropped at this port's own socket; empty where it does not tell. */
    OptionalLong dropped();

    @Override
    void close();

    /** Is told answers. */
    @FunctionalInterface
    interface Taker {
        /**
         * An answer came.
         *
         * @param number of the datagram that it answers
         * @param right whether it is the answer that was expected
         */
        void answer(long number, boolean right);
    }
}
