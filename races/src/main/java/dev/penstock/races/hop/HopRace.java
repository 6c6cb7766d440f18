package dev.penstock.races.hop;

import dev.penstock.races.DeclaredRace;
import java.util.List;

/** The cost of one hop. */
public final class HopRace extends DeclaredRace {
    /** For the service loader. */
    public HopRace() {
        super(
                "hop",
                "What does one hop in front of a server that answers immediately cost in CPU, memory and latency?",
                () -> {
                    HalfCourse.MaxRate maxRate = new HalfCourse.MaxRate();
                    return List.of(
                            new FullCourse(false),
                            new FullCourse(true),
                            new HalfCourse("half", false, maxRate),
                            new HalfCourse("half-own", true, maxRate));
                });
    }
}
