package dev.penstock.races.jmsflow;

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
import dev.penstock.races.jmsflow.JmsFlowContestants.Consumer;
import dev.penstock.races.jmsflow.MessageWork.HandlerTime;
import dev.penstock.races.jmsflow.MessageWork.MessageAudit;
import dev.penstock.text.Durations;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A full queue with one kind of messages and handlers.
 *
 * @param name unique in the race
 * @param time of a handler
 * @param persistent whether the messages are persistent
 * @param rounds default number of rounds
 */
record FlowCourse(String name, HandlerTime time, boolean persistent, int rounds) implements Course {
    /** The same size of the young generation for all: see docs/measure.md. */
    private static final List<String> YOUNG_GENERATION = List.of("-XX:MaxNewSize=32m");

    /** A higher rate than any client reached, so that the queue does not run dry. */
    private static final int FASTEST = 30_000;

    /** Time to start and fill a broker, start a JVM, and drain the queue. */
    private static final Duration AROUND = Duration.ofSeconds(12);

    private static final LoadTimes FULL = LoadTimes.ofMillis(4_000, 10_000);
    private static final LoadTimes QUICK = LoadTimes.ofMillis(1_500, 2_500);

    private static LoadTimes times(Effort effort) {
        return effort == Effort.FULL ? FULL : QUICK;
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

    @Override
    public List<Entry> entries() {
        return JmsFlowContestants.entries(time);
    }

    @Override
    public List<String> judged() {
        return List.of("tps", "cpu_us_per_tx", "heap_peak_mb", "lost", "duplicates");
    }

    @Override
    public List<String> shown() {
        return List.of("tps", "of_ceiling", "in_flight_max", "lost", "duplicates", "cpu_us_per_tx", "heap_peak_mb");
    }

    @Override
    public List<String> jvmOptions() {
        return YOUNG_GENERATION;
    }

    /** Each block has a warm-up, and nothing runs in the runner's JVM meanwhile. */
    @Override
    public boolean rehearses() {
        return false;
    }

    @Override
    public Duration blockTime(Effort effort) {
        return times(effort).lasting().plus(AROUND);
    }

    /** The number of messages that the contestant could consume at most. */
    private int messages(Block block) {
        boolean bounded =
                !block.entry().equals(JmsFlowContestants.UNTHROTTLED.entry().name()) && time.most() > 0;
        double fastest = bounded ? Math.min(FASTEST, time.ceiling(JmsFlowContestants.BOUND)) : FASTEST;
        return (int) (fastest * times(block.effort()).lasting().toMillis() / 1e3) + 2 * MeasuredWindow.DRY;
    }

    @Override
    public Scene open(Block block) throws Exception {
        return new QueueScene(messages(block), persistent);
    }

    @Override
    public BlockResult run(Block block, Cue cue) throws Exception {
        String url = QueueScene.url(cue.parameters());
        MessageWork handling = new MessageWork(time, block.seed(), QueueScene.sent(cue.parameters()));
        cue.ready();
        LoadTimes times = times(block.effort());
        MeasuredWindow window;
        try (Consumer _ = JmsFlowContestants.named(block.entry()).at(url, handling)) {
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

    @Override
    public List<Goal> goals(List<Contestant> contestants) {
        return JmsFlowGoals.of(this, contestants);
    }
}
