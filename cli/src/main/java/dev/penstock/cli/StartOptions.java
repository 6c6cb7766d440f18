package dev.penstock.cli;

import dev.penstock.lab.datagram.Cadence;
import dev.penstock.lab.datagram.DatagramLoad;
import dev.penstock.lab.load.Arrivals;
import dev.penstock.lab.load.ClosedLoad;
import dev.penstock.lab.load.Load;
import dev.penstock.lab.load.OpenLoad;
import dev.penstock.lab.load.Shape;
import dev.penstock.text.Durations;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
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

    /** Parses the rate of a load over time. */
    static final class LoadShape {
        private static final String NUMBER = "(\\d{1,9}(?:\\.\\d{1,9})?)";
        private static final Pattern RAMP = Pattern.compile(NUMBER + "\\.\\." + NUMBER);
        private static final Pattern STEPS = Pattern.compile(NUMBER + "(?:," + NUMBER + ")*");
        private static final Pattern SPIKE = Pattern.compile(NUMBER + "@([^/]+)/([^/]+)");

        private LoadShape() {}

        /**
         * Parses a shape.
         *
         * @param rate {@code 200}, {@code 100..1000} or {@code 100,200,400}
         * @param spikes each {@code 2000@10s/2s}
         * @param lasting the duration of the load, which is the length of a ramp or of all steps together
         * @throws IllegalArgumentException invalid shape, with a one-line remedy
         */
        static Shape parse(String rate, List<String> spikes, Duration lasting) {
            Shape shape = base(rate, lasting);
            for (String spike : spikes) {
                shape = spiked(shape, spike, lasting);
            }
            return shape;
        }

        private static Shape base(String text, Duration lasting) {
            Matcher ramp = RAMP.matcher(text);
            if (ramp.matches()) {
                return Shape.ramp(Double.parseDouble(ramp.group(1)), Double.parseDouble(ramp.group(2)), lasting);
            }
            if (!STEPS.matcher(text).matches()) {
                throw new IllegalArgumentException(
                        "\"" + text
                                + "\" is not a rate: write 200 for a constant rate, 100..1000 for a ramp, or 100,200,400 for steps");
            }
            List<Double> rates =
                    Stream.of(text.split(",", -1)).map(Double::valueOf).toList();
            return rates.size() == 1
                    ? Shape.flat(rates.getFirst())
                    : Shape.steps(rates, lasting.dividedBy(rates.size()));
        }

        private static Shape spiked(Shape shape, String text, Duration lasting) {
            Matcher spike = SPIKE.matcher(text);
            if (!spike.matches()) {
                throw new IllegalArgumentException(
                        "\"" + text + "\" is not a spike: write rate, start and duration, for instance 2000@10s/2s");
            }
            Duration at = Durations.parse(spike.group(2));
            if (at.compareTo(lasting) >= 0) {
                throw new IllegalArgumentException("the spike \"" + text + "\" begins after the end of the load ("
                        + Durations.format(lasting) + "): start it earlier, or increase --for");
            }
            return shape.withSpike(Double.parseDouble(spike.group(1)), at, Durations.parse(spike.group(3)));
        }
    }
}
