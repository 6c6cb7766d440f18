package dev.penstock.cli;

import dev.penstock.lab.simulate.Closing;
import dev.penstock.lab.simulate.FaultSchedule;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;

/** The options that say when a simulator closes connections on a timeline, and how. */
final class ClosingOptions {
    @Option(
            names = "--close",
            paramLabel = "HOW",
            split = ",",
            description = "Close connections in this way, see below; several, as in fin,rst, take turns.")
    private List<Closing> close = List.of();

    @Option(
            names = "--close-every",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            defaultValue = "10s",
            description = "Begin to close every so often. Default: ${DEFAULT-VALUE}.")
    private Duration every = Duration.ZERO;

    @Option(
            names = "--close-for",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            defaultValue = "1s",
            description = "Close for so long. Default: ${DEFAULT-VALUE}.")
    private Duration lasting = Duration.ZERO;

    /** Options not given yet; picocli fills them in. */
    ClosingOptions() {}

    /**
     * Refuses what would do nothing.
     *
     * @throws IllegalArgumentException in one line that says what to do
     */
    void checkNothingIsIgnored(ParseResult given) {
        for (String option : List.of("--close-every", "--close-for")) {
            if (close.isEmpty() && given.hasMatchedOption(option)) {
                throw new IllegalArgumentException(
                        option + " does nothing without --close: say how, as in --close fin");
            }
        }
    }

    /** The ways of closing, which take turns; none when nothing is to be closed. */
    Closing[] ways() {
        return close.toArray(Closing[]::new);
    }

    /** Whether that way is among them. */
    boolean has(Closing way) {
        return close.contains(way);
    }

    /**
     * When to close.
     *
     * @throws IllegalArgumentException when the times cannot be, in one line that says what to do
     */
    FaultSchedule schedule() {
        return close.isEmpty() ? FaultSchedule.NEVER : new FaultSchedule(every, lasting);
    }
}
