package dev.penstock.races.jmsflow;

import dev.penstock.lab.race.Block;
import dev.penstock.lab.race.BlockResult;
import dev.penstock.lab.race.Cue;
import dev.penstock.lab.race.Effort;
import dev.penstock.lab.race.Scene;
import dev.penstock.lab.report.Contestant.Role;
import dev.penstock.races.GoalRule;
import dev.penstock.races.LoadTimes;
import dev.penstock.races.PlannedCourse;
import dev.penstock.races.jmsflow.JmsFlowContestants.Consumer;
import dev.penstock.races.jmsflow.MessageWork.HandlerTime;
import dev.penstock.races.jmsflow.MessageWork.MessageAudit;
import dev.penstock.text.Durations;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** A full queue with one kind of messages and handlers. */
final class FlowCourse extends PlannedCourse {
    /** A higher rate than any client reached, so that the queue does not run dry. */
    private static final int FASTEST = 30_000;
    /** Time to start and fill a broker, start a JVM, and drain the queue. */
    private static final Duration AROUND = Duration.ofSeconds(12);

    private final HandlerTime time;
    private final boolean persistent;

    /**
     * Declares a course.
     *
     * @param name unique in the race
     * @param time of a handler
     * @param persistent whether the messages are persistent
     */
    FlowCourse(String name, HandlerTime time, boolean persistent) {
        super(
                name,
                time.most() == 0
                        ? JmsFlowContestants.ALL.entries()
                        : JmsFlowContestants.ALL.without(JmsFlowContestants.DMLC_50),
                "tps cpu_us_per_tx heap_peak_mb lost duplicates",
                "tps of_ceiling in_flight_max lost duplicates cpu_us_per_tx heap_peak_mb");
        this.time = time;
        this.persistent = persistent;
        lasts(LoadTimes.ofMillis(4_000, 10_000), LoadTimes.ofMillis(1_500, 2_500), AROUND);
        jvmOptions("-XX:MaxNewSize=32m"); // the same size of the young generation for all: see docs/races.md
        goals(GoalRule.none("lost", "duplicates"), GoalRule.most("in_flight_max", JmsFlowContestants.BOUND));
        goalsOf(
                JmsFlowContestants.PENSTOCK,
                time.most() == 0
                        ? GoalRule.times("tps", JmsFlowContestants.UNTHROTTLED, persistent ? 0.9 : 0.95)
                        : GoalRule.least("of_ceiling", 0.95),
                GoalRule.times("tps", JmsFlowContestants.STOP_START, 1.2));
        entries().stream()
                .filter(entry -> entry.role() == Role.PEER || entry.role() == Role.BEFORE)
                .forEach(entry -> goalsOf(JmsFlowContestants.PENSTOCK, GoalRule.times("tps", entry.name(), 1)));
    }

    @Override
    public String workload(Effort effort) {
        LoadTimes times = times(effort);
        double ceiling = time.ceiling(JmsFlowContestants.BOUND);
        return "a full queue of "
                + (persistent ? "persistent" : "non-persistent")
                + " messages of 1 KB in a broker process over TCP, handlers take "
                + time.describe()
                + ", " + JmsFlowContestants.BOUND + " messages in flight at most"
                + (ceiling == 0 ? "" : String.format(Locale.ROOT, " (ceiling %,.0f/s)", ceiling))
                + ", measured for " + Durations.format(times.measured())
                + " after " + Durations.format(times.warmUp())
                + "; broker and consumer share the cores, the queue is filled beforehand";
    }

    /** The number of messages that the contestant could consume at most. */
    private int messages(Block block) {
        boolean bounded = !block.entry().equals(JmsFlowContestants.UNTHROTTLED) && time.most() > 0;
        double fastest = bounded ? Math.min(FASTEST, time.ceiling(JmsFlowContestants.BOUND)) : FASTEST;
        return (int) (fastest * times(block.effort()).lasting().toMillis() / 1e3) + 2 * MeasuredWindow.DRY;
    }

    @Override
    public Scene open(Block block) throws Exception {
        return new QueueScene(messages(block), persistent);
    }

    @Override
    public BlockResult run(Block block, Cue cue) throws Exception {
        String url = required(cue.parameters(), QueueScene.URL);
        MessageWork handling =
                new MessageWork(time, block.seed(), Integer.parseInt(required(cue.parameters(), QueueScene.SENT)));
        cue.ready();
        LoadTimes times = times(block.effort());
        MeasuredWindow window;
        try (Consumer _ = JmsFlowContestants.ALL.named(block.entry()).at(url, handling)) {
            window = MeasuredWindow.of(handling, times.warmUp(), times.measured());
        }
        handling.awaitIdle();
        Map<String, Double> metrics = new LinkedHashMap<>(window.metrics());
        metrics.put("in_flight_max", (double) handling.inFlightMax());
        double ceiling = time.ceiling(JmsFlowContestants.BOUND);
        if (ceiling > 0) {
            metrics.put("ceiling", ceiling);
            metrics.put("of_ceiling", window.tps() / ceiling);
        }
        metrics.putAll(MessageAudit.of(handling, Backlog.drain(url, handling)).metrics());
        return new BlockResult(metrics, Map.of(), null, window.whyInvalid());
    }
}
