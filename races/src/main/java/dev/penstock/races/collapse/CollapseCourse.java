package dev.penstock.races.collapse;

import dev.penstock.Service;
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
import dev.penstock.lab.report.Tradeoff;
import dev.penstock.races.Callers;
import dev.penstock.races.GoalRule;
import dev.penstock.races.LoadTimes;
import dev.penstock.races.PlannedCourse;
import dev.penstock.races.collapse.CollapseContestants.BatchingClient;
import dev.penstock.text.Durations;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One workload on the API. */
final class CollapseCourse extends PlannedCourse {
    private static final int REHEARSED = 20_000;
    private static final int REHEARSING = 1_000;
    private static final SimulatedCallTime REHEARSED_CALLS = SimulatedCallTime.ofMillis(5);
    private static final Duration REHEARSED_AT_MOST = Duration.ofSeconds(10);

    /** Unanswered requests are lost after this time: the longest call and the longest window end in less than a second. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    /** Time to start a JVM, create and rehearse a contestant, and wait for the last answers. */
    private static final Duration AROUND = Duration.ofSeconds(4);

    /** With nearly one call per request there is no window, and the ratio to the curve is meaningless. */
    private static final double MAX_OF_RATE = 0.9;

    private static final String JUDGED_OPEN = "mean_ms downstream_calls_per_s cpu_us_per_tx p99_ms";
    private static final String JUDGED_CLOSED = " mean_ms p99_ms downstream_calls_per_s cpu_us_per_tx";
    private static final String SHOWN =
            " mean_ms p50_ms p90_ms p99_ms max_ms added_ms downstream_calls_per_s batch_mean"
                    + " in_flight_max cpu_us_per_tx heap_peak_mb errors lost duplicates";

    private final Callers callers;
    private final SimulatedCallTime calls;
    private final int slots;
    private final boolean cold;

    /**
     * Declares a course.
     *
     * @param name unique in the race
     * @param entries the contestants
     * @param callers who ask
     * @param calls the time of the API's calls
     * @param slots maximum concurrent calls of the API; 0 for unlimited
     * @param cold whether everything runs for the first time: no rehearsal, no warm-up
     */
    CollapseCourse(
            String name, List<Entry> entries, Callers callers, SimulatedCallTime calls, int slots, boolean cold) {
        super(
                name,
                entries,
                callers.isOpen() ? JUDGED_OPEN : throughput(cold) + JUDGED_CLOSED,
                throughput(cold) + SHOWN);
        this.callers = callers;
        this.calls = calls;
        this.slots = slots;
        this.cold = cold;
        goals(GoalRule.none("errors", "lost", "duplicates"));
    }

    private static String throughput(boolean cold) {
        return cold ? "first_10s" : "tps";
    }

    /** The durations of a block. */
    CollapseCourse lasting(LoadTimes full, LoadTimes quick) {
        lasts(full, quick, AROUND);
        return this;
    }

    @Override
    public String workload(Effort effort) {
        return callers.describe() + ", for " + Durations.format(times(effort).lasting()) + "; a call takes "
                + calls.describe() + (slots == 0 ? "" : ", " + slots + " concurrent")
                + (cold ? "; measured from the first request" : "");
    }

    @Override
    public BlockResult run(Block block, Cue cue) throws Exception {
        LoadTimes times = times(block.effort());
        Function<SimulatedApi, BatchingClient> contestant = CollapseContestants.ALL.named(block.entry());
        if (!cold) {
            rehearse(contestant, block.seed());
        }
        SimulatedApi api = new SimulatedApi(calls, block.seed(), Ticker.SYSTEM, slots);
        try (BatchingClient batcher = contestant.apply(api)) {
            CheckedAnswers checked = new CheckedAnswers(batcher);
            cue.ready();
            Throughput throughput = new Throughput(api, times.measured());
            LoadResult load = callers.load(block.seed(), times, GRACE, cue)
                    .listen(throughput)
                    .run(checked, number -> number, Boolean::booleanValue);
            return result(load, throughput, api, checked);
        }
    }

    /**
     * Compiles the code first, so that the CPU time per request is that of compiled code: at 200 requests per second,
     * compilation would take minutes. All contestants get the same number of requests, with a separate instance and
     * API, so that nothing is learned for the load.
     */
    private static void rehearse(Function<SimulatedApi, BatchingClient> contestant, long seed)
            throws InterruptedException {
        SimulatedApi api = new SimulatedApi(REHEARSED_CALLS, seed, Ticker.SYSTEM);
        try (BatchingClient batcher = contestant.apply(api)) {
            rehearse(
                    ClosedLoad.of(REHEARSING, Duration.ZERO).count(REHEARSED).lasting(REHEARSED_AT_MOST),
                    new CheckedAnswers(batcher),
                    number -> number,
                    Boolean::booleanValue);
        }
    }

    /** Lost are requests without an answer, and those that never reached the API, including the warm-up. */
    private BlockResult result(LoadResult load, Throughput throughput, SimulatedApi api, CheckedAnswers checked) {
        BlockResult all = BlockResult.of(load);
        Map<String, Double> metrics = new LinkedHashMap<>(all.metrics());
        metrics.putAll(api.metrics());
        metrics.put("tps", throughput.perSecond());
        if (cold) {
            metrics.put("first_10s", throughput.perSecond());
        }
        long notReceived = Math.max(0, checked.asked() - api.received());
        metrics.put("lost", (double) Math.max(load.counts().lost(), notReceived));
        return new BlockResult(metrics, all.percentiles(), all.timeLine(), whyInvalid(load));
    }

    /**
     * In a closed model lag does not make a block invalid: callers that wait for their answers have no schedule
     * to miss.
     */
    private @Nullable String whyInvalid(LoadResult load) {
        Counts counts = load.counts();
        if (callers.isOpen()) {
            return load.validity().whyInvalid();
        }
        return counts.right() > 0 && counts.shed() <= Validity.MAX_SHED * counts.offered()
                ? null
                : "no request was answered correctly";
    }

    /** {@code added_ms}: the increase of the mean over no collapsing, in the same round. */
    @Override
    public Map<String, Map<String, Double>> related(Map<String, Map<String, Double>> round) {
        Double without = round.getOrDefault(CollapseContestants.NONE, Map.of()).get("mean_ms");
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
        int rate = callers.rate();
        if (callsPerSecond != null && callers.isOpen()) {
            double onCurve = new WaitingCurve(rate).addedMillis(callsPerSecond);
            added.put("curve_ms", onCurve);
            if (callsPerSecond < MAX_OF_RATE * rate) {
                added.put("curve_ratio", millis / onCurve);
            }
        }
        return added;
    }

    @Override
    public Optional<Tradeoff> tradeoff() {
        return callers.isOpen() ? Optional.of(new WaitingCurve(callers.rate()).tradeoff()) : Optional.empty();
    }

    /** Checks each answer, and counts the requests, each for a different item. Thread-safe. */
    static final class CheckedAnswers implements Service<Long, Boolean> {
        private final Service<Long, Long> batcher;
        private final LongAdder asked = new LongAdder();

        CheckedAnswers(Service<Long, Long> batcher) {
            this.batcher = batcher;
        }

        /** Whether the answer belongs to this item. */
        @Override
        public Boolean call(Long item) throws Exception {
            asked.increment();
            return batcher.call(item) == SimulatedApi.answerTo(item);
        }

        long asked() {
            return asked.sum();
        }
    }
}
