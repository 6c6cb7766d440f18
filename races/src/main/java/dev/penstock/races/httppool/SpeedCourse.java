package dev.penstock.races.httppool;

import dev.penstock.lab.load.ClosedLoad;
import dev.penstock.lab.load.PaymentXml;
import dev.penstock.lab.load.PaymentXml.Payment;
import dev.penstock.lab.measure.LoadResult;
import dev.penstock.lab.race.Block;
import dev.penstock.lab.race.BlockResult;
import dev.penstock.lab.race.Cue;
import dev.penstock.lab.race.Effort;
import dev.penstock.lab.race.Scene;
import dev.penstock.lab.simulate.HttpSimulator;
import dev.penstock.races.Callers;
import dev.penstock.races.LoadTimes;
import dev.penstock.races.httppool.Client.Reply;
import java.io.IOException;
import java.time.Duration;

/**
 * The cost of a client without faults: 64 callers, a gateway that answers immediately and closes nothing. Over TLS
 * blocks are shorter, with fewer contestants: see {@link HttpPoolContestants#overTls()}.
 */
final class SpeedCourse extends HttpCourse {
    private static final int CALLERS = 64;
    /** Time to start a JVM, and create and rehearse a client. */
    private static final Duration AROUND = Duration.ofSeconds(2);

    /** All except ours without retries, which would be the same twice because nothing fails. */
    private SpeedCourse(String name, boolean tls, LoadTimes full, LoadTimes quick) {
        super(
                name,
                tls,
                (tls ? HttpPoolContestants.overTls() : HttpPoolContestants.ALL.entries())
                        .stream()
                                .filter(entry -> !entry.name().equals(HttpPoolContestants.NO_KEY))
                                .toList(),
                "tps cpu_us_per_tx p99_ms alloc_kb_per_tx",
                "tps p50_ms p99_ms cpu_us_per_tx alloc_kb_per_tx heap_peak_mb gc_pauses connections_opened errors");
        lasts(full, quick, AROUND);
    }

    static SpeedCourse plain() {
        return new SpeedCourse("speed", false, LoadTimes.ofMillis(3_000, 6_000), LoadTimes.ofMillis(1_500, 3_000));
    }

    static SpeedCourse overTls() {
        return new SpeedCourse("speed-tls", true, LoadTimes.ofMillis(1_500, 2_000), LoadTimes.ofMillis(1_000, 1_000));
    }

    @Override
    public String workload(Effort effort) {
        return CALLERS + " callers (closed model) post payments of 2 KB" + (isTls() ? " over TLS" : "")
                + ", answered immediately; no connection is closed";
    }

    @Override
    public Scene open(Block block) throws IOException {
        return SimulatorScene.open(
                HttpSimulator.builder(), times(block.effort()).lasting(), isTls());
    }

    /**
     * One payment is created before the start and sent repeatedly under new ids, because creating payments is the
     * load's own work, and would be a large part of the measurement here.
     *
     * <p>Lag of the load does not make a block invalid here. Callers in a closed model have no schedule to miss: a late
     * one waits for CPU, of which the client under test uses most.
     */
    @Override
    public BlockResult run(Block block, Cue cue) throws Exception {
        String xml = new PaymentXml(block.seed()).apply(0).xml();
        LoadTimes times = times(block.effort());
        ClosedLoad load = ClosedLoad.of(CALLERS, Duration.ZERO)
                .lasting(times.lasting())
                .warmUp(times.warmUp())
                .watch(Callers.PROGRESS_INTERVAL, cue::progress);
        try (Client client = client(block, cue.parameters())) {
            rehearse(client, block.seed(), CALLERS);
            cue.ready();
            LoadResult result = load.run(client, number -> new Payment(Long.toString(number), xml), Reply::isApproved);
            BlockResult all = BlockResult.of(result);
            String invalid = result.counts().right() > 0 ? null : "no payment was answered correctly";
            return new BlockResult(all.metrics(), all.percentiles(), all.timeLine(), invalid);
        }
    }
}
