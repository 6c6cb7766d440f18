package dev.penstock.lab.probe;

import dev.penstock.Ticker;
import dev.penstock.lab.load.ClosedLoad;
import dev.penstock.lab.load.Throttle;
import dev.penstock.lab.measure.LoadResult;
import dev.penstock.lab.measure.Validity;
import dev.penstock.text.Durations;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Measures a dependency within a budget. Configure it, then {@link #run}. Not thread-safe.
 *
 * <pre>{@code
 * ProbeFindings findings = Probe.of(peer).budget(budget).seed(1).watch(System.err::println).run();
 * new ProbeSentences(findings).lines().forEach(System.out::println);
 * }</pre>
 *
 * <p>First it reads what the peer announces, and makes single calls; when too few are answered, it reports that and
 * stops. Then connections are left idle
 * for the whole time, which costs nothing, while batches and then growing concurrency are measured.
 */
public final class Probe {
    private static final int FEW = 10;
    private static final int FIRST = 3;
    private static final int IDLE_MOST = 60;
    private static final int FEWEST_FOR_IDLE = 8;
    private static final double ROUND_TRIP_SHARE = 0.06;
    private static final double BATCH_SHARE = 0.15;
    private static final double OPENING_SHARE = 0.1;

    private final ProbePeer peer;
    private ProbeBudget budget = ProbeBudget.CAREFUL;
    private long seed = 1;
    private Ticker ticker = Ticker.SYSTEM;
    private Consumer<? super String> watcher = line -> {};

    private Probe(ProbePeer peer) {
        this.peer = peer;
    }

    /** A probe of a peer. The caller closes the peer. */
    public static Probe of(ProbePeer peer) {
        return new Probe(peer);
    }

    /** The budget; default {@link ProbeBudget#CAREFUL}. */
    public Probe budget(ProbeBudget most) {
        budget = Objects.requireNonNull(most, "budget");
        return this;
    }

    /** The seed of random choices; default 1. */
    public Probe seed(long value) {
        seed = value;
        return this;
    }

    /** The clock; default {@link Ticker#SYSTEM}. */
    public Probe ticker(Ticker value) {
        ticker = Objects.requireNonNull(value, "ticker");
        return this;
    }

    /** Sets a listener for progress; called by the thread in {@link #run}. */
    public Probe watch(Consumer<? super String> who) {
        watcher = Objects.requireNonNull(who, "who");
        return this;
    }

    /**
     * Measures. Takes longer than the budget only by the answers still outstanding.
     *
     * @throws IOException when the target does not answer correctly; the message says what to do
     */
    public ProbeFindings run() throws IOException, InterruptedException {
        long until = ticker.nanos() + Durations.nanos(budget.lasting());
        Throttle throttle = Throttle.perSecond(budget.maxPerSecond());
        List<String> skipped = new ArrayList<>();
        // First, because the peer counts the connections of the round trip as in use.
        List<AnnouncedLimit> announced = announced(skipped);
        watcher.accept("round trip");
        LoadResult roundTrip = roundTrip(throttle);
        int connections = Math.min(budget.maxConnections(), AnnouncedLimit.connections(announced));
        IdleWatch idle = idle(roundTrip, throttle, until, connections, skipped);
        try {
            BatchFinding batch = batch(throttle, until, connections, skipped);
            if (idle != null) {
                idle.awaitOpened(share(OPENING_SHARE));
            }
            KneeSearch search = knee(throttle, roundTrip, until, connections, idle, skipped);
            watcher.accept("idle connections");
            IdleFinding killed = idle == null ? null : found(idle, skipped);
            KneeFinding knee = search == null ? null : search.finding();
            Validity validity = validity(roundTrip, search == null ? null : search.whyInvalid());
            return new ProbeFindings(peer.where(), roundTrip, announced, knee, killed, batch, skipped, validity);
        } finally {
            if (idle != null) {
                idle.close();
            }
        }
    }

    private static Validity validity(LoadResult roundTrip, @Nullable String whyInvalidLevels) {
        String why = roundTrip.validity().whyInvalid();
        if (why != null) {
            return new Validity("in the round trip, " + why + " (--max-rate, --for)");
        }
        return whyInvalidLevels == null ? Validity.VALID : new Validity(whyInvalidLevels);
    }

    private LoadResult roundTrip(Throttle throttle) throws IOException, InterruptedException {
        Duration time = share(ROUND_TRIP_SHARE);
        // The first call of a process loads classes and opens a connection, so it is slower than all others.
        peer.run(ClosedLoad.of(1, Duration.ZERO)
                .throttledBy(throttle)
                .count(FIRST)
                .grace(Duration.ofSeconds(30))
                .ticker(ticker));
        LoadResult result = peer.run(ClosedLoad.of(1, Duration.ZERO)
                .throttledBy(throttle)
                .warmUp(time.dividedBy(6))
                .lasting(time)
                .grace(Duration.ofSeconds(30))
                .ticker(ticker));
        long right = result.counts().right();
        if (2 * right < result.counts().started() || right == 0) {
            throw new IOException(
                    "%s answered only %,d of %,d sequential calls correctly: make one call by hand and check its answer"
                            .formatted(peer.where(), right, result.counts().started()));
        }
        return result;
    }

    private Duration share(double share) {
        return Duration.ofNanos((long) Math.max(50e6, share * Durations.nanos(budget.lasting())));
    }

    private List<AnnouncedLimit> announced(List<String> skipped) throws InterruptedException {
        if (budget.maxConnections() < 2) {
            skipped.add("announced limits: reading them needs a 2nd connection (--max-connections)");
            return List.of();
        }
        try {
            return peer.announced();
        } catch (IOException e) {
            skipped.add("announced limits: " + e.getMessage());
            return List.of();
        }
    }

    /** A third of the connections: three per idle time, and some left for calls; 0 when calls need all. */
    private static int idleConnections(int connections) {
        return connections < FEWEST_FOR_IDLE ? 0 : Math.min(IDLE_MOST, Math.max(3, connections / 3));
    }

    private @Nullable IdleWatch idle(
            LoadResult roundTrip, Throttle throttle, long until, int connections, List<String> skipped) {
        IdlePort port = peer.idle();
        if (port == null) {
            skipped.add("idle connections: this kind of target has none");
            return null;
        }
        if (idleConnections(connections) == 0) {
            skipped.add("idle connections: %d or more connections needed (%s)"
                    .formatted(FEWEST_FOR_IDLE, bounding(connections)));
            return null;
        }
        long longest = roundTrip.response().max().orElse(0);
        Duration patience = Duration.ofNanos(Math.clamp(4 * longest, 500_000_000, 10_000_000_000L));
        Duration whole = Duration.ofNanos(until - ticker.nanos());
        if (whole.compareTo(patience.multipliedBy(4)) < 0) {
            skipped.add("idle connections: no time was left (--for)");
            return null;
        }
        return IdleWatch.start(port, whole, patience, idleConnections(connections), throttle, ticker);
    }

    private @Nullable IdleFinding found(IdleWatch idle, List<String> skipped) throws InterruptedException {
        IdleFinding finding = idle.finding();
        if (finding.connections() == 0) {
            skipped.add("idle connections: none could be opened (" + idle.error() + ")");
            return null;
        }
        return finding;
    }

    private @Nullable BatchFinding batch(Throttle throttle, long until, int connections, List<String> skipped)
            throws InterruptedException {
        BatchPort port = peer.batch();
        if (port == null) {
            skipped.add("batching: no batch format was given");
            return null;
        }
        if (connections < 2) {
            skipped.add("batching: a 2nd connection is needed (" + bounding(connections) + ")");
            return null;
        }
        watcher.accept("batches");
        long end = Math.min(until, ticker.nanos() + Durations.nanos(share(BATCH_SHARE)));
        BatchFinding finding = new BatchCalls(port, throttle, ticker).run(end);
        if (finding == null) {
            skipped.add("batching: too few batches were answered in time");
        }
        return finding;
    }

    /** The limit that prevents more connections. */
    private String bounding(int connections) {
        return connections < budget.maxConnections()
                ? "the peer's max_connections allows no more"
                : "--max-connections";
    }

    /** Null when skipped. */
    private @Nullable KneeSearch knee(
            Throttle throttle,
            LoadResult roundTrip,
            long until,
            int connections,
            @Nullable IdleWatch idle,
            List<String> skipped)
            throws InterruptedException {
        int taken = (idle == null ? 0 : idleConnections(connections)) + (peer.batch() == null ? 0 : 1);
        int most = Math.min(ClosedLoad.MAX_USERS, connections - taken);
        double alone = roundTrip.response().mean().orElse(0) / 1e9;
        double left = Math.max(0, until - ticker.nanos()) / 1e9;
        if (most < 2 || left < FEW * alone || left <= 0) {
            skipped.add(
                    most < 2
                            ? "concurrency: 2 or more connections needed (" + bounding(connections) + ")"
                            : "concurrency: no time was left (--for)");
            return null;
        }
        KneeSearch search = KneeSearch.within(left, most, alone, seed)
                .sequential(roundTrip.counts().started(), roundTrip.counts().errors());
        if (connections < budget.maxConnections()) {
            search.boundBy(KneeSearch.Bound.ANNOUNCED);
        }
        Lock measuring = idle == null ? new ReentrantLock() : idle.measuring();
        new KneeRounds(peer, throttle, ticker, watcher, measuring, seed).run(search, until);
        if (search.finding() == null) {
            skipped.add("concurrency: " + whyNoLevel(search.bound()));
        }
        return search;
    }

    private String whyNoLevel(KneeSearch.@Nullable Bound bound) {
        if (bound == KneeSearch.Bound.RATE) {
            return "a single caller already makes all %,.0f calls/s allowed (--max-rate)"
                    .formatted(budget.maxPerSecond());
        }
        return bound == KneeSearch.Bound.LATE
                ? "this machine could not start calls in time"
                : "no level could be measured within the budget";
    }
}
