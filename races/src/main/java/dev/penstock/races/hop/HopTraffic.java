package dev.penstock.races.hop;

import static java.nio.charset.StandardCharsets.US_ASCII;

/** What is asked and answered, the same for all contestants. */
final class HopTraffic {
    /** The header that says that a request may be sent again, as ours wants it, and the others pass it on. */
    static final String KEY = "Idempotency-Key: hop";

    static final String PATH = "/hop";

    /** What the origin answers: 1,024 bytes that need no quoting anywhere. */
    static final String BODY = "0123456789abcdef".repeat(64);

    /** How many connections are open to a hop at once. */
    static final int CONNECTIONS = 64;

    private HopTraffic() {}

    /** A request as it is written. */
    static byte[] request(int port) {
        return ("GET " + PATH + " HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\n" + KEY + "\r\n\r\n").getBytes(US_ASCII);
    }
}
