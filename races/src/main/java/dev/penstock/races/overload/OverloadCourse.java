package dev.penstock.races.overload;

import dev.penstock.Ticker;
import dev.penstock.lab.load.ClosedLoad;
import dev.penstock.lab.measure.Counts;
import dev.penstock.lab.measure.LoadResult;
import dev.penstock.lab.measure.Validity;
import dev.penstock.lab.race.Block;
import dev.penstock.lab.race.BlockResult;
import dev.penstock.lab.race.Cue;
import dev.penstock.lab.race.Effort;
import dev.penstock.lab.race.Entry;
import dev.penstock.lab.race.Scene;
import dev.penstock.races.LoadTimes;
import dev.penstock.races.PlannedCourse;
import dev.penstock.races.overload.MachineCalibration.MeasuredScene;
import dev.penstock.text.Durations;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One load on the stage. */
final class OverloadCourse extends PlannedCourse {
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
    private final MachineCalibration machine;
    private final int slowBeyond;
    private final int flows;

    /**
     * Declares a course.
     *
     * @param traffic the load
     * @param machine shared by all courses
     * @param slowBeyond of a {@link ServerStage}; 0 for a {@link CpuStage}
     * @param flows from which requests come
     * @param full the durations of a block in a whole race
     * @param entries the contestants
     */
    OverloadCourse(
            OverloadTraffic traffic,
            MachineCalibration machine,
            int slowBeyond,
            int flows,
            LoadTimes full,
            List<Entry> entries) {
        super(
                traffic.name(),
                entries,
                flows > 1
                        ? "goodput fairness p99_ms"
                        : slowBeyond > 0 ? "goodput first_10s p99_ms" : "goodput reject_p99_us p99_ms",
                "goodput first_10s adapt_s fairness tps p50_ms p99_ms reject_p50_us reject_p99_us rejected late errors"
                        + " never_taken in_flight_max permits");
        this.traffic = traffic;
        this.machine = machine;
        this.slowBeyond = slowBeyond;
        this.flows = flows;
        lasts(full, QUICK, AROUND);
    }

    /** The sweep that tunes this course's bulkhead. */
    Sweep sweep(Effort effort) {
        return new Sweep(traffic, effort == Effort.FULL ? SWEEP : QUICK_SWEEP, 1);
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
    public Scene open(Block block) throws InterruptedException {
        boolean byHand = block.entry().equals(OverloadContestants.BULKHEAD_TUNED);
        MachineCalibration.Measures plain =
                slowBeyond > 0 ? MachineCalibration.Measures.ofServers(slowBeyond) : machine.measures();
        return new MeasuredScene(byHand ? machine.tuned(plain, sweep(block.effort())) : plain, byHand);
    }

    @Override
    public BlockResult run(Block block, Cue cue) throws Exception {
        MachineCalibration.Measures measures = MachineCalibration.Measures.of(name -> required(cue.parameters(), name));
        LoadTimes times = times(block.effort());
        GoodputCounter tally = new GoodputCounter(USEFUL_WITHIN, times);
        Stage stage = measures.stage();
        try (LimitedStage limiter =
                OverloadContestants.ALL.named(block.entry()).before(stage, measures.tuning(), flows)) {
            // Adaptive contestants see an idle stage.
            rehearse(
                    ClosedLoad.of(REHEARSING, Duration.ZERO).count(REHEARSED),
                    limiter,
                    number -> number,
                    stage::isRight);
            cue.ready();
            stage.closeAt(
                    Ticker.SYSTEM.nanos() + Durations.nanos(times.lasting().plus(CLOSES_AFTER)));
            OverloadTraffic.Plan plan =
                    new OverloadTraffic.Plan(times, measures.capacity(), block.seed(), tally, cue::progress);
            LoadResult load = traffic.on(limiter, stage, plan);
            return result(load, traffic.neverAccepted(load.counts(), plan), tally, limiter);
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
