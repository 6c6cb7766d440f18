package dev.penstock.udp;

import java.nio.ByteBuffer;

/**
 * Answers datagrams on the thread that reads the socket: for work that takes microseconds and never blocks. Use a flow for
 * everything else.
 *
 * <p>Each socket of a source calls it on its own thread, so several threads may call concurrently.
 */
@FunctionalInterface
public interface DatagramHandler {
    /**
     * Answers one datagram.
     *
     * @param request the datagram, from position 0 to its limit. Valid only until this method returns
     * @param answer the buffer for the answer, whose capacity is the source's maximum size; the bytes before its position on
     *     return are the answer
     * @return whether to send the answer; false for none, which does not count as a loss
     * @throws Exception the datagram could not be handled; it counts as lost in the handler, and no answer is sent. An answer
     *     that does not fit ({@link java.nio.BufferOverflowException}) is such a case
     */
    boolean answer(ByteBuffer request, ByteBuffer answer) throws Exception;
}
