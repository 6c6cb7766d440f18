package dev.penstock.races.collapse;

import dev.penstock.Service;
import dev.penstock.Ticker;
import dev.penstock.lab.measure.ProcessProbe;
import dev.penstock.lab.race.Block;
import dev.penstock.lab.race.BlockResult;
import dev.penstock.lab.race.Cue;
import dev.penstock.lab.race.Effort;
import dev.penstock.races.GoalRule;
import dev.penstock.races.LoadTimes;
import dev.penstock.races.PlannedCourse;
import dev.penstock.races.collapse.CollapseContestants.BatchingClient;
import dev.penstock.text.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;

/** The cost of batching itself: calls take no time, and callers do nothing else. */
final class MachineryCourse extends PlannedCourse {
    private static final int CALLERS = 64;
    private static final Duration AROUND = Duration.ofSeconds(3);
    private static final Duration GRACE = Duration.ofSeconds(5);

    /** All of ours would be the same here, and the fastest peers are added. */
    MachineryCourse() {
        super(
                "machinery",
                CollapseContestants.ALL.without("window-10ms", "penstock-2%", "penstock-20%"),
                "tps cpu_us_per_tx",
                "tps cpu_us_per_tx bytes_per_call downstream_calls_per_s batch_mean in_flight_max errors lost duplicates");
        lasts(LoadTimes.ofMillis(5_000, 6_000), LoadTimes.ofMillis(4_000, 4_000), AROUND);
        goalsOf(
                CollapseContestants.PENSTOCK,
                GoalRule.times("tps", "dataloader", 1.5),
                GoalRule.times("tps", "hystrix", 3));
        goals(GoalRule.none("errors", "lost", "duplicates"));
    }

    @Override
    public String workload(Effort effort) {
        return CALLERS + " callers (closed model) without think time, for "
                + Durations.format(times(effort).lasting()) + "; a call takes no time, independent of its size";
    }

    @Override
    public BlockResult run(Block block, Cue cue) throws Exception {
        LoadTimes times = times(block.effort());
        SimulatedApi api = new SimulatedApi(SimulatedCallTime.ofMillis(0), block.seed(), Ticker.SYSTEM);
        try (BatchingClient batcher =
                CollapseContestants.ALL.named(block.entry()).apply(api)) {
            cue.ready();
            LeanCallers load = LeanCallers.start(batcher, CALLERS);
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

    /**
     * Closed-model callers without think time that only check and count answers, because timing each request would
     * dominate the measurement. Thread-safe.
     */
    private static final class LeanCallers {
        private final Service<Long, Long> batcher;
        private final LongAdder answers = new LongAdder();
        private final LongAdder errors = new LongAdder();
        private final AtomicBoolean over = new AtomicBoolean();
        private final List<Thread> callers = new ArrayList<>();

        private LeanCallers(Service<Long, Long> batcher) {
            this.batcher = batcher;
        }

        /** Starts the callers, each with distinct items. */
        static LeanCallers start(Service<Long, Long> batcher, int callers) {
            LeanCallers all = new LeanCallers(batcher);
            for (int caller = 0; caller < callers; caller++) {
                long first = caller;
                all.callers.add(Thread.ofVirtual().start(() -> all.ask(first, callers)));
            }
            return all;
        }

        private void ask(long first, int step) {
            for (long item = first; !over.get(); item += step) {
                try {
                    (batcher.call(item) == SimulatedApi.answerTo(item) ? answers : errors).increment();
                } catch (Exception e) {
                    errors.increment();
                }
            }
        }

        /** Correct answers so far. */
        long answers() {
            return answers.sum();
        }

        /** All other outcomes so far. */
        long errors() {
            return errors.sum();
        }

        /** Stops the callers, and counts those without an answer in time. */
        int end(Duration atMost) throws InterruptedException {
            over.set(true);
            long until = System.nanoTime() + atMost.toNanos();
            int lost = 0;
            for (Thread caller : callers) {
                if (!caller.join(Duration.ofNanos(Math.max(1, until - System.nanoTime())))) {
                    lost++;
                }
            }
            return lost;
        }
    }
}
