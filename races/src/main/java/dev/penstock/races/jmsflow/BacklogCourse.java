package dev.penstock.races.jmsflow;

import dev.penstock.lab.race.Block;
import dev.penstock.lab.race.BlockResult;
import dev.penstock.lab.race.Cue;
import dev.penstock.lab.race.Effort;
import dev.penstock.lab.race.Scene;
import dev.penstock.races.GoalRule;
import dev.penstock.races.LoadTimes;
import dev.penstock.races.PlannedCourse;
import dev.penstock.races.messages.ConsumeCourse;
import dev.penstock.races.messages.MeasuredWindow;
import dev.penstock.races.messages.MessageConsumer;
import dev.penstock.races.messages.MessageWork;
import dev.penstock.races.messages.MessageWork.HandlerTime;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A very long queue, and a consumer whose JVM has a heap of 100 MB. */
final class BacklogCourse extends PlannedCourse {
    private static final int HEAP_MB = 100;

    BacklogCourse() {
        super(
                "backlog",
                JmsFlowContestants.ALL.only(List.of(JmsFlowContestants.PENSTOCK, "individual")),
                "heap_peak_mb tps",
                "count tps in_flight_max cpu_us_per_tx heap_peak_mb duplicates");
        lasts(LoadTimes.ofMillis(1_000, 15_000), LoadTimes.ofMillis(1_000, 3_000), Duration.ofSeconds(4));
        jvmOptions("-Xmx" + HEAP_MB + "m");
        rounds(1);
        goals(GoalRule.most("heap_peak_mb", HEAP_MB), GoalRule.none("duplicates"));
    }

    private static int messages(Effort effort) {
        return effort == Effort.FULL ? 1_000_000 : 100_000;
    }

    @Override
    public String workload(Effort effort) {
        return String.format(
                Locale.ROOT,
                "%,d persistent messages of 1 KB in the queue, handlers take no time, the consumer's JVM has %d MB of heap",
                messages(effort),
                HEAP_MB);
    }

    /** Mostly the time to fill the queue. */
    @Override
    public Duration blockTime(Effort effort) {
        return super.blockTime(effort).plusSeconds(messages(effort) / 10_000);
    }

    @Override
    public Scene open(Block block) throws Exception {
        return Backlog.scene(messages(block.effort()), true);
    }

    /**
     * The remaining messages are not drained: that would take longer than everything else, and is covered by the
     * other courses.
     */
    @Override
    public BlockResult run(Block block, Cue cue) throws Exception {
        MessageWork handling = new MessageWork(
                HandlerTime.NONE, block.seed(), Integer.parseInt(required(cue.parameters(), ConsumeCourse.SENT)));
        LoadTimes times = times(block.effort());
        cue.ready();
        MeasuredWindow window;
        try (MessageConsumer _ = JmsFlowContestants.ALL
                .named(block.entry())
                .at(required(cue.parameters(), ConsumeCourse.URL), handling)) {
            window = MeasuredWindow.of(handling, times.warmUp(), times.measured());
        }
        Map<String, Double> metrics = new LinkedHashMap<>(window.metrics());
        metrics.put("count", (double) handling.ended());
        metrics.put("in_flight_max", (double) handling.inFlightMax());
        metrics.put("duplicates", (double) handling.repeated());
        return new BlockResult(metrics, Map.of(), null, window.whyInvalid());
    }
}
