package dev.penstock.races.udpburst;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.penstock.udp.ByteReplacement;

/** What is in the datagrams, the same for all contestants. */
final class UdpBurstTraffic {
    /** Of each datagram, in bytes. */
    static final int SIZE = 1_024;

    /** The largest that any server has room for, in bytes. */
    static final int ROOM = 2_048;

    private static final String FIND = "PENDING";
    private static final String WITH = "SETTLED";

    private UdpBurstTraffic() {}

    /** What is looked for. */
    static byte[] find() {
        return FIND.getBytes(US_ASCII);
    }

    /** What is put in its place. */
    static byte[] with() {
        return WITH.getBytes(US_ASCII);
    }

    /** The work of every contestant on the JVM: what is raced is what carries datagrams to it and answers back. */
    static ByteReplacement work() {
        return ByteReplacement.bytes(find(), with());
    }
}
