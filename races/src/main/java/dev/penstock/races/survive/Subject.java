package dev.penstock.races.survive;

import java.io.IOException;
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

    /** The faults that apply to it. */
    Set<Fault> faults() {
        return this == UDP ? Fault.OVER_UDP : Fault.OVER_TCP;
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
