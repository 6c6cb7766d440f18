package dev.penstock.races.survive;

import java.io.IOException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** The systems under test: a transport with its peer. */
enum Subject {
    /** An HTTP server, the JDK's. */
    HTTP,
    /** PostgreSQL. */
    JDBC,
    /** Artemis, over its native protocol. */
    JMS,
    /** A datagram server. */
    UDP,
    /** A gateway in its own process in front of an HTTP server, with its idempotency keys in a file. */
    GATEWAY;

    /** The faults that apply to this subject. */
    Set<Fault> faults() {
        return switch (this) {
            case UDP -> Fault.OVER_UDP;
            case GATEWAY -> Fault.OF_A_GATEWAY;
            case HTTP, JDBC, JMS -> Fault.OVER_TCP;
        };
    }

    /** The reason why it cannot run on this machine; empty if it can. */
    Optional<String> whyNot() {
        return this == GATEWAY ? GatewayMachine.whyNot() : Optional.empty();
    }

    /** Opens a new system with its peer for a schedule. The caller must close it. */
    SystemUnderTest open(FaultPlan schedule) throws IOException {
        return switch (this) {
            case HTTP -> HttpSubject.open(schedule);
            case JDBC -> JdbcSubject.open(schedule);
            case JMS -> JmsSubject.open(schedule);
            case UDP -> UdpSubject.open(schedule);
            case GATEWAY -> GatewaySubject.open(schedule);
        };
    }

    /** The name in the table and on the command line. */
    String title() {
        return name().toLowerCase(Locale.ROOT);
    }
}
