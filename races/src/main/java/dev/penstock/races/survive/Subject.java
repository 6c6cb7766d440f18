package dev.penstock.races.survive;

import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;

/** A transport with its peer: what experiments break. */
enum Subject {
    /** An HTTP server, the JDK's. */
    HTTP,
    /** PostgreSQL. */
    JDBC,
    /** Artemis, by its own protocol. */
    JMS,
    /** A server of datagrams. */
    UDP;

    private static final Duration SOON = Duration.ofSeconds(10);
    /** Artemis's client waits 30 s for the answer to a handshake, and a breaker opens in that time for longer and longer. */
    private static final Duration AFTER_A_HANDSHAKE = Duration.ofSeconds(90);

    /** The faults that apply to it. */
    Set<Fault> faults() {
        return this == UDP ? Fault.OVER_UDP : Fault.OVER_TCP;
    }

    /** How soon after the last fault a transaction is answered, at the latest. */
    Duration recovery() {
        return this == JMS ? AFTER_A_HANDSHAKE : SOON;
    }

    /** A new one for a schedule, with its peer; close it. */
    SystemUnderTest open(Schedule schedule) throws IOException {
        return switch (this) {
            case HTTP -> HttpSubject.open(schedule);
            case JDBC -> JdbcSubject.open(schedule);
            case JMS -> JmsSubject.open(schedule);
            case UDP -> UdpSubject.open(schedule);
        };
    }

    /** Its name in the table and on the command line. */
    String words() {
        return name().toLowerCase(Locale.ROOT);
    }
}
