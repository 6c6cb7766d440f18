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
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * What a client costs when nothing else is in its way: 64 callers, a gateway that answers at once and closes nothing. Over
 * TLS blocks are shorter, and fewer run: see {@link HttpPoolContestants#entriesOverTls()}.
 */
final class SpeedCourse implements Course {
    private static final int CALLERS = 64;
    private static final Duration TELL_EVERY = Duration.ofSeconds(1);
    /** A JVM to start, a client to make and to rehearse. */
    private static final Duration AROUND = Duration.ofSeconds(2);

    private final String name;
    private final boolean tls;
    private final Times full;
    private final Times quick;

    /**
     * How long all of it takes.
     *
     * @param warmUp not measured
     * @param lasting from the start of the load to its end, the warm-up included
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
        return CALLERS + " callers post payments of 2 KB" + (tls ? " over TLS" : "")
                + " one after another, answered at once; nothing is closed";
    }

    /** All but ours without retries: with nothing to repeat it is the same twice. */
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
     * The lateness of the load makes no block invalid here. Callers that wait for an answer before they send again have no
     * plan that they could miss: one that starts late waits for the CPU that all of them are there to use up, and so waits
     * the longer the more the client takes of it.
     */
    private static BlockResult result(LoadResult load) {
        BlockResult all = BlockResult.of(load);
        boolean believed = load.counts().right() > 0;
        return new BlockResult(
                all.metrics(), all.percentiles(), all.timeLine(), believed ? null : "no payment was answered in time");
    }

    /**
     * One payment is made before the start and sent again and again under new ids: making payments is the load's own work,
     * and here it would be a large part of all that is measured.
     */
    @Override
    public BlockResult run(Block block, Cue cue) throws Exception {
        String xml = new PaymentXml(block.seed()).apply(0).xml();
        Times times = times(block.effort());
        ClosedLoad load = ClosedLoad.of(CALLERS, Duration.ZERO)
                .lasting(times.lasting)
                .warmUp(times.warmUp)
                .watch(TELL_EVERY, cue::progress);
        try (Client client = SimulatorScene.client(block, cue.parameters())) {
            HttpRehearsal.of(client, block.seed(), tls ? CALLERS : HttpRehearsal.CALLERS);
            cue.ready();
            return result(load.run(client, number -> new Payment(Long.toString(number), xml), Reply::isApproved));
        }
    }
}
