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

/** Options for when the transactions of a load start. */
final class StartOptions {
    private static final Duration DEFAULT_TIME = Duration.ofSeconds(30);
    private static final Duration DEFAULT_EVERY = Duration.ofSeconds(1);
    private static final int MAX_CONNECTIONS = 100_000;

    /** By rate, users or bursts, or calibration of the generator. */
    static final class Kind {
        @Option(
                names = "--rate",
                paramLabel = "N",
                description = "Start N transactions per second (open load); 100..1000 is a ramp over --for,"
                        + " 100,200,400 are equal steps over --for.")
        @Nullable
        String rate;

        @Option(
                names = "--users",
                paramLabel = "N",
                description = "N users, each waiting for its answer (closed load).")
        @Nullable
        Integer users;

        @Option(
                names = "--burst",
                paramLabel = "N",
                description = "Send N datagrams as fast as possible, every --every (udp).")
        @Nullable
        Integer burst;

        @Option(
                names = "--calibrate",
                description = "Load nothing; find the highest accurate rate of the generator on this machine.")
        boolean calibrate;
    }

    @ArgGroup(multiplicity = "1")
    private Kind kind = new Kind();

    @Option(
            names = "--every",
            paramLabel = "TIME",
            description = "The time from the start of one burst to the next (with --burst). Default: 1s.")
    private @Nullable Duration every;

    @Option(
            names = "--for",
            paramLabel = "TIME",
            description = "The duration of the load. Default: 30s; with --calibrate 2s per rate.")
    private @Nullable Duration lasting;

    @Option(
            names = "--warm-up",
            paramLabel = "TIME",
            defaultValue = "0s",
            description = "Exclude the first part of the duration from the results. Default: none.")
    private Duration warmUp = Duration.ZERO;

    @Option(
            names = "--spike",
            paramLabel = "N@AT/TIME",
            description = "A temporary rate (with --rate): 2000@10s/2s is 2,000 per second from 10s on, for 2s."
                    + " Repeatable.")
    private List<String> spikes = List.of();

    @Option(
            names = "--poisson",
            description = "Start at random times (Poisson arrivals), as independent callers do (with --rate).")
    private boolean poisson;

    @Option(
            names = "--think",
            paramLabel = "TIME",
            defaultValue = "0s",
            description = "The time a user waits before its next transaction (with --users). Default: none.")
    private Duration think = Duration.ZERO;

    @Option(
            names = "--max-in-flight",
            paramLabel = "N",
            defaultValue = "10000",
            description = "Shed transactions beyond N in flight (with --rate). Default: ${DEFAULT-VALUE}.")
    private int maxInFlight;

    /** Whether to calibrate the generator instead of loading a target. */
    boolean calibrates() {
        return kind.calibrate;
    }

    /** The duration of the load. */
    Duration time(Duration fallback) {
        return lasting == null ? fallback : lasting;
    }

    /**
     * The configured load.
     *
     * @throws IllegalArgumentException invalid options, with a one-line remedy
     */
    Load<?> load(long seed) {
        if (kind.burst != null) {
            throw new IllegalArgumentException("--burst is for a udp target: use --rate or --users, or load udp://...");
        }
        checkEvery();
        Duration time = time(DEFAULT_TIME);
        return (kind.rate == null ? closed() : open(kind.rate, time, seed))
                .lasting(time)
                .warmUp(warmUp);
    }

    /** Whether the load is closed. */
    boolean hasUsers() {
        return kind.users != null;
    }

    /**
     * The schedule of datagrams.
     *
     * @throws IllegalArgumentException invalid options, with a one-line remedy
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
            throw new IllegalArgumentException("--every has no effect without --burst: add for instance --burst 1000");
        }
    }

    private static double flatRate(@Nullable String rate) {
        try {
            return Double.parseDouble(String.valueOf(rate));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "\"" + rate + "\" is not a datagram rate: write a number per second, or use --burst");
        }
    }

    /** The maximum in flight, so that the connection pool of the generator never makes a transaction wait. */
    int poolSize() {
        return Math.clamp(kind.users == null ? maxInFlight : kind.users, 1, MAX_CONNECTIONS);
    }

    private Load<?> closed() {
        if (!spikes.isEmpty() || poisson) {
            throw new IllegalArgumentException(
                    (poisson ? "--poisson" : "--spike") + " needs --rate: add it, or remove this option");
        }
        return ClosedLoad.of(kind.users == null ? 0 : kind.users, think);
    }

    private Load<?> open(String rate, Duration time, long seed) {
        var shape = LoadShape.parse(rate, spikes, time);
        Arrivals arrivals = poisson ? Arrivals.poisson(shape, seed) : Arrivals.even(shape);
        return OpenLoad.at(arrivals).maxInFlight(maxInFlight);
    }
}
