package dev.penstock.races.kafkaflow;

import dev.penstock.lab.race.Block;
import dev.penstock.lab.race.BlockResult;
import dev.penstock.lab.race.Cue;
import dev.penstock.lab.race.Effort;
import dev.penstock.lab.race.Entry;
import dev.penstock.lab.report.Contestant.Role;
import dev.penstock.races.GoalRule;
import dev.penstock.races.LoadTimes;
import dev.penstock.races.PlannedCourse;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The process of the consumer and that of the broker are killed in turns. What is lost, and what takes effect twice? */
final class KillCourse extends PlannedCourse {
    private static final List<String> CONTESTANTS = List.of(
            KafkaFlowContestants.SPRING,
            KafkaFlowContestants.PARALLEL_KEY,
            KafkaFlowContestants.PENSTOCK,
            KafkaFlowContestants.PENSTOCK_SHARED);
    private static final int KILLS = 40;
    private static final int QUICK_KILLS = 2;
    /** About. */
    private static final int MILLIS_PER_KILL = 8_000;

    KillCourse() {
        super(
                "kill",
                KafkaFlowContestants.ALL.only(CONTESTANTS).stream()
                        .map(KillCourse::entry)
                        .toList(),
                "lost duplicates redelivered beyond_in_flight",
                "kills count lost duplicates redelivered beyond_in_flight");
        lasts(
                LoadTimes.ofMillis(0, KILLS * MILLIS_PER_KILL),
                LoadTimes.ofMillis(0, QUICK_KILLS * MILLIS_PER_KILL),
                Duration.ofSeconds(10));
        rounds(1);
        goals(GoalRule.none("lost", "duplicates", "beyond_in_flight"));
    }

    /** It has a process of its own, which is killed. */
    private static Entry entry(Entry entry) {
        Map<String, String> settings = new LinkedHashMap<>(entry.settings());
        if (entry.role() == Role.OURS) {
            settings.put("dedupe", "by penstock_id in a file, with a status query");
        }
        return Entry.inside(entry.name(), entry.role(), settings);
    }

    private static int kills(Effort effort) {
        return effort == Effort.FULL ? KILLS : QUICK_KILLS;
    }

    @Override
    public String workload(Effort effort) {
        return "the consumer's process and the broker's are killed (kill -9) in turns, " + kills(effort)
                + " kills in all, each " + KillRun.SHORTEST_REST.toSeconds() + " to " + KillRun.LONGEST_REST.toSeconds()
                + " s after what was in flight at the last one has ended; " + KillRun.BACKLOG
                + " records at a time wait or are in flight, handlers take " + KilledConsumerMain.TIME.describe()
                + KafkaFlowContestants.ALL.skipped(CONTESTANTS);
    }

    @Override
    public BlockResult run(Block block, Cue cue) throws Exception {
        cue.ready();
        return KillRun.of(block.entry(), block.seed(), kills(block.effort()));
    }
}
