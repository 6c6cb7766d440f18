package dev.penstock.races.overload;

import dev.penstock.Ticker;
import dev.penstock.lab.load.ClosedLoad;
import dev.penstock.lab.measure.Counts;
import dev.penstock.lab.measure.LoadResult;
import dev.penstock.lab.measure.Validity;
import dev.penstock.lab.race.Block;
import dev.penstock.lab.race.BlockResult;
import dev.penstock.lab.race.Course;
import dev.penstock.lab.race.Cue;
import dev.penstock.lab.race.Effort;
import dev.penstock.lab.race.Entry;
import dev.penstock.lab.race.Scene;
import dev.penstock.races.LoadTimes;
import dev.penstock.races.overload.MachineCalibration.MeasuredScene;
import dev.penstock.text.Durations;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One load on the stage. Only the courses with the highest overload have enough rounds for verdicts; the others show
 * one round each from idle to heavy overload, or more with {@code --rounds}.
 */
final class OverloadCourse implements Course {
    /** The maximum time from the intended start to a useful answer. */
    static final Duration USEFUL_WITHIN = Duration.ofSeconds(1);

    private static final LoadTimes QUICK = LoadTimes.ofMillis(2_000, 2_500);
    private static final LoadTimes SWEEP = LoadTimes.ofMillis(600, 1_600);
    private static final LoadTimes QUICK_SWEEP = LoadTimes.ofMillis(500, 500);

    /** Time to start a JVM, create and rehearse a contestant, and wait for the last answers. */
    private static final Duration AROUND = Duration.ofSeconds(2);

    /** After the load's grace period: requests still in the stage would disturb the next block. */
    private static final Duration CLOSES_AFTER = OverloadTraffic.GRACE.plusMillis(200);

    private static final int REHEARSED = 100;
    private static final int REHEARSING = 8;

    private final OverloadTraffic traffic;
    private final MachineCalibration machineCalibration;
    private final int rounds;
    private final LoadTimes full;

    /** Of a {@link ServerStage}; 0 for a {@link CpuStage}. */
    private final int slowBeyond;

    private final int flows;
    private final List<Entry> entries;

    private OverloadCourse(
            OverloadTraffic traffic,
            MachineCalibration machineCalibration,
            int rounds,
            LoadTimes full,
            int slowBeyond,
            int flows,
            List<Entry> entries) {
        this.traffic = traffic;
        this.machineCalibration = machineCalibration;
        this.rounds = rounds;
        this.full = full;
        this.slowBeyond = slowBeyond;
        this.flows = flows;
        this.entries = entries;
    }

    /** A course with verdicts. */
    static OverloadCourse judged(OverloadTraffic traffic, MachineCalibration machineCalibration) {
        return ofCpu(traffic, machineCalibration, 6, LoadTimes.ofMillis(5_000, 8_000));
    }

    /** A course without verdicts, unless run with more rounds. */
    static OverloadCourse shown(OverloadTraffic traffic, MachineCalibration machineCalibration) {
        return ofCpu(traffic, machineCalibration, 1, LoadTimes.ofMillis(5_000, 4_000));
    }

    private static OverloadCourse ofCpu(
            OverloadTraffic traffic, MachineCalibration machineCalibration, int rounds, LoadTimes full) {
        return new OverloadCourse(traffic, machineCalibration, rounds, full, 0, 1, OverloadContestants.entries());
    }

    /** A course on a {@link ServerStage}, with the contestants that its stage could mislead. */
    static OverloadCourse ofServers(
            OverloadTraffic traffic, MachineCalibration machineCalibration, int slowBeyond, int flows, LoadTimes full) {
        List<Entry> entries = OverloadContestants.entries(
                OverloadContestants.VIRTUAL_UNLIMITED,
                OverloadContestants.POOL_100_QUEUE_100,
                OverloadContestants.BULKHEAD_TUNED,
                OverloadContestants.GRADIENT2,
                OverloadContestants.VEGAS,
                OverloadContestants.PENSTOCK);
        return new OverloadCourse(traffic, machineCalibration, 1, full, slowBeyond, flows, entries);
    }

    private LoadTimes times(Effort effort) {
        return effort == Effort.FULL ? full : QUICK;
    }

    /** The sweep that tunes this course's bulkhead. */
    Sweep sweep(Effort effort) {
        return new Sweep(traffic, effort == Effort.FULL ? SWEEP : QUICK_SWEEP, 1);
    }

    @Override
    public String name() {
        return traffic.name();
    }

    @Override
    public String workload(Effort effort) {
        return "%s, for %s%s; %s; an answer is useful within %s"
                .formatted(
                        traffic.describe(),
                        Durations.format(times(effort).lasting()),
                        flows > 1 ? " from " + flows + " flows" : "",
                        slowBeyond > 0
                                ? ServerStage.describe(slowBeyond)
                                : "each request waits %s and uses %s of CPU"
                                        .formatted(Durations.format(CpuStage.WAIT), Durations.format(CpuStage.CPU)),
                        Durations.format(USEFUL_WITHIN));
    }

