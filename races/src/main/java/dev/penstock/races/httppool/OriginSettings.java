package dev.penstock.races.httppool;

import java.time.Duration;

/** Settings of the original service's payment client; every contestant that supports a setting gets its value. */
final class OriginSettings {
    /** Maximum connections of the pool, in total and per host. */
    static final int CONNECTIONS = 1000;

    /** Maximum wait for a pooled connection. */
    static final Duration POOL_WAIT = Duration.ofSeconds(1);

    /** Connect timeout. */
    static final Duration CONNECT = Duration.ofSeconds(5);

    /** Timeout of an answer, or of its next bytes. */
    static final Duration READ = Duration.ofSeconds(130);

    /** Maximum idle time of a connection. */
    static final Duration IDLE = Duration.ofMinutes(5);

    /** Interval of the removal of idle connections. */
    static final Duration SWEEP = Duration.ofSeconds(3);

    private OriginSettings() {}
}
