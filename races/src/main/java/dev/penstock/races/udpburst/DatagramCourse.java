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
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** What all courses have in common: a server in its process, the sender in this one, and who can run here. */
abstract sealed class DatagramCourse implements Course
        permits BurstCourse, SustainedCourse, SteadyCourse, SmallBufferCourse {
    private static final Duration WARM_UP = Duration.ofSeconds(2);
    private static final Duration QUICK_WARM_UP = Duration.ofMillis(500);

    DatagramCourse() {}

    /** What is sent, in one line for people. */
    abstract String load(Effort effort);

    /** Who would run if they could. */
    abstract Stream<UdpBurstContestants> contestants();

    /** The receive buffer of one. */
    abstract long buffer(UdpBurstContestants contestant);

    /** Runs against a server that is warm. */
    abstract BlockResult run(ServerAndSender duel, Effort effort) throws IOException, InterruptedException;

    @Override
    public final String workload(Effort effort) {
        return load(effort)
                + ", datagrams of 1,024 bytes over loopback, find and replace, answer; sender and server share two"
                + " cores: " + Cores.here().describe()
                + RaisedBuffers.whyNot(UdpBurstContestants.BUFFER)
                        .map(why -> "; " + why)
                        .orElse("")
                + UdpBurstContestants.skipped(contestants());
    }

    @Override
    public final List<Entry> entries() {
        return UdpBurstContestants.entries(contestants());
    }

    /** Each block has a warm-up of its own. */
    @Override
    public final boolean rehearses() {
        return false;
    }

    @Override
    public final Scene open(Block block) throws Exception {
        return UdpBurstContestants.named(block.entry()).asksTheSystem() ? new Raised() : Scene.EMPTY;
    }

    @Override
    public final BlockResult run(Block block, Cue cue) throws Exception {
        UdpBurstContestants contestant = UdpBurstContestants.named(block.entry());
        cue.ready();
        Duration warmUp = block.effort() == Effort.FULL ? WARM_UP : QUICK_WARM_UP;
        try (ServerAndSender duel = ServerAndSender.of(contestant, buffer(contestant), warmUp)) {
            return run(duel, block.effort());
        }
    }

    /** Figures that may be believed if the sender did what it was asked. */
    static BlockResult result(Map<String, Double> metrics, BurstOutcome shot) {
        return new BlockResult(metrics, Map.of(), null, shot.whyInvalid());
    }

    @Override
    public final List<Goal> goals(List<Contestant> contestants) {
        return UdpBurstGoals.of(this, contestants);
    }

    /** The system's bound on buffers is up while the block runs. */
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
