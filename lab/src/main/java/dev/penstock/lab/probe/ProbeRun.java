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
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One run of a {@link Probe}: its parts in their order, and what is skipped for lack of time or connections.
 *
 * <p>Idle connections are kept while concurrency is measured, except at a peer that has few connections: there those
 * that are idle would be missing at the highest levels, so they are kept afterwards. For one thread.
 */
final class ProbeRun {
    private static final int FEW = 10;
    private static final int IDLE_MOST = 60;
    private static final int FEWEST_FOR_IDLE = 8;
    private static final double BATCH_SHARE = 0.15;
    private static final double OPENING_SHARE = 0.1;

    /** The share of the remaining time for concurrency, when idle connections are kept afterwards. */
    private static final double KNEE_SHARE = 0.6;

    private final ProbePeer peer;
    private final ProbeBudget budget;
    private final long seed;
    private final Ticker ticker;
    private final Consumer<? super String> watcher;
    private final Throttle throttle;
    private final long until;
    private final List<String> skipped = new ArrayList<>();
    private int connections;
    private @Nullable IdleWatch idle;

    ProbeRun(ProbePeer peer, ProbeBudget budget, long seed, Ticker ticker, Consumer<? super String> watcher) {
        this.peer = peer;
        this.budget = budget;
        this.seed = seed;
        this.ticker = ticker;
        this.watcher = watcher;
        this.throttle = Throttle.perSecond(budget.maxPerSecond());
        this.until = ticker.nanos() + Durations.nanos(budget.lasting());
    }

    /**
     * Measures.
     *
     * @throws IOException when the target does not answer correctly; the message says what to do
     */
    ProbeFindings measured() throws IOException, InterruptedException {
        // First, because the peer counts the connections of the round trip as in use.
        List<AnnouncedLimit> announced = announced();
        connections = Math.min(budget.maxConnections(), AnnouncedLimit.connections(announced));
        watcher.accept("round trip");
        LoadResult roundTrip = new SequentialCalls(peer, throttle, ticker).measured(budget.lasting());
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

    private Duration share(double share) {
        return Probe.share(budget.lasting(), share);
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

    /** Whether the peer announces fewer connections than the budget allows. */
    private boolean isBoundByPeer() {
        return connections < budget.maxConnections();
    }

    /** A third of the connections: three per idle time, and some left for calls; 0 when calls need all. */
    private static int idleConnections(int connections) {
        return connections < FEWEST_FOR_IDLE ? 0 : Math.min(IDLE_MOST, Math.max(3, connections / 3));
    }

    /** Null when skipped. */
    private @Nullable IdleWatch watch(LoadResult roundTrip, int available) {
        IdlePort port = peer.idle();
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
        BatchPort port = peer.batch();
        if (port == null) {
            skipped.add("batching: no batch format was given");
            return null;
        }
        if (connections < 2) {
            skipped.add("batching: a 2nd connection is needed (" + bounding() + ")");
            return null;
        }
        watcher.accept("batches");
        long end = Math.min(until, ticker.nanos() + Durations.nanos(share(BATCH_SHARE)));
        Optional<BatchFinding> finding = BatchSweep.measured(port, throttle, ticker, end);
        if (finding.isEmpty()) {
            skipped.add("batching: too few batches were answered in time");
        }
        return finding.orElse(null);
    }

    /** The limit that prevents more connections. */
    private String bounding() {
        return isBoundByPeer() ? "the peer's max_connections allows no more" : "--max-connections";
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
        if (most < 2 || left < FEW * alone || left <= 0) {
            skipped.add(
                    most < 2
                            ? "concurrency: 2 or more connections needed (" + bounding() + ")"
                            : "concurrency: no time was left (--for)");
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
        if (bound == KneeSearch.Bound.RATE) {
            return "a single caller already makes all %,.0f calls/s allowed (--max-rate)"
                    .formatted(budget.maxPerSecond());
        }
        return bound == KneeSearch.Bound.LATE
                ? "this machine could not start calls in time"
                : "no level could be measured within the budget";
    }
}
