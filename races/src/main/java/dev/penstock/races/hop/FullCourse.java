package dev.penstock.races.hop;

import dev.penstock.lab.race.Block;
import dev.penstock.lab.race.BlockResult;
import dev.penstock.lab.race.Effort;
import java.util.List;

/** At full speed (closed model): the cost of a request. */
final class FullCourse extends HopCourse {
    @Override
    public String name() {
        return "full";
    }

    @Override
    String load(Effort effort) {
        return "wrk, " + HopTraffic.CONNECTIONS + " connections, at full speed for "
                + measured(effort).toSeconds() + " s";
    }

    @Override
    public List<String> judged() {
        return List.of("per_cpu_second", "tps");
    }

    @Override
    public List<String> shown() {
        return List.of(
                "tps",
                "per_cpu_second",
                "child_cpu_us_per_tx",
                "of_core",
                "p50_ms",
                "p99_ms",
                "child_rss_peak_mb",
                "errors");
    }

    @Override
    BlockResult run(Relay relay, Block block) throws Exception {
        return BlockResult.of(relay.fullFor(measured(block.effort())));
    }
}
