package dev.penstock.races.httppool;

import dev.penstock.lab.load.Arrivals;
import dev.penstock.lab.load.OpenLoad;
import dev.penstock.lab.load.PaymentXml;
import dev.penstock.lab.race.Block;
import dev.penstock.lab.race.BlockResult;
import dev.penstock.lab.race.Cue;
import dev.penstock.lab.race.Effort;
import dev.penstock.lab.race.Scene;
import dev.penstock.lab.simulate.Closing;
import dev.penstock.lab.simulate.Delay;
import dev.penstock.lab.simulate.FaultSchedule;
import dev.penstock.lab.simulate.HttpSimulator;
import dev.penstock.races.Callers;
import dev.penstock.races.LoadTimes;
import dev.penstock.races.httppool.Client.Reply;
import dev.penstock.text.Durations;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

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
 * <p>Over TLS everything is shorter, with fewer contestants: see {@link HttpPoolContestants#overTls()}.
 */
final class ClosingsCourse extends HttpCourse {
    private static final List<Closing> OF_CONNECTIONS = List.of(Closing.HEADER, Closing.FIN, Closing.RST);
    private static final String JUDGED = "stale_used p99_ms p50_ms cpu_us_per_tx heap_peak_mb tps";
    private static final String SHOWN =
            "stale_used errors_header errors_fin errors_rst duplicates tps p50_ms p99_ms max_ms"
                    + " cpu_us_per_tx heap_peak_mb connections_opened";
    private static final int RATE = 200;
    private static final Duration DELAY = Duration.ofSeconds(1);
    private static final int IN_FLIGHT = (int) (RATE * DELAY.toSeconds());

    /** Time to start a JVM, create and rehearse a client, and wait for the last answers. */
    private static final Duration AROUND = Duration.ofMillis(2_500);

    private final List<Closing> ways;
    private final FaultSchedule full;
    private final FaultSchedule quick;

    /** The windows begin after the warm-up. */
    private ClosingsCourse(
            String name,
            boolean tls,
            List<Closing> ways,
            FaultSchedule full,
            FaultSchedule quick,
            String judged,
            String shown) {
        super(name, tls, tls ? HttpPoolContestants.overTls() : HttpPoolContestants.ALL.entries(), judged, shown);
        this.ways = ways;
        this.full = full;
        this.quick = quick;
        // By default, G1 sizes the young generation from its first pauses, from 20 to 230 MB, and the heap peak of the
        // same client varies by a factor of two. With this limit, the peak shows what the client retains.
        jvmOptions("-XX:MaxNewSize=32m");
    }

    /** Connections are closed while idle: no payment needs to be lost. */
    static ClosingsCourse ofConnections() {
        ClosingsCourse course = new ClosingsCourse(
                "closings", false, OF_CONNECTIONS, windows(10_000, 1_000), windows(3_000, 300), JUDGED, SHOWN);
        course.lasts(LoadTimes.ofMillis(5_000, 10_000), LoadTimes.ofMillis(2_000, 9_000), AROUND);
        return course;
    }

    /** The same over TLS 1.3, where connections are more expensive to open and to validate. */
    static ClosingsCourse overTls() {
        ClosingsCourse course = new ClosingsCourse(
                "closings-tls",
                true,
                OF_CONNECTIONS,
                windows(2_000, 500),
                windows(1_500, 300),
                JUDGED,
                SHOWN + " resumed");
        course.lasts(LoadTimes.ofMillis(1_500, 2_500), LoadTimes.ofMillis(1_200, 4_600), AROUND);
        return course;
    }

    /** Requests are cut off in the middle: they have taken effect, and only a retry gets an answer. */
    static ClosingsCourse inTheMiddle() {
        ClosingsCourse course = new ClosingsCourse(
                "cuts",
                false,
                List.of(Closing.CUT),
                windows(5_000, 1_000),
                windows(3_000, 300),
                "errors p50_ms cpu_us_per_tx",
                "errors unknown rejected cut duplicates tps p50_ms p99_ms max_ms cpu_us_per_tx");
        course.lasts(LoadTimes.ofMillis(3_000, 6_000), LoadTimes.ofMillis(2_000, 3_500), AROUND);
        return course;
    }

    private static FaultSchedule windows(int everyMillis, int openMillis) {
        return new FaultSchedule(Duration.ofMillis(everyMillis), Duration.ofMillis(openMillis));
    }

    private FaultSchedule windows(Effort effort) {
        return effort == Effort.FULL ? full : quick;
    }

    @Override
    public String workload(Effort effort) {
        String by = ways.stream().map(Closing::word).collect(Collectors.joining(", "));
        String turns = ways.size() == 1 ? "" : effort == Effort.FULL ? ", another way each round" : ", in rotation";
        return "%d payments/s of 2 KB%s for %s, each answered after %s; connections are closed %s, by %s%s"
                .formatted(
                        RATE,
                        isTls() ? " over TLS" : "",
                        Durations.format(times(effort).lasting()),
                        Durations.format(DELAY),
                        windows(effort),
                        by,
                        turns);
    }

    @Override
    public Scene open(Block block) throws IOException {
        return SimulatorScene.open(
                HttpSimulator.builder()
                        .delay(new Delay.Constant(DELAY))
                        .plainUntilBegun(true)
                        .close(windows(block.effort()), ways(block).toArray(Closing[]::new)),
                times(block.effort()).lasting(),
                isTls());
    }

    /** The ways of closing in a block, in order. */
    private List<Closing> ways(Block block) {
        return block.effort() == Effort.QUICK ? ways : List.of(ways.get((block.round() - 1) % ways.size()));
    }

    @Override
    public BlockResult run(Block block, Cue cue) throws Exception {
        LoadTimes times = times(block.effort());
        Segments segments = new Segments(windows(block.effort()), ways(block), times.warmUp());
        OpenLoad load = OpenLoad.at(Arrivals.constant(RATE))
                .lasting(times.lasting())
                .warmUp(times.warmUp())
                .listen(segments)
                .watch(Callers.PROGRESS_INTERVAL, cue::progress);
        try (Client client = client(block, cue.parameters())) {
            rehearse(client, block.seed(), IN_FLIGHT);
            cue.ready();
            BlockResult result = BlockResult.of(load.run(client, new PaymentXml(block.seed()), Reply::isApproved));
            Map<String, Double> metrics = new LinkedHashMap<>(result.metrics());
            metrics.putAll(segments.metrics());
            return new BlockResult(metrics, result.percentiles(), result.timeLine(), result.whyInvalid());
        }
    }
}
