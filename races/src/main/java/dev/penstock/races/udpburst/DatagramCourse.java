package dev.penstock.races.udpburst;

import dev.penstock.lab.race.Block;
import dev.penstock.lab.race.BlockResult;
import dev.penstock.lab.race.Course;
import dev.penstock.lab.race.Cue;
import dev.penstock.lab.race.Effort;
import dev.penstock.lab.race.Entry;
import dev.penstock.lab.race.Scene;
import dev.penstock.lab.report.Contestant;
import dev.penstock.lab.report.Goal;
import dev.penstock.races.machine.Cores;
import dev.penstock.races.udpburst.BurstSender.BurstOutcome;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The common part of all courses: the server in its own process, the sender in this one, and which contestants can run
 * here.
 */
abstract sealed class DatagramCourse implements Course
        permits BurstCourse, SustainedCourse, SteadyCourse, SmallBufferCourse {
    private static final Duration WARM_UP = Duration.ofSeconds(2);
    private static final Duration QUICK_WARM_UP = Duration.ofMillis(500);

    DatagramCourse() {}

    /** The load in one line. */
    abstract String load(Effort effort);

    /** The contestants, whether or not they can run here. */
    abstract Stream<UdpBurstContestants> contestants();

    /** The receive buffer of a contestant. */
    abstract long buffer(UdpBurstContestants contestant);

    /** Runs against a warmed-up server. */
    abstract BlockResult run(ServerAndSender pair, Effort effort) throws IOException, InterruptedException;

    @Override
    public final String workload(Effort effort) {
        return load(effort)
                + ", datagrams of 1,024 bytes over loopback; the server finds, replaces and answers; sender"
                + " and server share two cores: " + Cores.here().describe()
                + RaisedBuffers.whyNot(UdpBurstContestants.BUFFER)
                        .map(why -> "; " + why)
                        .orElse("")
                + UdpBurstContestants.skipped(contestants());
    }

    @Override
    public final List<Entry> entries() {
        return UdpBurstContestants.entries(contestants());
    }

    /** Each block has its own warm-up. */
    @Override
    public final boolean rehearses() {
        return false;
    }

    @Override
    public final Scene open(Block block) throws Exception {
        return UdpBurstContestants.named(block.entry()).needsRaisedLimit() ? new Raised() : Scene.EMPTY;
    }

    @Override
    public final BlockResult run(Block block, Cue cue) throws Exception {
        UdpBurstContestants contestant = UdpBurstContestants.named(block.entry());
        cue.ready();
        Duration warmUp = block.effort() == Effort.FULL ? WARM_UP : QUICK_WARM_UP;
        try (ServerAndSender pair = ServerAndSender.of(contestant, buffer(contestant), warmUp)) {
            return run(pair, block.effort());
        }
    }

    /** The metrics, valid only if the sender sent as requested. */
    static BlockResult result(Map<String, Double> metrics, BurstOutcome outcome) {
        return new BlockResult(metrics, Map.of(), null, outcome.whyInvalid());
    }

    @Override
    public final List<Goal> goals(List<Contestant> contestants) {
        return UdpBurstGoals.of(this, contestants);
    }

    /** Raises the system's limit on receive buffers for the duration of the block. */
    private static final class Raised implements Scene {
        private final RaisedBuffers buffers;

        Raised() throws IOException {
            buffers = RaisedBuffers.to(UdpBurstContestants.BUFFER);
        }

        @Override
        public void close() throws IOException {
            buffers.close();
        }
    }
}
