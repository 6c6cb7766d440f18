package dev.penstock.udp;

import java.util.Locale;

/** Where a datagram was lost, or its answer; in the order in which they pass by. */
public enum DropLocation {
    /** In the network card, or its driver: all traffic of this machine since the source began, not only its own. */
    CARD,
    /** In the kernel's queue of a processor (net.core.netdev_max_backlog): all traffic of this machine, too. */
    BACKLOG,
    /** At the socket: its receive buffer was full, or a checksum wrong. */
    SOCKET,
    /** Its source is a socket of this process: a forged address, or a target that points to a source. Answers would loop. */
    OWN,
    /** It has more bytes than the source has room for; what is left of it is not handled. */
    TRUNCATED,
    /** In the ring between reading and handling: it waited longer than its answer would be wanted, or the source was closed. */
    RING,
    /** The handler, or the flow, did not answer: rejected, failed, unknown, or an answer that is too large. */
    HANDLER,
    /** The answer could not be sent: the send buffer stayed full, or there is no way to who asked. */
    SEND;

    /** The word that metrics use. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
