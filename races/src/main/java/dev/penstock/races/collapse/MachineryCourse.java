package dev.penstock.races.collapse;

import dev.penstock.Durations;
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
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What making batches takes by itself: calls take no time, and callers do nothing but ask.
 *
 * @param callers how many
 * @param full how long a block lasts
 * @param quick how long a block of a quick race lasts
 * @param rounds how often each contestant runs unless the user says
 * @param promise what the course is to show
 */
record MachineryCourse(int callers, CollapseTimes full, CollapseTimes quick, int rounds, CollapseGoals promise) implements Course {
    private static final Duration AROUND = Duration.ofSeconds(3);
    private static final Duration GRACE = Duration.ofSeconds(5);

    @Override
    public String name() {
        return "machinery";
    }

    private CollapseTimes times(Effort effort) {
        return effort == Effort.FULL ? full : quick;
    }

    @Override
    public String workload(Effort effort) {
        return callers + " callers who ask again as soon as they are answered, and do nothing else, for "
                + Durations.words(times(effort).lasting()) + "; a call takes no time, whatever its size";
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

    /** There is no scene that could be cold. */
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
        CollapseTimes times = times(block.effort());
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

    /** All of it is counted in one stretch of real time, by what the counters moved. */
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
