package dev.penstock.lab.datagram;

import dev.penstock.Ticker;
import dev.penstock.text.Durations;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Measures a peer that answers datagrams: its round trip, and the burst size and rate at which loss starts. Configure
 * it, then {@link #run}. Not thread-safe.
 */
public final class DatagramProbe {
    /** Opens unused ports. */
    @FunctionalInterface
    public interface Ways {
        /** Opens a port. */
        DatagramPort open() throws IOException;
    }

    /**
     * The findings.
     *
     * @param roundTrip of single datagrams: its service times
     * @param burst burst size; null when not measured
     * @param rate rate per second; null when not measured
     */
    public record Found(
            DatagramResult roundTrip,
            @Nullable LossEdge burst,
            @Nullable LossEdge rate) {}

    private static final double FIRST_BURST = 500;
    private static final double FIRST_RATE = 5_000;
    private static final Duration EACH = Duration.ofMillis(500);
    private static final double TOLERANCE = 0.1;

    private final Ways ways;
    private Supplier<OptionalLong> peerDrops = OptionalLong::empty;
    private double gently = 50;
    private double mostBurst;
    private double mostRate;
    private Duration lasting = Duration.ofSeconds(60);
    private Ticker ticker = Ticker.SYSTEM;
    private Consumer<? super String> watcher = line -> {};

    private DatagramProbe(Ways ways) {
        this.ways = ways;
    }

    /** A probe of the peer that the ports send to; by default it only measures the round trip. */
    public static DatagramProbe through(Ways ways) {
        return new DatagramProbe(ways);
    }

    /**
     * Sets a counter of datagrams dropped by the kernel at the peer's socket, when that is on this machine;
     * default unknown.
     */
    public DatagramProbe peerDrops(Supplier<OptionalLong> counter) {
        peerDrops = counter;
        return this;
    }

    /** The rate at which the round trip is measured, above 0; default 50 per second. */
    public DatagramProbe gently(double perSecond) {
        gently = perSecond;
        return this;
    }

    /** Also searches for the burst size and the rate at which loss starts, up to these values; 0 skips one. */
    public DatagramProbe upTo(double burst, double perSecond) {
        mostBurst = burst;
        mostRate = perSecond;
        return this;
    }

    /** The approximate maximum duration; default 60 s. */
    public DatagramProbe lasting(Duration most) {
        lasting = most;
        return this;
    }

    /** The clock; default {@link Ticker#SYSTEM}. */
    public DatagramProbe ticker(Ticker value) {
        ticker = Objects.requireNonNull(value, "ticker");
        return this;
    }

    /** Sets a listener for progress. */
    public DatagramProbe watch(Consumer<? super String> who) {
        watcher = who;
        return this;
    }

    /**
     * Measures.
     *
     * @return the findings; loss edges only when datagrams were answered
     * @throws IOException when a port fails
     */
    public Found run() throws IOException, InterruptedException {
        long start = ticker.nanos();
        long whole = Durations.nanos(lasting);
        Duration first = Duration.ofNanos(Math.clamp(whole / 4, 100_000_000, 2_000_000_000));
        watcher.accept("round trip");
        DatagramResult roundTrip =
                tried(Cadence.steady(gently), first, Duration.ofSeconds(1)).validatedByCadence();
        if (roundTrip.load().counts().right() == 0) {
            return new Found(roundTrip, null, null);
        }
        Duration grace = grace(roundTrip);
        LossEdge burst = mostBurst < 1
                ? null
                : edge(
                        "burst size",
                        LossSearch.from(Math.min(FIRST_BURST, mostBurst)).most(mostBurst),
                        start + whole * 6 / 10,
                        size -> tried(Cadence.bursts((int) size, EACH), EACH, grace));
        LossEdge rate = mostRate < 1
                ? null
                : edge(
                        "rate per second",
                        LossSearch.from(Math.min(FIRST_RATE, mostRate)).most(mostRate),
                        start + whole,
                        perSecond -> tried(Cadence.steady(perSecond), EACH, grace));
        return new Found(roundTrip, burst, rate);
    }

    private static Duration grace(DatagramResult roundTrip) {
        long longest = roundTrip.load().service().max().orElse(0);
        return Duration.ofNanos(Math.clamp(4 * longest, 200_000_000, 2_000_000_000));
    }

    private DatagramResult tried(Cadence cadence, Duration time, Duration grace)
            throws IOException, InterruptedException {
        try (DatagramPort port = ways.open()) {
            return DatagramLoad.of(cadence)
                    .lasting(time)
                    .grace(grace)
                    .ticker(ticker)
                    .run(port);
        }
    }

    private LossEdge edge(String what, LossSearch search, long until, LossSearch.Trying trying)
            throws IOException, InterruptedException {
        search.within(TOLERANCE);
        long sent = 0;
        long lost = 0;
        long here = 0;
        OptionalLong before = peerDrops.get();
        for (OptionalDouble next = search.next();
                next.isPresent() && ticker.nanos() - until < 0;
                next = search.next()) {
            watcher.accept("%s %,.0f".formatted(what, next.getAsDouble()));
            DatagramResult result = trying.at(next.getAsDouble());
            search.record(result);
            sent += result.sent();
            lost += result.lost();
            here += Math.min(result.lost(), result.droppedHere().orElse(0));
        }
        OptionalLong after = peerDrops.get();
        OptionalLong atPeer = before.isPresent() && after.isPresent()
                ? OptionalLong.of(Math.min(lost - here, after.getAsLong() - before.getAsLong()))
                : OptionalLong.empty();
        return new LossEdge(
                Math.floor(search.highest()),
                search.lowestTooMuch(),
                search.bound(),
                search.next().isEmpty(),
                sent,
                lost,
                here,
                atPeer);
    }
}
