package dev.penstock.races.hop;

/** The requests and answers, the same for all contestants. */
final class HopTraffic {
    /** The header that allows Penstock to retry a request. The other contestants pass it on. */
    static final String KEY = "Idempotency-Key: hop";

    static final String PATH = "/hop";

    /** The origin's answer: 1,024 bytes that need no escaping in any configuration file. */
    static final String BODY = "0123456789abcdef".repeat(64);

    /** The number of concurrent connections to a hop. */
    static final int CONNECTIONS = 64;

    private HopTraffic() {}
}
