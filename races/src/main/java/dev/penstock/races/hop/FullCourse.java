package dev.penstock.races.hop;

import dev.penstock.lab.race.Block;
import dev.penstock.lab.race.BlockResult;
import dev.penstock.lab.race.Effort;
import dev.penstock.races.GoalRule;
import dev.penstock.races.LoadTimes;
import java.time.Duration;

/** At full speed (closed model): the cost of a request. */
final class FullCourse extends HopCourse {
    private final boolean secure;

    /** @param secure whether clients use TLS and API keys */
    FullCourse(boolean secure) {
        super(
                secure ? "secure" : "full",
                secure ? HopContestants.SECURE : HopContestants.ALL,
                "per_cpu_second tps",
                "tps per_cpu_second child_cpu_us_per_tx of_core p50_ms p99_ms child_rss_peak_mb errors");
        lasts(LoadTimes.ofMillis(0, 10_000), LoadTimes.ofMillis(0, 3_000), Duration.ZERO);
        this.secure = secure;
        goals(GoalRule.times("per_cpu_second", HopContestants.HAPROXY, 0.35));
        if (!secure) {
            goals(GoalRule.times("per_cpu_second", HopContestants.SPRING, 2));
        }
    }

    @Override
    String load(Effort effort) {
        return "wrk, " + HopTraffic.CONNECTIONS + " connections" + (secure ? " by TLS with API keys" : "")
                + ", at full speed for " + times(effort).measured().toSeconds() + " s";
    }

    @Override
    BlockResult run(Relay relay, Block block) throws Exception {
        return BlockResult.of(relay.fullFor(times(block.effort()).measured()));
    }
}
