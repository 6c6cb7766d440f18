package dev.penstock.races.hop;

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
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The common part of both courses: an origin, a hop, and which contestants can run here. */
abstract sealed class HopCourse implements Course permits FullCourse, HalfCourse {
    private static final int WARM_UP_STEPS = 50;
    private static final int QUICK_WARM_UP_STEPS = 15;
    private static final long MIN_REQUESTS = 300_000;
    private static final long QUICK_MIN_REQUESTS = 100_000;

    HopCourse() {}

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

    static Duration measured(Effort effort) {
        return Duration.ofSeconds(effort == Effort.FULL ? 10 : 3);
    }

    @Override
    public final String workload(Effort effort) {
        Cores cores = Cores.here();
        return load(effort) + ", through one hop to an nginx that answers 1,024 bytes, over loopback; "
                + (cores.arePinned()
                        ? "the hop has its own core, the load generator and nginx share the other (taskset)"
                        : "the system schedules processes on any core (no taskset, on Debian: apt-get install util-linux;"
                                + " or one core)")
                + skipped();
    }

    private static String skipped() {
        Map<String, List<String>> byReason = Arrays.stream(HopContestants.values())
                .filter(contestant -> contestant.whyNot().isPresent())
                .collect(Collectors.groupingBy(
                        contestant -> contestant.whyNot().orElse(""),
                        TreeMap::new,
                        Collectors.mapping(HopContestants::title, Collectors.toList())));
        return byReason.entrySet().stream()
                .map(reason -> "; SKIPPED " + String.join(", ", reason.getValue()) + ": " + reason.getKey())
                .collect(Collectors.joining());
    }

    @Override
    public final List<Entry> entries() {
        return Stream.of(HopContestants.values())
                .filter(contestant -> contestant.whyNot().isEmpty())
                .map(HopContestants::entry)
                .toList();
    }

    /** Each block has its own warm-up. */
    @Override
    public final boolean rehearses() {
        return false;
    }

    @Override
    public final Scene open(Block block) {
        return Scene.EMPTY;
    }

    @Override
    public final BlockResult run(Block block, Cue cue) throws Exception {
        cue.ready();
        try (Relay relay = Relay.start(HopContestants.named(block.entry()), Cores.here())) {
            warmUp(relay, block.effort());
            return run(relay, block);
        }
    }

    @Override
    public Duration blockTime(Effort effort) {
        return measured(effort).plusSeconds(effort == Effort.FULL ? 70 : 30);
    }

    @Override
    public final List<Goal> goals(List<Contestant> contestants) {
        return HopGoals.of(this, contestants);
    }
}
