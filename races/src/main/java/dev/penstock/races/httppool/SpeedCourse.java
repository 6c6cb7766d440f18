package dev.penstock.races.httppool;

import dev.penstock.lab.load.ClosedLoad;
import dev.penstock.lab.load.PaymentXml;
import dev.penstock.lab.load.PaymentXml.Payment;
import dev.penstock.lab.measure.LoadResult;
import dev.penstock.lab.race.Block;
import dev.penstock.lab.race.BlockResult;
import dev.penstock.lab.race.Course;
import dev.penstock.lab.race.Cue;
import dev.penstock.lab.race.Effort;
import dev.penstock.lab.race.Entry;
import dev.penstock.lab.race.Scene;
import dev.penstock.lab.simulate.HttpSimulator;
import dev.penstock.races.httppool.Client.Reply;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * The cost of a client without faults: 64 callers, a gateway that answers immediately and closes nothing. Over TLS
 * blocks are shorter, with fewer contestants: see {@link HttpPoolContestants#entriesOverTls()}.
 */
final class SpeedCourse implements Course {
    private static final int CALLERS = 64;
    private static final Duration PROGRESS_INTERVAL = Duration.ofSeconds(1);
    /** Time to start a JVM, and create and rehearse a client. */
    private static final Duration AROUND = Duration.ofSeconds(2);

    private final String name;
    private final boolean tls;
    private final Times full;
    private final Times quick;

    /**
     * The durations of a block.
     *
     * @param warmUp not measured
     * @param lasting from start to end of the load, including the warm-up
     */
    private record Times(Duration warmUp, Duration lasting) {
        static Times of(int warmUpMillis, int measuredMillis) {
            return new Times(Duration.ofMillis(warmUpMillis), Duration.ofMillis(warmUpMillis + measuredMillis));
        }
    }

    private SpeedCourse(String name, boolean tls, Times full, Times quick) {
        this.name = name;
        this.tls = tls;
        this.full = full;
        this.quick = quick;
    }

    static SpeedCourse plain() {
        return new SpeedCourse("speed", false, Times.of(3_000, 6_000), Times.of(1_500, 3_000));
    }

    static SpeedCourse overTls() {
        return new SpeedCourse("speed-tls", true, Times.of(1_500, 2_000), Times.of(1_000, 1_000));
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
        return CALLERS + " callers (closed model) post payments of 2 KB" + (tls ? " over TLS" : "")
                + ", answered immediately; no connection is closed";
    }

    /** All except ours without retries, which would be the same twice because nothing fails. */
    @Override
    public List<Entry> entries() {
        List<Entry> all = tls ? HttpPoolContestants.entriesOverTls() : HttpPoolContestants.entries();
        return all.stream()
                .filter(entry -> !entry.equals(HttpPoolContestants.PENSTOCK_NO_KEY.entry()))
                .toList();
    }

    @Override
    public List<String> judged() {
        return List.of("tps", "cpu_us_per_tx", "p99_ms", "alloc_kb_per_tx");
    }

    @Override
    public List<String> shown() {
        return List.of(
                "tps",
                "p50_ms",
                "p99_ms",
                "cpu_us_per_tx",
                "alloc_kb_per_tx",
                "heap_peak_mb",
                "gc_pauses",
                "connections_opened",
                "errors");
    }

    @Override
    public Duration blockTime(Effort effort) {
        return times(effort).lasting.plus(AROUND);
    }

    @Override
    public Scene open(Block block) throws IOException {
        return SimulatorScene.open(HttpSimulator.builder(), block, times(block.effort()).lasting, tls);
    }

    /**
     * Lag of the load does not make a block invalid here. Callers in a closed model have no schedule to miss: a late
     * one waits for CPU, of which the client under test uses most.
     */
    private static BlockResult result(LoadResult load) {
        BlockResult all = BlockResult.of(load);
        boolean valid = load.counts().right() > 0;
        return new BlockResult(
                all.metrics(), all.percentiles(), all.timeLine(), valid ? null : "no payment was answered correctly");
    }

    /**
     * One payment is created before the start and sent repeatedly under new ids, because creating payments is the
     * load's own work, and would be a large part of the measurement here.
     */
    @Override
    public BlockResult run(Block block, Cue cue) throws Exception {
        String xml = new PaymentXml(block.seed()).apply(0).xml();
        Times times = times(block.effort());
        ClosedLoad load = ClosedLoad.of(CALLERS, Duration.ZERO)
                .lasting(times.lasting)
                .warmUp(times.warmUp)
                .watch(PROGRESS_INTERVAL, cue::progress);
        try (Client client = SimulatorScene.client(block, cue.parameters())) {
            HttpRehearsal.of(client, block.seed(), tls ? CALLERS : HttpRehearsal.CALLERS);
            cue.ready();
            return result(load.run(client, number -> new Payment(Long.toString(number), xml), Reply::isApproved));
        }
    }
}
