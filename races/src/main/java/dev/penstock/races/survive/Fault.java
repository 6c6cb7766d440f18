package dev.penstock.races.survive;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** What goes wrong: a row of the table. */
enum Fault {
    /** Nothing listens any more; connections that are open go on. */
    REFUSED,
    /** A reset after some bytes of a request. */
    RESET_IN_REQUEST,
    /** A reset after some bytes of an answer. */
    RESET_IN_ANSWER,
    /** Closed by FIN after some bytes of a request. */
    CUT_IN_REQUEST,
    /** Closed by FIN after some bytes of an answer. */
    CUT_IN_ANSWER,
    /** The peer sends a FIN after some bytes of an answer, and still reads. */
    HALF_CLOSED,
    /** Bytes are taken and thrown away, and connections stay silent after that. */
    BLACKHOLE,
    /** Bytes pass so slowly that some calls outlast their deadline. */
    SLOW,
    /** All connections are closed by FIN while no call is under way. */
    CLOSED_WHILE_IDLE,
    /** All connections are reset, whatever they are used for. */
    RESET_ALL,
    /** A datagram is lost on its way to the peer. */
    REQUEST_LOST,
    /** A datagram is lost on its way back. */
    ANSWER_LOST,
    /** An answer comes twice. */
    ANSWER_TWICE,
    /** An answer comes late, some after the deadline. */
    ANSWER_LATE,
    /** kill -9 of the peer, which starts again with its data at the end of the fault. */
    KILLED,
    /** SIGSTOP of the peer, and SIGCONT at the end of the fault: until then the system accepts connections and bytes for it. */
    STOPPED,
    /** Code of the user throws an Error. */
    ERROR_IN_HOOK,
    /** kill -9 of the gateway, which starts again with its files at the end of the fault. */
    GATEWAY_KILLED,
    /** SIGSTOP of the gateway, and SIGCONT at the end of the fault. */
    GATEWAY_STOPPED,
    /** The disk of the gateway is full. */
    DISK_FULL,
    /** The gateway can open no file and no socket, and accept no connection. */
    NO_DESCRIPTORS,
    /** Uploads that stop before their end take more memory than the gateway has. */
    STALLED_UPLOADS,
    /** The name of the peer cannot be resolved; for half of the draws open connections are reset too. */
    UNKNOWN_HOST,
    /** The network of the gateway's machine is down: neither its clients nor its target reach it. */
    PARTITIONED,
    /** The wall clock of the gateway jumps forwards or back, and again at the end of the fault. */
    CLOCK_JUMP;

    /** Those of datagrams, of processes and of hooks. */
    static final Set<Fault> OVER_UDP =
            EnumSet.of(REFUSED, REQUEST_LOST, ANSWER_LOST, ANSWER_TWICE, ANSWER_LATE, KILLED, STOPPED, ERROR_IN_HOOK);

    /** Those of connections, of processes and of hooks. */
    static final Set<Fault> OVER_TCP = EnumSet.range(REFUSED, ERROR_IN_HOOK);

    /** Those of a gateway's process and machine, of connections to its target and of the target's process. */
    static final Set<Fault> OF_A_GATEWAY = EnumSet.allOf(Fault.class);

    static {
        OVER_TCP.removeAll(EnumSet.range(REQUEST_LOST, ANSWER_LATE));
        OF_A_GATEWAY.removeAll(EnumSet.range(REQUEST_LOST, ANSWER_LATE));
        OF_A_GATEWAY.remove(ERROR_IN_HOOK);
    }

    /** Its name in the table. */
    String words() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
