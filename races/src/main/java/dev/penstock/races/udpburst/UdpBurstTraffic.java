package dev.penstock.races.udpburst;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.penstock.udp.ByteReplacement;

/** The contents of the datagrams, the same for all contestants. */
final class UdpBurstTraffic {
    /** The size of each datagram in bytes. */
    static final int SIZE = 1_024;

    /** The largest datagram that a server can hold, in bytes. */
    static final int MAX_SIZE = 2_048;

    private static final String FIND = "PENDING";
    private static final String WITH = "SETTLED";

    private UdpBurstTraffic() {}

    /** The text to find. */
    static byte[] find() {
        return FIND.getBytes(US_ASCII);
    }

    /** The replacement. */
    static byte[] with() {
        return WITH.getBytes(US_ASCII);
    }

    /** The work of every contestant on the JVM. The race compares how datagrams are received and answers are sent. */
    static ByteReplacement work() {
        return ByteReplacement.bytes(find(), with());
    }
}
