package dev.penstock.races.httppool;

import dev.penstock.Ticker;
import dev.penstock.lab.load.Arrivals;
import dev.penstock.lab.load.OpenLoad;
import dev.penstock.lab.load.PaymentXml;
import dev.penstock.lab.measure.LoadResult;
import dev.penstock.lab.race.Block;
import dev.penstock.lab.race.BlockResult;
import dev.penstock.lab.race.Course;
import dev.penstock.lab.race.Cue;
import dev.penstock.lab.race.Effort;
import dev.penstock.lab.race.Entry;
import dev.penstock.lab.race.Scene;
import dev.penstock.lab.simulate.Closing;
import dev.penstock.lab.simulate.Delay;
import dev.penstock.lab.simulate.FaultSchedule;
import dev.penstock.lab.simulate.HttpSimulator;
import dev.penstock.races.httppool.Client.Reply;
import dev.penstock.races.httppool.Segments.WatchedClient;
import dev.penstock.text.Durations;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The original service's test: 200 payments per second (open model) to a gateway that takes 1 s per payment and closes
 * connections during a window. The load continues after the last window until its effects are over.
 *
 * <p>A full block has one window, and rounds rotate through the ways of closing: all contestants of a round have the
 * same, so ratios paired by round are fair. A quick block has all ways, closer together.
 *
 * <p>Cuts have a separate course: contestants that retry a cut request answer late, those that give up end early, and
 * mixed with the other ways the percentiles would favour those that lose payments.
 *
 * <p>Over TLS everything is shorter, with fewer contestants: see {@link HttpPoolContestants#entriesOverTls()}.
 */
final class ClosingsCourse implements Course {
    private static final List<Closing> OF_CONNECTIONS = List.of(Closing.HEADER, Closing.FIN, Closing.RST);
    private static final List<String> JUDGED =
            List.of("stale_used", "p99_ms", "p50_ms", "cpu_us_per_tx", "heap_peak_mb", "tps");
    private static final List<String> SHOWN = List.of(
            "stale_used",
            "errors_header",
            "errors_fin",
            "errors_rst",
            "duplicates",
            "tps",
            "p50_ms",
            "p99_ms",
            "max_ms",
            "cpu_us_per_tx",
            "heap_peak_mb",
            "connections_opened");

    private static final int RATE = 200;
    private static final Duration DELAY = Duration.ofSeconds(1);
    private static final int IN_FLIGHT = (int) (RATE * DELAY.toSeconds());
    /**
     * By default, G1 sizes the young generation from its first pauses, from 20 to 230 MB, and the heap peak of the same
     * client varies by a factor of two. With this limit, the peak shows what the client retains.
     */
    private static final List<String> YOUNG_GENERATION = List.of("-XX:MaxNewSize=32m");

    private static final Duration PROGRESS_INTERVAL = Duration.ofSeconds(1);
    /** Time to start a JVM, create and rehearse a client, and wait for the last answers. */
    private static final Duration AROUND = Duration.ofMillis(2_500);

    /**
     * The durations of a block.
     *
     * @param windows when connections are closed
     * @param warmUp not measured; over before the first window
     * @param lasting from start to end of the load, including the warm-up
     */
    private record Times(FaultSchedule windows, Duration warmUp, Duration lasting) {
        static Times of(int everyMillis, int openMillis, int warmUpMillis, int lastingMillis) {
            return new Times(
                    new FaultSchedule(Duration.ofMillis(everyMillis), Duration.ofMillis(openMillis)),
                    Duration.ofMillis(warmUpMillis),
                    Duration.ofMillis(lastingMillis));
        }
    }

    private final String name;
    private final boolean tls;
    private final List<Closing> ways;
    private final Times full;
    private final Times quick;
    private final List<String> judged;
    private final List<String> shown;

    private ClosingsCourse(
            String name,
            boolean tls,
            List<Closing> ways,
            Times full,
            Times quick,
            List<String> judged,
            List<String> shown) {
        this.name = name;
        this.tls = tls;
        this.ways = ways;
        this.full = full;
        this.quick = quick;
        this.judged = judged;
        this.shown = shown;
    }

    /** Connections are closed while idle: no payment needs to be lost. */
    static ClosingsCourse ofConnections() {
        return new ClosingsCourse(
                "closings",
                false,
                OF_CONNECTIONS,
                Times.of(10_000, 1_000, 5_000, 15_000),
                Times.of(3_000, 300, 2_000, 11_000),
                JUDGED,
                SHOWN);
    }

    /** The same over TLS 1.3, where connections are more expensive to open and to validate. */
    static ClosingsCourse overTls() {
        return new ClosingsCourse(
                "closings-tls",
                true,
                OF_CONNECTIONS,
                Times.of(2_000, 500, 1_500, 4_000),
                Times.of(1_500, 300, 1_200, 5_800),
                JUDGED,
                Stream.concat(SHOWN.stream(), Stream.of("resumed")).toList());
    }

    /** Requests are cut off in the middle: they have taken effect, and only a retry gets an answer. */
    static ClosingsCourse inTheMiddle() {
        return new ClosingsCourse(
                "cuts",
                false,
                List.of(Closing.CUT),
                Times.of(5_000, 1_000, 3_000, 9_000),
                Times.of(3_000, 300, 2_000, 5_500),
                List.of("errors", "p50_ms", "cpu_us_per_tx"),
                List.of(
                        "errors",
                        "unknown",
                        "rejected",
                        "cut",
                        "duplicates",
                        "tps",
                        "p50_ms",
                        "p99_ms",
                        "max_ms",
                        "cpu_us_per_tx"));
    }

    private Times times(Effort effort) {
        return effort == Effort.FULL ? full : quick;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String workload(Effort effort) {
        Times times = times(effort);
        String by = ways.stream().map(Closing::word).collect(Collectors.joining(", "));
        String turns = ways.size() == 1 ? "" : effort == Effort.FULL ? ", another way each round" : ", in rotation";
        return "%d payments/s of 2 KB%s for %s, each answered after %s; connections are closed %s, by %s%s"
                .formatted(
                        RATE,
                        tls ? " over TLS" : "",
                        Durations.format(times.lasting),
                        Durations.format(DELAY),
                        times.windows,
                        by,
                        turns);
    }

    @Override
    public List<Entry> entries() {
        return tls ? HttpPoolContestants.entriesOverTls() : HttpPoolContestants.entries();
    }

    @Override
    public List<String> jvmOptions() {
        return YOUNG_GENERATION;
    }

    @Override
    public List<String> judged() {
        return judged;
    }

    @Override
    public List<String> shown() {
        return shown;
    }

    @Override
    public Duration blockTime(Effort effort) {
        return times(effort).lasting.plus(AROUND);
    }

    @Override
    public Scene open(Block block) throws IOException {
        Times times = times(block.effort());
        return SimulatorScene.open(
                HttpSimulator.builder()
                        .delay(new Delay.Constant(DELAY))
                        .plainUntilBegun(true)
                        .close(times.windows, ways(block).toArray(Closing[]::new)),
                block,
                times.lasting,
                tls);
    }

    /** The ways of closing in a block, in order. */
    private List<Closing> ways(Block block) {
        return block.effort() == Effort.QUICK ? ways : List.of(ways.get((block.round() - 1) % ways.size()));
    }

    @Override
    public BlockResult run(Block block, Cue cue) throws Exception {
        Times times = times(block.effort());
        Segments segments = new Segments(times.windows, ways(block));
        OpenLoad load = OpenLoad.at(Arrivals.constant(RATE))
                .lasting(times.lasting)
                .warmUp(times.warmUp)
                .watch(PROGRESS_INTERVAL, cue::progress);
        try (Client client = SimulatorScene.client(block, cue.parameters())) {
            HttpRehearsal.of(client, block.seed(), tls ? IN_FLIGHT : HttpRehearsal.CALLERS);
            cue.ready();
            WatchedClient watched = new WatchedClient(client, segments, Ticker.SYSTEM, Ticker.SYSTEM.nanos());
            return with(load.run(watched, new PaymentXml(block.seed()), Reply::isApproved), segments.metrics());
        }
    }

    private static BlockResult with(LoadResult load, Map<String, Double> more) {
        BlockResult result = BlockResult.of(load);
        Map<String, Double> metrics = new LinkedHashMap<>(result.metrics());
        metrics.putAll(more);
        return new BlockResult(metrics, result.percentiles(), result.timeLine(), result.whyInvalid());
    }
}
