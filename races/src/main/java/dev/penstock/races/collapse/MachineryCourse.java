package dev.penstock.races.collapse;

import dev.penstock.Ticker;
import dev.penstock.lab.measure.ProcessProbe;
import dev.penstock.lab.race.Block;
import dev.penstock.lab.race.BlockResult;
import dev.penstock.lab.race.Course;
import dev.penstock.lab.race.Cue;
import dev.penstock.lab.race.Effort;
import dev.penstock.lab.race.Entry;
import dev.penstock.lab.race.Scene;
import dev.penstock.lab.report.Contestant;
import dev.penstock.lab.report.Goal;
import dev.penstock.races.LoadTimes;
import dev.penstock.races.collapse.CollapseContestants.BatchingClient;
import dev.penstock.text.Durations;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The cost of batching itself: calls take no time, and callers do nothing else.
 *
 * @param callers their number
 * @param full duration of a block
 * @param quick duration of a block in a quick race
 * @param rounds default number of rounds
 * @param promise the goals
 */
record MachineryCourse(int callers, LoadTimes full, LoadTimes quick, int rounds, CollapseGoals promise)
        implements Course {
    private static final Duration AROUND = Duration.ofSeconds(3);
    private static final Duration GRACE = Duration.ofSeconds(5);

    @Override
    public String name() {
        return "machinery";
    }

    private LoadTimes times(Effort effort) {
        return effort == Effort.FULL ? full : quick;
    }

    @Override
    public String workload(Effort effort) {
        return callers + " callers (closed model) without think time, for "
                + Durations.format(times(effort).lasting()) + "; a call takes no time, independent of its size";
    }

    @Override
    public List<Entry> entries() {
        return CollapseContestants.machinery();
    }

    @Override
    public List<String> judged() {
        return List.of("tps", "cpu_us_per_tx");
    }

    @Override
    public List<String> shown() {
        return List.of(
                "tps",
                "cpu_us_per_tx",
                "bytes_per_call",
                "downstream_calls_per_s",
                "batch_mean",
                "in_flight_max",
                "errors",
                "lost",
                "duplicates");
    }

    @Override
    public Duration blockTime(Effort effort) {
        return times(effort).lasting().plus(AROUND);
    }

    /** There is no scene to warm up. */
    @Override
    public boolean rehearses() {
        return false;
    }

    @Override
    public Scene open(Block block) {
        return Scene.EMPTY;
    }

    @Override
    public BlockResult run(Block block, Cue cue) throws Exception {
        LoadTimes times = times(block.effort());
        SimulatedApi api = new SimulatedApi(SimulatedCallTime.ofMillis(0), block.seed(), Ticker.SYSTEM);
        try (BatchingClient batcher = CollapseContestants.named(block.entry()).before(api)) {
            cue.ready();
            LeanCallers load = LeanCallers.start(batcher, callers);
            Thread.sleep(times.warmUp());
            Map<String, Double> metrics = measured(load, api, times.measured());
            int lost = load.end(GRACE);
            metrics.putAll(api.metrics());
            metrics.put("errors", (double) load.errors());
            metrics.put("lost", (double) lost);
            return BlockResult.of(metrics);
        }
    }

    /** All metrics are measured over the same stretch of real time, as differences of counters. */
    private static Map<String, Double> measured(LeanCallers load, SimulatedApi api, Duration time)
            throws InterruptedException {
        try (ProcessProbe probe = ProcessProbe.start()) {
            long from = System.nanoTime();
            long before = load.answers();
            api.measure(from, time.toNanos());
            Thread.sleep(time);
            long answers = load.answers() - before;
            double seconds = (System.nanoTime() - from) / 1e9;
            Map<String, Double> metrics = new LinkedHashMap<>();
            metrics.put("tps", answers / seconds);
            var use = probe.soFar();
            if (answers > 0) {
                metrics.put("cpu_us_per_tx", use.cpuNanos() / 1e3 / answers);
                metrics.put("bytes_per_call", (double) use.allocatedBytes() / answers);
            }
            return metrics;
        }
    }

    @Override
    public List<Goal> goals(List<Contestant> contestants) {
        return promise.goals(contestants);
    }
}
