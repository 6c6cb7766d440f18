package dev.penstock.races.survive;

import java.io.IOException;
import java.util.Locale;
import java.util.Optional;
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
    UDP,
    /** A gateway in a process of its own before an HTTP server, with its keys in a file. */
    GATEWAY;

    /** The faults that apply to it. */
    Set<Fault> faults() {
        return switch (this) {
            case UDP -> Fault.OVER_UDP;
            case GATEWAY -> Fault.OF_A_GATEWAY;
            case HTTP, JDBC, JMS -> Fault.OVER_TCP;
        };
    }

    /** Why it cannot be tried here, in a few words; empty when it can. */
    Optional<String> whyNot() {
        return this == GATEWAY ? GatewayMachine.whyNot() : Optional.empty();
    }

    /** A new one for a schedule, with its peer; close it. */
    SystemUnderTest open(FaultPlan schedule) throws IOException {
        return switch (this) {
            case HTTP -> HttpSubject.open(schedule);
            case JDBC -> JdbcSubject.open(schedule);
            case JMS -> JmsSubject.open(schedule);
            case UDP -> UdpSubject.open(schedule);
            case GATEWAY -> GatewaySubject.open(schedule);
        };
    }

    /** Its name in the table and on the command line. */
    String words() {
        return name().toLowerCase(Locale.ROOT);
    }
}
