package dev.penstock.races.udpburst;

import java.util.Map;

/** A contestant on the JVM, in its own process: answers datagrams from when it is made until its process ends. */
interface EchoServer {
    /** Where it listens, on loopback. */
    int port();

    /** The receive buffer that it has, in bytes of the kernel's memory. */
    long buffer();

    /**
     * What it has done so far, by word: {@code received} and {@code answered}, and where it counts what it dropped, {@code
     * dropped.PLACE} too. Safe for another thread, and exact while nothing comes.
     */
    Map<String, Long> counts();
}
