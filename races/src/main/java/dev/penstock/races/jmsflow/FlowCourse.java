package dev.penstock.races.jmsflow;

import dev.penstock.Durations;
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
import java.util.Locale;
import java.util.Map;

/**
 * A full queue, and one way of consuming it.
 *
 * @param name unique in the race
 * @param time that a handler takes
 * @param persistent whether the messages are on the disk
 * @param rounds how often each contestant runs unless the user says
 */
record FlowCourse(String name, HandlerTime time, boolean persistent, int rounds) implements Course {
    /** A young generation of the same size for all: see docs/races.md. */
    private static final List<String> YOUNG_GENERATION = List.of("-XX:MaxNewSize=32m");

    /** More each second than any client was seen to take: so the queue lasts. */
    private static final int FASTEST = 30_000;

    /** A broker to start and to fill, a JVM to start, what is left to drain. */
    private static final Duration AROUND = Duration.ofSeconds(12);

    private record Times(Duration warmUp, Duration measured) {
        Duration lasting() {
            return warmUp.plus(measured);
        }
    }

    private static final Times FULL = new Times(Duration.ofSeconds(4), Duration.ofSeconds(10));
    private static final Times QUICK = new Times(Duration.ofMillis(1_500), Duration.ofMillis(2_500));

    private static Times times(Effort effort) {
        return effort == Effort.FULL ? FULL : QUICK;
    }

    @Override
    public String workload(Effort effort) {
        Times times = times(effort);
        double ceiling = time.ceiling(JmsFlowContestants.BOUND);
        return "a full queue of "
                + (persistent ? "persistent" : "non-persistent")
                + " messages of 1 KB at a broker of its own over TCP, handlers that take "
                + time.words()
                + ", " + JmsFlowContestants.BOUND + " in flight at most"
                + (ceiling == 0 ? "" : String.format(Locale.ROOT, " (ceiling %,.0f/s)", ceiling))
                + ", measured for " + Durations.words(times.measured)
                + " after " + Durations.words(times.warmUp)
                + "; broker and consumer share the cores, the queue is filled before";
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

    /** As much as the contestant can take at the very best. */
    private int messages(Block block) {
        boolean bounded = !block.entry().equals(JmsFlowContestants.UNTHROTTLED.entry().name()) && time.most() > 0;
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
        Times times = times(block.effort());
        MeasuredWindow window;
        try (Consumer _ = JmsFlowContestants.named(block.entry()).at(url, handling)) {
            window = MeasuredWindow.of(handling, times.warmUp, times.measured);
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
