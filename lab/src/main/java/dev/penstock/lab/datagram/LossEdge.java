package dev.penstock.lab.datagram;

import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * Where loss starts, and where what was lost got lost.
 *
 * @param well the highest level at which nothing was lost; 0 when there is none
 * @param tooMuch the lowest at which something was; empty when there was none
 * @param bound why it goes no higher: {@code WELL} when it was not tried any further
 * @param ended whether the search came to its end in the time there was
 * @param sent in all trials
 * @param lost of it
 * @param here of the lost, answers that the kernel dropped at the sender's own socket
 * @param atPeer of the lost, what the kernel dropped at the peer's socket; empty when that is not on this machine
 */
public record LossEdge(
        double well,
        OptionalDouble tooMuch,
        LossSearch.Seen bound,
        boolean ended,
        long sent,
        long lost,
        long here,
        OptionalLong atPeer) {
    /** Of the lost, what is not known to be lost at a socket: on the way, or the peer did not answer. */
    public long elsewhere() {
        return Math.max(0, lost - here - atPeer.orElse(0));
    }
}
