package dev.penstock.races.httppool;

import dev.penstock.Durations;
import dev.penstock.Ticker;
import dev.penstock.lab.load.Arrivals;
import dev.penstock.lab.load.OpenLoad;
import dev.penstock.lab.load.PaymentXml;
import dev.penstock.lab.measure.LoadResult;
import dev.penstock.lab.measure.TimeLine;
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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The origin's test: 200 payments a second, whatever happens, to a gateway that takes 1 s for each and closes connections
 * again and again, in one of four ways. The load goes on after the last window until its effects are over.
 *
 * <p>A full block has two windows, and rounds take turns: header and fin in odd ones, rst and cut in even ones. All
 * contestants of a round meet the same, so ratios round by round are fair, and a race takes half the time. A quick block has
 * all four, closer together.
 */
final class ClosingsCourse implements Course {
    private static final int RATE = 200;
    private static final Duration DELAY = Duration.ofSeconds(1);
    private static final List<Closing> WAYS = List.of(Closing.HEADER, Closing.FIN, Closing.RST, Closing.CUT);
    private static final int WAYS_A_BLOCK = 2;
    private static final Duration TELL_EVERY = Duration.ofSeconds(1);
    /** A JVM to start, a client to make and to rehearse, the last answers to wait for. */
    private static final Duration AROUND = Duration.ofSeconds(5);

    /**
     * How long all of it takes.
     *
     * @param windows when connections are closed
     * @param warmUp not measured; over before the first window
     * @param lasting from the start of the load to its end, the warm-up included
     */
    private record Times(FaultSchedule windows, Duration warmUp, Duration lasting) {
        static Times of(Effort effort) {
            return effort == Effort.FULL
                    ? new Times(windows(10_000, 1_000), Duration.ofSeconds(5), Duration.ofSeconds(26))
                    : new Times(windows(3_000, 300), Duration.ofSeconds(2), Duration.ofSeconds(14));
        }

        private static FaultSchedule windows(int everyMillis, int lastingMillis) {
            return new FaultSchedule(Duration.ofMillis(everyMillis), Duration.ofMillis(lastingMillis));
        }
    }

    @Override
    public String name() {
        return "closings";
    }

    @Override
    public String workload(Effort effort) {
        Times times = Times.of(effort);
        String turns = effort == Effort.FULL ? ", header and fin in odd rounds, rst and cut in even ones" : "";
        return "%d payments/s of 2 KB for %s, each answered after %s; connections are closed %s, by header, fin, rst and cut in turn%s"
                .formatted(RATE, Durations.words(times.lasting), Durations.words(DELAY), times.windows, turns);
    }

    @Override
    public List<Entry> entries() {
        return Contestants.entries();
    }

    @Override
    public List<String> judged() {
        return List.of("stale_used", "p99_ms", "p50_ms", "cpu_us_per_tx", "heap_peak_mb", "tps");
    }

    @Override
    public List<String> shown() {
        return List.of(
                "stale_used",
                "errors_header",
                "errors_fin",
                "errors_rst",
                "errors_cut",
                "cut",
                "duplicates",
                "duplicates_uncut",
                "tps",
                "p50_ms",
                "p99_ms",
                "max_ms",
                "cpu_us_per_tx",
                "heap_peak_mb",
                "connections_opened");
    }

    @Override
    public Duration blockTime(Effort effort) {
        return Times.of(effort).lasting.plus(AROUND);
    }

    @Override
    public Scene open(Block block) throws IOException {
        Times times = Times.of(block.effort());
        return SimulatorScene.open(
                HttpSimulator.builder()
                        .delay(new Delay.Constant(DELAY))
                        .plainUntilBegun(true)
                        .close(times.windows, ways(block).toArray(Closing[]::new)),
                Contestants.named(block.entry()),
                faults(times, ways(block)));
    }

    /** In which ways connections are closed in a block, one after another. */
    static List<Closing> ways(Block block) {
        if (block.effort() == Effort.QUICK) {
            return WAYS;
        }
        int first = (block.round() - 1) * WAYS_A_BLOCK % WAYS.size();
        return WAYS.subList(first, first + WAYS_A_BLOCK);
    }

    private static List<TimeLine.Fault> faults(Times times, List<Closing> ways) {
        List<TimeLine.Fault> faults = new ArrayList<>();
        double every = seconds(times.windows.every());
        double lasting = seconds(times.windows.lasting());
        for (int window = 1; window * every < seconds(times.lasting); window++) {
            Closing way = ways.get((window - 1) % ways.size());
            faults.add(new TimeLine.Fault(way.word(), window * every, window * every + lasting));
        }
        return faults;
    }

    private static double seconds(Duration time) {
        return time.toMillis() / 1e3;
    }

    @Override
    public BlockResult run(Block block, Cue cue) throws Exception {
        Times times = Times.of(block.effort());
        Segments segments = new Segments(times.windows, ways(block));
        OpenLoad load = OpenLoad.at(Arrivals.constant(RATE))
                .lasting(times.lasting)
                .warmUp(times.warmUp)
                .watch(TELL_EVERY, cue::progress);
        try (Client client = Contestants.named(block.entry()).client(SimulatorScene.url(cue.parameters()))) {
            Rehearsal.of(client, block.seed());
            cue.ready();
            Watched watched = new Watched(client, segments, Ticker.SYSTEM, Ticker.SYSTEM.nanos());
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
