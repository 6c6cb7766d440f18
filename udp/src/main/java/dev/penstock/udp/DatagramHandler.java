package dev.penstock.udp;

import java.nio.ByteBuffer;

/**
 * Answers a datagram on the very thread that reads the socket: for what takes microseconds and never waits. Everything else
 * goes behind a flow.
 *
 * <p>Called by one thread a shard; several shards call at the same time.
 */
@FunctionalInterface
public interface DatagramHandler {
    /**
     * Answers one datagram.
     *
     * @param request what came: from its position, 0, to its limit. Only until this returns
     * @param answer room for the answer, from 0 to its capacity, which is the source's largest datagram; what is before its
     *     position when this returns is the answer
     * @return whether to send the answer; false when none is wanted, which is no loss
     * @throws Exception the datagram could not be handled, which counts as lost in the handler; nothing is answered. What does
     *     not fit into the answer ({@link java.nio.BufferOverflowException}) is such a case
     */
    boolean answer(ByteBuffer request, ByteBuffer answer) throws Exception;
}
