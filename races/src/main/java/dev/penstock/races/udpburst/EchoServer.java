package dev.penstock.races.udpburst;

import java.util.Map;

/** A contestant on the JVM, in its own process. It answers datagrams from its creation until its process exits. */
interface EchoServer {
    /** Its port on loopback. */
    int port();

    /** The size of its receive buffer in bytes of kernel memory. */
    long buffer();

    /**
     * Its counters by name: {@code received} and {@code answered}, plus {@code dropped.PLACE} if it counts drops. May
     * be called from any thread; the values are exact while no datagrams arrive.
     */
    Map<String, Long> counts();
}
