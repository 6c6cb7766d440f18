package dev.penstock.cli;

import dev.penstock.lab.datagram.Cadence;
import dev.penstock.lab.datagram.DatagramLoad;
import dev.penstock.lab.load.Arrivals;
import dev.penstock.lab.load.ClosedLoad;
import dev.penstock.lab.load.Load;
import dev.penstock.lab.load.OpenLoad;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** The options that say when the transactions of a load start. */
final class StartOptions {
    private static final Duration DEFAULT_TIME = Duration.ofSeconds(30);
    private static final Duration DEFAULT_EVERY = Duration.ofSeconds(1);
    private static final int MOST_CONNECTIONS = 100_000;

    /** By a rate or by users; or none do, and the generator itself is tried. */
    static final class Kind {
        @Option(
                names = "--rate",
                paramLabel = "N",
                description = "Start N transactions a second (open load); 100..1000 is a ramp over --for,"
                        + " 100,200,400 are equal steps over --for.")
        @Nullable
        String rate;

        @Option(names = "--users", paramLabel = "N", description = "N users, each waits for its answer (closed load).")
        @Nullable
        Integer users;

        @Option(
                names = "--burst",
                paramLabel = "N",
                description = "Send N datagrams as fast as can be, every --every (udp).")
        @Nullable
        Integer burst;

        @Option(
                names = "--calibrate",
                description = "Load nothing; find the highest rate that this machine's generator is good for.")
        boolean calibrate;
    }

    @ArgGroup(multiplicity = "1")
    private Kind kind = new Kind();

    @Option(
            names = "--every",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "From the beginning of one burst to that of the next (with --burst). Default: 1s.")
    private @Nullable Duration every;

    @Option(
            names = "--for",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "How long to start transactions. Default: 30s; with --calibrate 2s at each rate.")
    private @Nullable Duration lasting;

    @Option(
            names = "--warm-up",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            defaultValue = "0s",
            description = "Of this time, leave the first part out of the results. Default: none.")
    private Duration warmUp = Duration.ZERO;

    @Option(
            names = "--spike",
            paramLabel = "N@AT/TIME",
            description = "Another rate for a while (with --rate): 2000@10s/2s is 2,000 a second from 10s on, for 2s."
                    + " Repeatable.")
    private List<String> spikes = List.of();

    @Option(names = "--poisson", description = "Start at random times, as independent callers do (with --rate).")
    private boolean poisson;

    @Option(
            names = "--think",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            defaultValue = "0s",
            description = "How long a user waits before its next transaction (with --users). Default: not at all.")
    private Duration think = Duration.ZERO;

    @Option(
            names = "--max-in-flight",
            paramLabel = "N",
            defaultValue = "10000",
            description = "Shed what is due beyond N in flight (with --rate). Default: ${DEFAULT-VALUE}.")
    private int maxInFlight;

    /** Options not given yet; picocli fills them in. */
    StartOptions() {}

    /** Whether nothing is to be loaded, and the generator itself to be tried. */
    boolean calibrates() {
        return kind.calibrate;
    }

    /** How long to start transactions. */
    Duration time(Duration unlessGiven) {
        return lasting == null ? unlessGiven : lasting;
    }

    /**
     * The load that was described.
     *
     * @throws IllegalArgumentException when it is none, in one line that says what to do
     */
    Load<?> load(long seed) {
        if (kind.burst != null) {
            throw new IllegalArgumentException(
                    "--burst is for a udp target: give --rate or --users, or load udp://...");
        }
        checkEvery();
        Duration time = time(DEFAULT_TIME);
        return (kind.rate == null ? closed() : open(kind.rate, time, seed))
                .lasting(time)
                .warmUp(warmUp);
    }

    /** Whether users are asked for, who each wait for their answer. */
    boolean hasUsers() {
        return kind.users != null;
    }

    /**
     * When datagrams are due.
     *
     * @throws IllegalArgumentException when that was not described, in one line that says what to do
     */
    DatagramLoad datagrams() {
        checkEvery();
        Cadence cadence = kind.burst != null
                ? Cadence.bursts(kind.burst, every == null ? DEFAULT_EVERY : every)
                : Cadence.steady(flatRate(kind.rate));
        return DatagramLoad.of(cadence).lasting(time(DEFAULT_TIME));
    }

    private void checkEvery() {
        if (every != null && kind.burst == null) {
            throw new IllegalArgumentException("--every does nothing without --burst: say how many go each time");
        }
    }

    private static double flatRate(@Nullable String rate) {
        try {
            return Double.parseDouble(String.valueOf(rate));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "\"" + rate + "\" is no rate of datagrams: write a number of them a second, or give --burst");
        }
    }

    /** As many as can be in flight, so that the generator's own pool never makes a transaction wait. */
    int mostInFlight() {
        return Math.clamp(kind.users == null ? maxInFlight : kind.users, 1, MOST_CONNECTIONS);
    }

    private Load<?> closed() {
        if (!spikes.isEmpty() || poisson) {
            throw new IllegalArgumentException(
                    (poisson ? "--poisson" : "--spike") + " is about a rate: give --rate, or leave it out");
        }
        return ClosedLoad.of(kind.users == null ? 0 : kind.users, think);
    }

    private Load<?> open(String rate, Duration time, long seed) {
        var shape = LoadShape.parse(rate, spikes, time);
        Arrivals arrivals = poisson ? Arrivals.poisson(shape, seed) : Arrivals.even(shape);
        return OpenLoad.at(arrivals).maxInFlight(maxInFlight);
    }
}
