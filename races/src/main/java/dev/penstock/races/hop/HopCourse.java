package dev.penstock.races.hop;

import dev.penstock.lab.race.Block;
import dev.penstock.lab.race.BlockResult;
import dev.penstock.lab.race.Cue;
import dev.penstock.lab.race.Effort;
import dev.penstock.races.ContestantList;
import dev.penstock.races.GoalRule;
import dev.penstock.races.PlannedCourse;
import dev.penstock.races.hop.HopContestants.HopProcess;
import dev.penstock.races.machine.Cores;
import java.io.IOException;
import java.time.Duration;

/** The common part of both courses: an origin, a hop, and which contestants can run here. */
abstract sealed class HopCourse extends PlannedCourse permits FullCourse, HalfCourse {
    private static final int WARM_UP_STEPS = 50;
    private static final int QUICK_WARM_UP_STEPS = 15;
    private static final long MIN_REQUESTS = 300_000;
    private static final long QUICK_MIN_REQUESTS = 100_000;
    private static final double MAX_RSS_MB = 250;

    private final ContestantList<HopProcess> contestants;

    HopCourse(String name, ContestantList<HopProcess> contestants, String judged, String shown) {
        super(name, contestants.entries(), judged, shown);
        this.contestants = contestants;
        goals(GoalRule.none("errors"), GoalRule.most("child_rss_peak_mb", MAX_RSS_MB));
    }

    /** The load in one line. */
    abstract String load(Effort effort);

    /** Runs against a warmed-up hop. */
    abstract BlockResult run(Relay relay, Block block) throws Exception;

    static void warmUp(Relay relay, Effort effort) throws IOException, InterruptedException {
        if (effort == Effort.FULL) {
            relay.warmUp(WARM_UP_STEPS, MIN_REQUESTS);
        } else {
            relay.warmUp(QUICK_WARM_UP_STEPS, QUICK_MIN_REQUESTS);
        }
    }

    @Override
    public final String workload(Effort effort) {
        Cores cores = Cores.here();
        return load(effort) + ", through one hop to an nginx that answers 1,024 bytes, over loopback; "
                + (cores.arePinned()
                        ? "the hop has its own core, the load generator and nginx share the other (taskset)"
                        : "the system schedules processes on any core (no taskset, on Debian: apt-get install util-linux;"
                                + " or one core)")
                + contestants.skipped(contestants.names());
    }

    @Override
    public final BlockResult run(Block block, Cue cue) throws Exception {
        cue.ready();
        try (Relay relay = Relay.start(block.entry(), contestants.named(block.entry()), Cores.here())) {
            warmUp(relay, block.effort());
            return run(relay, block);
        }
    }

    /** Includes the warm-up. */
    @Override
    public final Duration blockTime(Effort effort) {
        return times(effort).lasting().plusSeconds(effort == Effort.FULL ? 70 : 30);
    }
}
