package dev.penstock.races.overhead;

import dev.penstock.races.DeclaredRace;
import java.util.List;

/** The cost of limit, deadline, retry, breaker and meter around a call that costs nothing. */
public final class OverheadRace extends DeclaredRace {
    /** For the service loader. */
    public OverheadRace() {
        super(
                "overhead",
                "What do the stages cost around a call that costs nothing?",
                () -> List.of(new NoOpCourse("no-op", 1), new NoOpCourse("no-op-two-threads", 2)));
    }
}
