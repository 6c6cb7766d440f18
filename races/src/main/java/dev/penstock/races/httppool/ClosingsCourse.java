package dev.penstock.races.httppool;

import dev.penstock.Durations;
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
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The origin's test: 200 payments a second, whatever happens, to a gateway that takes 1 s for each and closes connections for
 * 1 s. The load goes on after the last window until its effects are over.
 *
 * <p>A full block has one window, and rounds take turns with the ways of closing: all contestants of a round meet the same,
 * so ratios round by round are fair. A quick block has all ways, closer together.
 *
 * <p>Cuts have a course of their own: whoever repeats what was cut answers late, whoever gives it up is early, and together
 * with the other ways the percentiles would speak for those who lose payments.
 *
 * <p>Over TLS all of it is shorter, and fewer run: see {@link HttpPoolContestants#entriesOverTls()}.
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
     * Left alone, G1 makes the young generation as large as it guesses from the first pauses, from 20 to 230 MB, and the heap
     * peak of one and the same client differs by a factor of two. Bounded, it tells what the client holds on to.
     */
    private static final List<String> YOUNG_GENERATION = List.of("-XX:MaxNewSize=32m");

    private static final Duration TELL_EVERY = Duration.ofSeconds(1);
    /** A JVM to start, a client to make and to rehearse, the last answers to wait for. */
    private static final Duration AROUND = Duration.ofMillis(2_500);

    /**
     * How long all of it takes.
     *
     * @param windows when connections are closed
     * @param warmUp not measured; over before the first window
     * @param lasting from the start of the load to its end, the warm-up included
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

    /** Connections are closed while no request is on its way over them: nobody has to lose anything. */
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

    /** The same over TLS 1.3, where a connection costs more to open and more to look at. */
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

    /** Requests are cut off in the middle: they have taken effect, and nobody gets an answer without asking again. */
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
        String turns = ways.size() == 1 ? "" : effort == Effort.FULL ? ", another way each round" : ", in turn";
        return "%d payments/s of 2 KB%s for %s, each answered after %s; connections are closed %s, by %s%s"
                .formatted(
                        RATE,
                        tls ? " over TLS" : "",
                        Durations.words(times.lasting),
                        Durations.words(DELAY),
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

    /** In which ways connections are closed in a block, one after another. */
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
                .watch(TELL_EVERY, cue::progress);
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
