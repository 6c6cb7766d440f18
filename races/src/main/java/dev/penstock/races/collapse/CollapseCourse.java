package dev.penstock.races.collapse;

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
import dev.penstock.lab.report.Contestant;
import dev.penstock.lab.report.Goal;
import dev.penstock.lab.report.Tradeoff;
import dev.penstock.races.LoadTimes;
import dev.penstock.races.collapse.CollapseContestants.BatchingClient;
import dev.penstock.races.collapse.CollapseTraffic.CollapseCallers;
import dev.penstock.text.Durations;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One workload on the API.
 *
 * @param name unique in the race
 * @param traffic the callers
 * @param calls the time of the API's calls
 * @param slots maximum concurrent calls of the API; 0 for unlimited
 * @param cold whether everything runs for the first time: no rehearsal, no warm-up
 * @param full duration of a block
 * @param quick duration of a block in a quick race
 * @param rounds default number of rounds
 * @param entries the contestants
 * @param promise the goals
 */
record CollapseCourse(
        String name,
        CollapseTraffic traffic,
        SimulatedCallTime calls,
        int slots,
        boolean cold,
        LoadTimes full,
        LoadTimes quick,
        int rounds,
        List<Entry> entries,
        CollapseGoals promise)
        implements Course {
    private static final int REHEARSED = 20_000;
    private static final int REHEARSING = 1_000;
    private static final SimulatedCallTime REHEARSED_CALLS = SimulatedCallTime.ofMillis(5);
    private static final Duration REHEARSED_AT_MOST = Duration.ofSeconds(10);

    /** Time to start a JVM, create and rehearse a contestant, and wait for the last answers. */
    private static final Duration AROUND = Duration.ofSeconds(4);

    /** With nearly one call per request there is no window, and the ratio to the curve is meaningless. */
    private static final double MAX_OF_RATE = 0.9;

    private static final String NONE = CollapseContestants.NONE.entry().name();

    private LoadTimes times(Effort effort) {
        return effort == Effort.FULL ? full : quick;
    }

    @Override
    public String workload(Effort effort) {
        return traffic.describe() + ", for " + Durations.format(times(effort).lasting()) + "; a call takes "
                + calls.describe() + (slots == 0 ? "" : ", " + slots + " concurrent")
                + (cold ? "; measured from the first request" : "");
    }

    private String throughput() {
        return cold ? "first_10s" : "tps";
    }

    @Override
    public List<String> judged() {
        return traffic instanceof CollapseTraffic.Open
                ? List.of("mean_ms", "downstream_calls_per_s", "cpu_us_per_tx", "p99_ms")
                : List.of(throughput(), "mean_ms", "p99_ms", "downstream_calls_per_s", "cpu_us_per_tx");
    }

    @Override
    public List<String> shown() {
        return List.of(
                throughput(),
                "mean_ms",
                "p50_ms",
                "p90_ms",
                "p99_ms",
                "max_ms",
                "added_ms",
                "downstream_calls_per_s",
                "batch_mean",
                "in_flight_max",
                "cpu_us_per_tx",
                "heap_peak_mb",
                "errors",
                "lost",
                "duplicates");
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
    public Scene open(Block block) {
        return Scene.EMPTY;
    }

    @Override
    public BlockResult run(Block block, Cue cue) throws Exception {
        LoadTimes times = times(block.effort());
        if (!cold) {
            rehearse(CollapseContestants.named(block.entry()), block.seed());
        }
        SimulatedApi api = new SimulatedApi(calls, block.seed(), Ticker.SYSTEM, slots);
        try (BatchingClient batcher = CollapseContestants.named(block.entry()).before(api)) {
            CollapseCallers callers = new CollapseCallers(batcher);
            cue.ready();
            Throughput throughput = new Throughput(api, times.measured());
            CollapseTraffic.Plan plan = new CollapseTraffic.Plan(times, calls, block.seed(), throughput, cue::progress);
            return result(traffic.on(callers, plan), throughput, api, callers);
        }
    }

    /**
     * Compiles the code first, so that the CPU time per request is that of compiled code: at 200 requests per second,
     * compilation would take minutes. All contestants get the same number of requests, with a separate instance and
     * API, so that nothing is learned for the load.
     */
    private static void rehearse(CollapseContestants contestant, long seed) throws InterruptedException {
        SimulatedApi api = new SimulatedApi(REHEARSED_CALLS, seed, Ticker.SYSTEM);
        try (BatchingClient batcher = contestant.before(api)) {
            Counts counts = ClosedLoad.of(REHEARSING, Duration.ZERO)
                    .count(REHEARSED)
                    .lasting(REHEARSED_AT_MOST)
                    .run(new CollapseCallers(batcher), number -> number, Boolean::booleanValue)
                    .counts();
            if (counts.right() == 0) {
                throw new IllegalStateException(
                        "none of " + counts.offered() + " requests was answered in the rehearsal: " + counts.causes());
            }
        }
    }

    /** Lost are requests without an answer, and those that never reached the API, including the warm-up. */
    private BlockResult result(LoadResult load, Throughput throughput, SimulatedApi api, CollapseCallers callers) {
        BlockResult all = BlockResult.of(load);
        Map<String, Double> metrics = new LinkedHashMap<>(all.metrics());
        metrics.putAll(api.metrics());
        metrics.put("tps", throughput.perSecond());
        if (cold) {
            metrics.put("first_10s", throughput.perSecond());
        }
        long notReceived = Math.max(0, callers.asked() - api.received());
        metrics.put("lost", (double) Math.max(load.counts().lost(), notReceived));
        return new BlockResult(metrics, all.percentiles(), all.timeLine(), whyInvalid(load));
    }

    /**
     * In a closed model lag does not make a block invalid: callers that wait for their answers have no schedule to
     * miss.
     */
    private @Nullable String whyInvalid(LoadResult load) {
        Counts counts = load.counts();
        if (traffic instanceof CollapseTraffic.Open) {
            return load.validity().whyInvalid();
        }
        return counts.right() > 0 && counts.shed() <= Validity.MAX_SHED * counts.offered()
                ? null
                : "no request was answered correctly";
    }

    /** {@code added_ms}: the increase of the mean over no collapsing, in the same round. */
    @Override
    public Map<String, Map<String, Double>> related(Map<String, Map<String, Double>> round) {
        Double without = round.getOrDefault(NONE, Map.of()).get("mean_ms");
        Map<String, Map<String, Double>> related = new LinkedHashMap<>();
        if (without != null) {
            round.forEach((contestant, metrics) -> {
                Double mean = metrics.get("mean_ms");
                if (mean != null) {
                    related.put(contestant, added(mean - without, metrics.get("downstream_calls_per_s")));
                }
            });
        }
        return related;
    }

    private Map<String, Double> added(double millis, @Nullable Double callsPerSecond) {
        Map<String, Double> added = new LinkedHashMap<>();
        added.put("added_ms", millis);
        if (callsPerSecond != null && traffic instanceof CollapseTraffic.Open(int rate)) {
            double onCurve = new WaitingCurve(rate).addedMillis(callsPerSecond);
            added.put("curve_ms", onCurve);
            if (callsPerSecond < MAX_OF_RATE * rate) {
                added.put("curve_ratio", millis / onCurve);
            }
        }
        return added;
    }

    @Override
    public List<Goal> goals(List<Contestant> contestants) {
        return promise.goals(contestants);
    }

    @Override
    public Optional<Tradeoff> tradeoff() {
        return traffic instanceof CollapseTraffic.Open(int rate)
                ? Optional.of(new WaitingCurve(rate).tradeoff())
                : Optional.empty();
    }
}
