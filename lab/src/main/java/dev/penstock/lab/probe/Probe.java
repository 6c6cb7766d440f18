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
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Measures a dependency within a budget. Configure it, then {@link #run} it once. Not thread-safe.
 *
 * <pre>{@code
 * ProbeFindings findings = Probe.of(peer).budget(budget).seed(1).watch(System.err::println).run();
 * new ProbeSentences(findings).lines().forEach(System.out::println);
 * }</pre>
 *
 * <p>First it reads what the peer announces, and makes single calls; when too few are answered, it reports that and
 * stops. Then connections are left idle for the whole time, which costs nothing, while batches and then growing
 * concurrency are measured. A peer with few connections needs all of them for the highest concurrency; there they are
 * left idle afterwards.
 */
public final class Probe {
    private static final int FIRST_CALLS = 3;
    private static final double SEQUENTIAL_SHARE = 0.06;
    private static final Duration GRACE = Duration.ofSeconds(30);
    private static final int FEW = 10;
    private static final int IDLE_MOST = 60;
    private static final int FEWEST_FOR_IDLE = 8;
    private static final double BATCH_SHARE = 0.15;
    private static final double OPENING_SHARE = 0.1;

    /** The share of the remaining time for concurrency, when idle connections are kept afterwards. */
    private static final double KNEE_SHARE = 0.6;

    private final ProbePeer peer;
    private final List<String> skipped = new ArrayList<>();
    private Budget budget = Budget.CAREFUL;
    private long seed = 1;
    private Ticker ticker = Ticker.SYSTEM;
    private Consumer<? super String> watcher = line -> {};
    private Throttle throttle = Throttle.perSecond(1);
    private long until;
    private int connections;
    private @Nullable IdleWatch idle;

    private Probe(ProbePeer peer) {
        this.peer = peer;
    }

    /**
     * The load that a probe may cause.
     *
     * @param lasting maximum duration; above 0
     * @param maxPerSecond maximum calls per second; above 0
     * @param maxConnections maximum concurrent connections; 1 or more
     */
    public record Budget(Duration lasting, double maxPerSecond, int maxConnections) {
        /** A load negligible for most targets: 1 min, 10 calls per second, 32 connections. */
        public static final Budget CAREFUL = new Budget(Duration.ofMinutes(1), 10, 32);

        /** Checks the values. */
        public Budget {
            if (lasting.isZero() || lasting.isNegative() || !(maxPerSecond > 0) || maxConnections < 1) {
                throw new IllegalArgumentException(
                        "a probe needs a duration (--for), a rate (--max-rate) and connections (--max-connections), each above 0");
            }
        }
    }

    /** A probe of a peer. The caller closes the peer. */
    public static Probe of(ProbePeer peer) {
        return new Probe(peer);
    }

    /** The budget; default {@link Budget#CAREFUL}. */
    public Probe budget(Budget most) {
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
        throttle = Throttle.perSecond(budget.maxPerSecond());
        until = ticker.nanos() + Durations.nanos(budget.lasting());
        // First, because the peer counts the connections of the round trip as in use.
        List<AnnouncedLimit> announced = announced();
        connections = Math.min(budget.maxConnections(), AnnouncedLimit.connections(announced));
        watcher.accept("round trip");
        LoadResult roundTrip = roundTrip();
        try {
            boolean idleLater = isBoundByPeer();
            if (!idleLater) {
                idle = watch(roundTrip, connections);
            }
            BatchFinding batch = batch();
            idleLater |= isIdleStopped();
            KneeSearch search = knee(roundTrip, idleLater);
            KneeFinding knee = search == null ? null : search.finding();
            if (idleLater) {
                peer.release();
                idle = watch(roundTrip, knee == null ? connections : Math.min(connections, knee.worked()));
            }
            watcher.accept("idle connections");
            IdleFinding killed = idle == null ? null : found(idle);
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

    /** A share of the time, enough for some calls. */
    private Duration share(double share) {
        return Duration.ofNanos((long) Math.max(50e6, share * Durations.nanos(budget.lasting())));
    }

    private List<AnnouncedLimit> announced() throws InterruptedException {
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

    private LoadResult roundTrip() throws IOException, InterruptedException {
        Duration time = share(SEQUENTIAL_SHARE);
        // The first call of a process loads classes and opens a connection, so it is slower than all others.
        peer.run(sequential().count(FIRST_CALLS));
        LoadResult result = peer.run(sequential().warmUp(time.dividedBy(6)).lasting(time));
        long right = result.counts().right();
        if (2 * right < result.counts().started() || right == 0) {
            throw new IOException(
                    "%s answered only %,d of %,d sequential calls correctly: make one call by hand and check its answer"
                            .formatted(peer.where(), right, result.counts().started()));
        }
        return result;
    }

    private ClosedLoad sequential() {
        return ClosedLoad.of(1, Duration.ZERO)
                .throttledBy(throttle)
                .grace(GRACE)
                .ticker(ticker);
    }

    /** Whether the peer announces fewer connections than the budget allows. */
    private boolean isBoundByPeer() {
        return connections < budget.maxConnections();
    }

    /** The limit that prevents more connections. */
    private String bounding() {
        return isBoundByPeer() ? "the peer's max_connections allows no more" : "--max-connections";
    }

    /** A third of the connections: three per idle time, and some left for calls; 0 when calls need all. */
    private static int idleConnections(int connections) {
        return connections < FEWEST_FOR_IDLE ? 0 : Math.min(IDLE_MOST, Math.max(3, connections / 3));
    }

    /** Null when skipped. */
    private @Nullable IdleWatch watch(LoadResult roundTrip, int available) {
        IdleConnection.Port port = peer.idle();
        if (port == null) {
            skipped.add("idle connections: this kind of target has none");
            return null;
        }
        if (idleConnections(available) == 0) {
            skipped.add("idle connections: %d or more connections needed (%s)".formatted(FEWEST_FOR_IDLE, bounding()));
            return null;
        }
        long longest = roundTrip.response().max().orElse(0);
        Duration patience = Duration.ofNanos(Math.clamp(4 * longest, 500_000_000, 10_000_000_000L));
        Duration whole = Duration.ofNanos(until - ticker.nanos());
        if (whole.compareTo(patience.multipliedBy(4)) < 0) {
            skipped.add("idle connections: no time was left (--for)");
            return null;
        }
        return IdleWatch.start(port, whole, patience, idleConnections(available), throttle, ticker);
    }

    /** Stops keeping idle connections when the peer refused some of them: they would be missing for calls. */
    private boolean isIdleStopped() throws InterruptedException {
        if (idle == null) {
            return false;
        }
        idle.awaitOpened(share(OPENING_SHARE));
        if (!idle.isPartlyRefused()) {
            return false;
        }
        idle.close();
        idle.awaitClosed(share(OPENING_SHARE));
        idle = null;
        return true;
    }

    private @Nullable IdleFinding found(IdleWatch watch) throws InterruptedException {
        IdleFinding finding = watch.finding();
        if (finding.connections() == 0) {
            skipped.add("idle connections: none could be opened (" + watch.error() + ")");
            return null;
        }
        return finding;
    }

    private @Nullable BatchFinding batch() throws InterruptedException {
        ProbePeer.Batches batches = peer.batch();
        if (batches == null) {
            skipped.add("batching: no batch format was given");
            return null;
        }
        if (connections < 2) {
            skipped.add("batching: a 2nd connection is needed (" + bounding() + ")");
            return null;
        }
        watcher.accept("batches");
        long end = Math.min(until, ticker.nanos() + Durations.nanos(share(BATCH_SHARE)));
        Optional<BatchFinding> finding = BatchSweep.measured(batches, throttle, ticker, end);
        if (finding.isEmpty()) {
            skipped.add("batching: too few batches were answered in time");
        }
        return finding.orElse(null);
    }

    /**
     * Null when skipped.
     *
     * @param idleLater whether idle connections need a part of the remaining time
     */
    private @Nullable KneeSearch knee(LoadResult roundTrip, boolean idleLater) throws InterruptedException {
        // Only databases announce a number of connections, and their batches use those of the calls.
        int batches = peer.batch() == null || isBoundByPeer() ? 0 : 1;
        int most = Math.min(
                ClosedLoad.MAX_USERS, connections - batches - (idle == null ? 0 : idleConnections(connections)));
        double alone = roundTrip.response().mean().orElse(0) / 1e9;
        long now = ticker.nanos();
        long end = idleLater ? now + (long) (KNEE_SHARE * (until - now)) : until;
        double left = Math.max(0, end - now) / 1e9;
        if (most < 2) {
            skipped.add("concurrency: 2 or more connections needed (" + bounding() + ")");
            return null;
        }
        if (left < FEW * alone || left <= 0) {
            skipped.add("concurrency: no time was left (--for)");
            return null;
        }
        KneeSearch.Bound why = isBoundByPeer() ? KneeSearch.Bound.ANNOUNCED : KneeSearch.Bound.CONNECTIONS;
        KneeSearch search = KneeSearch.within(left, most, why, alone, seed)
                .sequential(roundTrip.counts().started(), roundTrip.counts().errors());
        Lock measuring = idle == null ? new ReentrantLock() : idle.measuring();
        new KneeRounds(peer, throttle, ticker, watcher, measuring, seed).run(search, end);
        if (search.finding() == null) {
            skipped.add("concurrency: " + whyNoLevel(search.bound()));
        }
        return search;
    }

    private String whyNoLevel(KneeSearch.@Nullable Bound bound) {
        return switch (bound) {
            case RATE ->
                "a single caller already makes all %,.0f calls/s allowed (--max-rate)".formatted(budget.maxPerSecond());
            case LATE -> "this machine could not start calls in time";
            case null, default -> "no level could be measured within the budget";
        };
    }
}
