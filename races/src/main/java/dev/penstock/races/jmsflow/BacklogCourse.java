package dev.penstock.races.jmsflow;

import dev.penstock.lab.race.Block;
import dev.penstock.lab.race.BlockResult;
import dev.penstock.lab.race.Course;
import dev.penstock.lab.race.Cue;
import dev.penstock.lab.race.Effort;
import dev.penstock.lab.race.Entry;
import dev.penstock.lab.race.Scene;
import dev.penstock.lab.report.Contestant;
import dev.penstock.lab.report.Contestant.Role;
import dev.penstock.lab.report.Goal;
import dev.penstock.races.GoalFigures;
import dev.penstock.races.jmsflow.JmsFlowContestants.Consumer;
import dev.penstock.races.jmsflow.MessageWork.HandlerTime;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** A very long queue, and a consumer whose JVM has a heap of 100 MB. */
final class BacklogCourse implements Course {
    private static final int MESSAGES = 1_000_000;
    private static final int QUICK_MESSAGES = 100_000;
    private static final int HEAP_MB = 100;
    private static final Duration FULL = Duration.ofSeconds(15);
    private static final Duration QUICK = Duration.ofSeconds(3);
    private static final Duration WARM_UP = Duration.ofSeconds(1);

    private static int messages(Effort effort) {
        return effort == Effort.FULL ? MESSAGES : QUICK_MESSAGES;
    }

    private static Duration measured(Effort effort) {
        return effort == Effort.FULL ? FULL : QUICK;
    }

    @Override
    public String name() {
        return "backlog";
    }

    @Override
    public String workload(Effort effort) {
        return String.format(
                Locale.ROOT,
                "%,d persistent messages of 1 KB in the queue, handlers take no time, the consumer's JVM has %d MB of heap",
                messages(effort),
                HEAP_MB);
    }

    @Override
    public List<Entry> entries() {
        return JmsFlowContestants.all().stream()
                .filter(entry -> entry.role() == Role.OURS)
                .toList();
    }

    @Override
    public List<String> judged() {
        return List.of("heap_peak_mb", "tps");
    }

    @Override
    public List<String> shown() {
        return List.of("count", "tps", "in_flight_max", "cpu_us_per_tx", "heap_peak_mb", "duplicates");
    }

    @Override
    public List<String> jvmOptions() {
        return List.of("-Xmx" + HEAP_MB + "m");
    }

    @Override
    public int rounds() {
        return 1;
    }

    @Override
    public boolean rehearses() {
        return false;
    }

    /** Mostly the time to fill the queue. */
    @Override
    public Duration blockTime(Effort effort) {
        return measured(effort).plusSeconds(messages(effort) / 10_000).plusSeconds(5);
    }

    @Override
    public Scene open(Block block) throws Exception {
        return new QueueScene(messages(block.effort()), true);
    }

    /**
     * The remaining messages are not drained: that would take longer than everything else, and is covered by the other
     * courses.
     */
    @Override
    public BlockResult run(Block block, Cue cue) throws Exception {
        MessageWork handling = new MessageWork(HandlerTime.NONE, block.seed(), QueueScene.sent(cue.parameters()));
        cue.ready();
        MeasuredWindow window;
        try (Consumer _ = JmsFlowContestants.named(block.entry()).at(QueueScene.url(cue.parameters()), handling)) {
            window = MeasuredWindow.of(handling, WARM_UP, measured(block.effort()));
        }
        Map<String, Double> metrics = new LinkedHashMap<>(window.metrics());
        metrics.put("count", (double) handling.ended());
        metrics.put("in_flight_max", (double) handling.inFlightMax());
        metrics.put("duplicates", (double) handling.repeated());
        return new BlockResult(metrics, Map.of(), null, window.whyInvalid());
    }

    @Override
    public List<Goal> goals(List<Contestant> contestants) {
        GoalFigures figures = new GoalFigures(contestants);
        return figures.ours(entries())
                .flatMap(ours -> Stream.concat(
                        figures.most(ours, "heap_peak_mb", HEAP_MB), figures.none(ours, List.of("duplicates"))))
                .toList();
    }
}
