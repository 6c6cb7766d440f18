package dev.penstock.races.survive;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** The kinds of fault, one per row of the table. */
enum Fault {
    /** The peer's port refuses connections; open connections continue to work. */
    REFUSED,
    /** A reset (RST) after some bytes of a request. */
    RESET_IN_REQUEST,
    /** A reset (RST) after some bytes of an answer. */
    RESET_IN_ANSWER,
    /** A close (FIN) after some bytes of a request. */
    CUT_IN_REQUEST,
    /** A close (FIN) after some bytes of an answer. */
    CUT_IN_ANSWER,
    /** The peer sends a FIN after some bytes of an answer, and continues to read. */
    HALF_CLOSED,
    /** Bytes are accepted and discarded, and the connections stay silent afterwards. */
    BLACKHOLE,
    /** Bytes pass so slowly that some calls exceed their deadline. */
    SLOW,
    /** All connections are closed with FIN while no call is in flight. */
    CLOSED_WHILE_IDLE,
    /** All connections are reset, idle or not. */
    RESET_ALL,
    /** A datagram is lost on its way to the peer. */
    REQUEST_LOST,
    /** A datagram is lost on its way back. */
    ANSWER_LOST,
    /** An answer is delivered twice. */
    ANSWER_TWICE,
    /** An answer is delayed, in some cases beyond the deadline. */
    ANSWER_LATE,
    /** The peer is killed with SIGKILL, and restarted with its data at the end of the fault. */
    KILLED,
    /**
     * The peer is suspended with SIGSTOP until the end of the fault (SIGCONT). Meanwhile the kernel accepts connections
     * and bytes on its behalf.
     */
    STOPPED,
    /** User code throws an {@code Error}. */
    ERROR_IN_HOOK,
    /** The gateway is killed with SIGKILL, and restarted with its files at the end of the fault. */
    GATEWAY_KILLED,
    /** The gateway is suspended with SIGSTOP until the end of the fault (SIGCONT). */
    GATEWAY_STOPPED,
    /** The gateway's disk is full. */
    DISK_FULL,
    /** The gateway cannot open files or sockets, and cannot accept connections. */
    NO_DESCRIPTORS,
    /** Unfinished uploads need more memory than the gateway has. */
    STALLED_UPLOADS,
    /** The peer's host name cannot be resolved; in half of the draws, open connections are also reset. */
    UNKNOWN_HOST,
    /** The network of the gateway's machine is down: neither its clients nor its target can reach it. */
    PARTITIONED,
    /** The gateway's wall clock jumps forwards or backwards, and again at the end of the fault. */
    CLOCK_JUMP;

    /** The faults that apply over UDP: those of datagrams, processes and hooks. */
    static final Set<Fault> OVER_UDP =
            EnumSet.of(REFUSED, REQUEST_LOST, ANSWER_LOST, ANSWER_TWICE, ANSWER_LATE, KILLED, STOPPED, ERROR_IN_HOOK);

    /** The faults that apply over TCP: those of connections, processes and hooks. */
    static final Set<Fault> OVER_TCP = EnumSet.range(REFUSED, ERROR_IN_HOOK);

    /**
     * The faults that apply to a gateway: those of its process and machine, of connections to its target, and of the
     * target's process.
     */
    static final Set<Fault> OF_A_GATEWAY = EnumSet.allOf(Fault.class);

    static {
        OVER_TCP.removeAll(EnumSet.range(REQUEST_LOST, ANSWER_LATE));
        OF_A_GATEWAY.removeAll(EnumSet.range(REQUEST_LOST, ANSWER_LATE));
        OF_A_GATEWAY.remove(ERROR_IN_HOOK);
    }

    /** The name of the fault in the table. */
    String title() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
