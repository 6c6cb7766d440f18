package dev.penstock.races.messages;

import dev.penstock.lab.race.Block;
import dev.penstock.lab.race.BlockResult;
import dev.penstock.lab.race.Cue;
import dev.penstock.lab.race.Effort;
import dev.penstock.lab.race.Entry;
import dev.penstock.races.ContestantList;
import dev.penstock.races.GoalRule;
import dev.penstock.races.LoadTimes;
import dev.penstock.races.PlannedCourse;
import dev.penstock.races.messages.MessageWork.HandlerTime;
import dev.penstock.races.messages.MessageWork.MessageAudit;
import dev.penstock.text.Durations;
import java.time.Duration;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A backlog that is filled beforehand, and consumed with a limited number of messages in flight. */
public abstract class ConsumeCourse extends PlannedCourse {
    /** A parameter of the scene: where the broker is. */
    public static final String URL = "url";

    /** A parameter of the scene: the number of messages. */
    public static final String SENT = "sent";

    /** The maximum number of messages in flight. */
    public static final int BOUND = 500;

    /** The contestant without a bound. */
    public static final String UNTHROTTLED = "unthrottled";

    /** Time to start and fill a broker, start a JVM, and drain what is left. */
    private static final Duration AROUND = Duration.ofSeconds(12);

    private final ContestantList<MessageConsumer.Factory> contestants;
    private final HandlerTime time;
    private final int fastest;

    /**
     * Declares a course.
     *
     * @param name unique in the race
     * @param contestants of the race
     * @param entries those of this course
     * @param time of a handler
     * @param fastest a higher rate than any client reaches, so that the backlog does not run dry
     */
    @SuppressWarnings("this-escape") // its own final methods, which set a field each
    protected ConsumeCourse(
            String name,
            ContestantList<MessageConsumer.Factory> contestants,
            List<Entry> entries,
            HandlerTime time,
            int fastest) {
        super(
                name,
                entries,
                "tps cpu_us_per_tx heap_peak_mb lost duplicates",
                "tps of_ceiling in_flight_max lost duplicates stall_ms cpu_us_per_tx heap_peak_mb");
        this.contestants = contestants;
        this.time = time;
        this.fastest = fastest;
        lasts(LoadTimes.ofMillis(4_000, 10_000), LoadTimes.ofMillis(1_500, 2_500), AROUND);
        jvmOptions("-XX:MaxNewSize=32m"); // the same size of the young generation for all: see docs/races.md
        goals(GoalRule.none("lost", "duplicates"));
    }

    /** The backlog, in a few words. */
    protected abstract String backlog();

    /** The messages that a broker still has for the contestants, after the block. */
    protected abstract BitSet left(Block block, String url, MessageWork handling) throws Exception;

    @Override
    public String workload(Effort effort) {
        LoadTimes times = times(effort);
        double ceiling = time.ceiling(BOUND);
        return backlog()
                + ", handlers take "
                + time.describe()
                + ", " + BOUND + " messages in flight at most"
                + (ceiling == 0 ? "" : String.format(Locale.ROOT, " (ceiling %,.0f/s)", ceiling))
                + ", measured for " + Durations.format(times.measured())
                + " after " + Durations.format(times.warmUp())
                + "; broker and consumer share the cores, the backlog is filled beforehand";
    }

    /** The number of messages that the contestant could consume at most. */
    protected final int messages(Block block) {
        boolean bounded = !block.entry().equals(UNTHROTTLED) && time.most() > 0;
        double rate = bounded ? Math.min(fastest, time.ceiling(BOUND)) : fastest;
        return (int) (rate * times(block.effort()).lasting().toMillis() / 1e3) + 2 * MeasuredWindow.DRY;
    }

    /** Consumes until the window is over. */
    protected MeasuredWindow consume(Block block, String url, MessageWork handling) throws Exception {
        LoadTimes times = times(block.effort());
        try (MessageConsumer _ = contestants.named(block.entry()).at(url, handling)) {
            return MeasuredWindow.of(handling, times.warmUp(), times.measured());
        }
    }

    @Override
    public final BlockResult run(Block block, Cue cue) throws Exception {
        String url = required(cue.parameters(), URL);
        MessageWork handling = new MessageWork(time, block.seed(), Integer.parseInt(required(cue.parameters(), SENT)));
        cue.ready();
        MeasuredWindow window = consume(block, url, handling);
        handling.awaitIdle();
        Map<String, Double> metrics = new LinkedHashMap<>(window.metrics());
        metrics.put("in_flight_max", (double) handling.inFlightMax());
        double ceiling = time.ceiling(BOUND);
        if (ceiling > 0) {
            metrics.put("ceiling", ceiling);
            metrics.put("of_ceiling", window.tps() / ceiling);
        }
        metrics.putAll(MessageAudit.of(handling, left(block, url, handling)).metrics());
        return new BlockResult(metrics, Map.of(), null, window.whyInvalid());
    }
}
