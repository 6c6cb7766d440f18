package dev.penstock.lab.datagram;

import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * The level at which loss starts, and where datagrams were lost.
 *
 * @param well the highest level without loss; 0 when there is none
 * @param tooMuch the lowest level with loss; empty when there was none
 * @param bound why the search went no higher: {@code WELL} when the highest level was reached
 * @param ended whether the search ended in time
 * @param sent datagrams sent in all trials
 * @param lost lost datagrams
 * @param here lost answers dropped by the kernel at the sender's own socket
 * @param atPeer lost datagrams dropped by the kernel at the peer's socket; empty when that is not on this machine
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
    /** Lost datagrams not known to be dropped at a socket: lost in the network, or not answered. */
    public long elsewhere() {
        return Math.max(0, lost - here - atPeer.orElse(0));
    }
}
