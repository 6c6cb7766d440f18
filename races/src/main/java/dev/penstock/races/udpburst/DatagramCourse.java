package dev.penstock.races.udpburst;

import dev.penstock.lab.race.Block;
import dev.penstock.lab.race.BlockResult;
import dev.penstock.lab.race.Cue;
import dev.penstock.lab.race.Effort;
import dev.penstock.lab.race.Scene;
import dev.penstock.races.PlannedCourse;
import dev.penstock.races.machine.Cores;
import dev.penstock.races.udpburst.BurstSender.BurstOutcome;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The common part of all courses: the server in its own process, the sender in this one, and which contestants can
 * run here.
 */
abstract sealed class DatagramCourse extends PlannedCourse permits BurstCourse, SustainedCourse, SteadyCourse {
    private static final Duration WARM_UP = Duration.ofSeconds(2);
    private static final Duration QUICK_WARM_UP = Duration.ofMillis(500);

    private final List<String> contestants;

    DatagramCourse(String name, List<String> contestants, String judged, String shown) {
        super(name, UdpBurstContestants.ALL.only(contestants), judged, shown);
        this.contestants = contestants;
    }

    /** The load in one line. */
    abstract String load(Effort effort);

    /** The receive buffer of a contestant. */
    abstract long buffer(String contestant);

    /** Runs against a warmed-up server. */
    abstract BlockResult run(ServerAndSender pair, Effort effort) throws IOException, InterruptedException;

    /** Penstock's default, and the same buffer for all others. */
    static long usualBuffer(String contestant) {
        return UdpBurstContestants.isOurs(contestant)
                ? UdpBurstContestants.OWN_CHOICE
                : UdpBurstContestants.ALL.named(contestant).buffer();
    }

    @Override
    public final String workload(Effort effort) {
        return load(effort)
                + ", datagrams of 1,024 bytes over loopback; the server finds, replaces and answers; sender"
                + " and server share two cores: " + Cores.here().describe()
                + RaisedBuffers.whyNot(UdpBurstContestants.BUFFER)
                        .map(why -> "; " + why)
                        .orElse("")
                + UdpBurstContestants.ALL.skipped(contestants);
    }

    @Override
    public final Scene open(Block block) throws IOException {
        if (!UdpBurstContestants.ALL.named(block.entry()).needsRaisedLimit()) {
            return Scene.EMPTY;
        }
        RaisedBuffers raised = RaisedBuffers.to(UdpBurstContestants.BUFFER);
        return new Scene() {
            @Override
            public void close() throws IOException {
                raised.close();
            }
        };
    }

    @Override
    public final BlockResult run(Block block, Cue cue) throws Exception {
        cue.ready();
        Duration warmUp = block.effort() == Effort.FULL ? WARM_UP : QUICK_WARM_UP;
        try (ServerAndSender pair = ServerAndSender.of(block.entry(), buffer(block.entry()), warmUp)) {
            return run(pair, block.effort());
        }
    }

    /** The metrics, valid only if the sender sent as requested. */
    static BlockResult result(Map<String, Double> metrics, BurstOutcome outcome) {
        return new BlockResult(metrics, Map.of(), null, outcome.whyInvalid());
    }
}
