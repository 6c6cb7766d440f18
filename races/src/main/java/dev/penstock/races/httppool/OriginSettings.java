package dev.penstock.races.httppool;

import java.time.Duration;

/** The knobs of the payment client that this race is about, and their values; every contestant that has such a knob gets them. */
final class OriginSettings {
    /** Connections of the pool, in all and to one host. */
    static final int CONNECTIONS = 1000;

    /** How long to wait for a pooled connection. */
    static final Duration POOL_WAIT = Duration.ofSeconds(1);

    /** How long connecting may take. */
    static final Duration CONNECT = Duration.ofSeconds(5);

    /** How long to wait for an answer, or for the next bytes of it. */
    static final Duration READ = Duration.ofSeconds(130);

    /** How long a connection may lie idle. */
    static final Duration IDLE = Duration.ofMinutes(5);

    /** How often idle connections are swept. */
    static final Duration SWEEP = Duration.ofSeconds(3);

    private OriginSettings() {}
}
