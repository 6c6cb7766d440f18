package dev.penstock.udp;

import java.util.Locale;

/** Where a datagram or its answer was lost, in the order of processing. */
public enum DropLocation {
    /** In a network card or its driver. Counts all traffic of this machine since the source was started, not only its own. */
    CARD,
    /** In the kernel's per-processor queue (net.core.netdev_max_backlog). Also counts all traffic of this machine. */
    BACKLOG,
    /** At the socket: its receive buffer was full, or a checksum was wrong. */
    SOCKET,
    /** Its source is a socket of this process: a forged address, or a target that points to a source. An answer would loop. */
    OWN,
    /** Its sender is not allowed, or sends more than its rate. */
    PEER,
    /** It was larger than the maximum size, and is not handled. */
    TRUNCATED,
    /** In the ring between reading and handling: it waited too long, or the source was closed. */
    RING,
    /** The handler or the flow did not answer: rejected, failed, unknown, or an answer that is too long. */
    HANDLER,
    /** The answer could not be sent: the send buffer stayed full, or there is no route to the client. */
    SEND;

    /** Its name in metrics, in lower case. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