    @Override
    public List<Entry> entries() {
        return entries;
    }

    @Override
    public List<String> judged() {
        return flows > 1
                ? List.of("goodput", "fairness", "p99_ms")
                : slowBeyond > 0
                        ? List.of("goodput", "first_10s", "p99_ms")
                        : List.of("goodput", "reject_p99_us", "p99_ms");
    }

    @Override
    public List<String> shown() {
        return List.of(
                "goodput",
                "first_10s",
                "adapt_s",
                "fairness",
                "tps",
                "p50_ms",
                "p99_ms",
                "reject_p50_us",
                "reject_p99_us",
                "rejected",
                "late",
                "errors",
                "never_taken",
                "in_flight_max",
                "permits");
    }

    @Override
    public int rounds() {
        return rounds;
    }

    /** There is no scene to warm up. */
    @Override
    public boolean rehearses() {
        return false;
    }

    @Override
    public Duration blockTime(Effort effort) {
        return times(effort).lasting().plus(AROUND);
    }

    @Override
    public Scene open(Block block) throws InterruptedException {
        boolean byHand =
                block.entry().equals(OverloadContestants.BULKHEAD_TUNED.entry().name());
        MachineCalibration.Measures plain =
                slowBeyond > 0 ? MachineCalibration.Measures.ofServers(slowBeyond) : machineCalibration.measures();
        return new MeasuredScene(byHand ? machineCalibration.tuned(plain, sweep(block.effort())) : plain, byHand);
    }

    @Override
    public BlockResult run(Block block, Cue cue) throws Exception {
        MachineCalibration.Measures measures = MachineCalibration.Measures.of(cue.parameters());
        LoadTimes times = times(block.effort());
        GoodputCounter tally = new GoodputCounter(USEFUL_WITHIN, times);
        Stage stage = measures.stage();
        try (LimitedStage limiter = OverloadContestants.named(block.entry()).before(stage, measures.tuning(), flows)) {
            rehearse(limiter, stage);
            cue.ready();
            stage.closeAt(
                    Ticker.SYSTEM.nanos() + Durations.nanos(times.lasting().plus(CLOSES_AFTER)));
            OverloadTraffic.Plan plan =
                    new OverloadTraffic.Plan(times, measures.capacity(), block.seed(), tally, cue::progress);
            LoadResult load = traffic.on(limiter, stage, plan);
            return result(load, traffic.neverAccepted(load.counts(), plan), tally, limiter);
        }
    }

    /** Compiles the code before the load; adaptive contestants see an idle stage. */
    private static void rehearse(LimitedStage limiter, Stage stage) throws InterruptedException {
        Counts counts = ClosedLoad.of(REHEARSING, Duration.ZERO)
                .count(REHEARSED)
                .run(limiter, number -> number, stage::isRight)
                .counts();
        if (counts.right() == 0) {
            throw new IllegalStateException(
                    "none of " + counts.offered() + " requests was answered in the rehearsal: " + counts.causes());
        }
    }

    /**
     * All endings except answers and rejections count as errors, including requests that were due and never accepted.
     */
    private static BlockResult result(LoadResult load, long neverAccepted, GoodputCounter tally, LimitedStage limiter) {
        Map<String, Double> all = load.metrics();
        Counts counts = load.counts();
        Map<String, Double> metrics = new LinkedHashMap<>(tally.metrics());
        metrics.put("errors", (double) (counts.errors() - counts.rejected() + neverAccepted));
        metrics.put("never_taken", (double) neverAccepted);
        List.of("count", "tps", "rejected", "unknown", "lost", "lag_p99_ms", "in_flight_max", "threads_max")
                .forEach(key -> copy(all, key, metrics));
        List.of("cpu_us_per_tx", "heap_peak_mb", "gc_pauses").forEach(key -> copy(all, key, metrics));
        limiter.permits().ifPresent(permits -> metrics.put("permits", (double) permits));
        limiter.fairness().ifPresent(fairness -> metrics.put("fairness", fairness));
        return new BlockResult(metrics, tally.curve(), load.timeLine(), whyInvalid(counts));
    }

    private static void copy(Map<String, Double> from, String key, Map<String, Double> to) {
        Double value = from.get(key);
        if (value != null) {
            to.put(key, value);
        }
    }

    /**
     * Lag of the load does not make a block invalid here. The pacing thread is also the accepting thread, on cores that
     * the contestant keeps busy: its lag is part of the effect on callers, and all times start at the intended start.
     */
    private static @Nullable String whyInvalid(Counts counts) {
        if (counts.shed() > Validity.MAX_SHED * counts.offered()) {
            return "the generator started only %,d of %,d requests, because %,d were already in flight"
                    .formatted(counts.started(), counts.offered(), OverloadTraffic.Open.MAX_IN_FLIGHT);
        }
        return null;
    }
}
