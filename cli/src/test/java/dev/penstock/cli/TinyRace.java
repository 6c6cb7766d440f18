package dev.penstock.cli;

import dev.penstock.lab.race.Block;
import dev.penstock.lab.race.BlockResult;
import dev.penstock.lab.race.Course;
import dev.penstock.lab.race.Cue;
import dev.penstock.lab.race.Effort;
import dev.penstock.lab.race.Entry;
import dev.penstock.lab.race.Race;
import dev.penstock.lab.race.Scene;
import dev.penstock.lab.report.Contestant.Role;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A race that takes no time, for the tests of the command. */
public final class TinyRace implements Race, Course {
    @Override
    public String name() {
        return "tiny";
    }

    @Override
    public String question() {
        return "is ours twice as fast?";
    }

    @Override
    public List<Course> courses() {
        return List.of(this);
    }

    @Override
    public String workload(Effort effort) {
        return "nothing <at all>";
    }

    @Override
    public List<Entry> entries() {
        return List.of(
                Entry.inside("ours", Role.OURS, Map.of("limit", "auto")),
                Entry.inside("peer", Role.PEER, Map.of()),
                Entry.inside("broken", Role.PEER, Map.of()));
    }

    @Override
    public List<String> judged() {
        return List.of("p50_ms");
    }

    @Override
    public List<String> shown() {
        return List.of("p50_ms");
    }

    @Override
    public Duration blockTime(Effort effort) {
        return Duration.ofMillis(1);
    }

    @Override
    public Scene open(Block block) {
        return Scene.EMPTY;
    }

    @Override
    public BlockResult run(Block block, Cue cue) {
        if (block.entry().equals("broken")) {
            throw new IllegalStateException("it broke");
        }
        return BlockResult.of(Map.of("p50_ms", block.entry().equals("ours") ? 5.0 : 10.0));
    }
}
