package dev.penstock.races.httppool;

import dev.penstock.races.DeclaredRace;
import java.util.List;

/** Compares pooled HTTP clients with a gateway that closes connections, and their cost without faults. */
public final class HttpPoolRace extends DeclaredRace {
    /** For the service loader. */
    public HttpPoolRace() {
        super(
                "http-pool",
                "What does a pooled HTTP client cost, and how many payments does it lose when connections are closed?",
                () -> List.of(
                        ClosingsCourse.ofConnections(),
                        ClosingsCourse.inTheMiddle(),
                        SpeedCourse.plain(),
                        ClosingsCourse.overTls(),
                        SpeedCourse.overTls()));
    }
}
