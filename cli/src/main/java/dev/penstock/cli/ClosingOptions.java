package dev.penstock.cli;

import dev.penstock.lab.simulate.Closing;
import dev.penstock.lab.simulate.FaultSchedule;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Option;

/** Options for scheduled connection closing in a simulator. */
final class ClosingOptions {
    @Option(
            names = "--close",
            paramLabel = "HOW",
            split = ",",
            description = "How to close connections, see below; several, as in fin,rst, alternate.")
    private List<Closing> close = List.of();

    @Option(
            names = "--close-every",
            paramLabel = "TIME",
            defaultValue = "10s",
            description = "The interval between closing phases. Default: ${DEFAULT-VALUE}.")
    private Duration every = Duration.ZERO;

    @Option(
            names = "--close-for",
            paramLabel = "TIME",
            defaultValue = "1s",
            description = "The length of a closing phase. Default: ${DEFAULT-VALUE}.")
    private Duration lasting = Duration.ZERO;

    /**
     * Rejects options without effect.
     *
     * @throws IllegalArgumentException an option has no effect, with a one-line remedy
     */
    void checkEffective(Subcommand command) {
        for (String option : List.of("--close-every", "--close-for")) {
            command.checkEffective(option, !close.isEmpty(), "--close: add for instance --close fin");
        }
    }

    /** The kinds of closing, which alternate; empty for none. */
    Closing[] kinds() {
        return close.toArray(Closing[]::new);
    }

    /** Whether that kind is among them. */
    boolean has(Closing kind) {
        return close.contains(kind);
    }

    /**
     * The schedule.
     *
     * @throws IllegalArgumentException invalid times, with a one-line remedy
     */
    FaultSchedule schedule() {
        return close.isEmpty() ? FaultSchedule.NEVER : new FaultSchedule(every, lasting);
    }
}
