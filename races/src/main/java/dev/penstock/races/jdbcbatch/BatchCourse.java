package dev.penstock.races.jdbcbatch;

import dev.penstock.lab.load.ClosedLoad;
import dev.penstock.lab.measure.LoadResult;
import dev.penstock.lab.race.Block;
import dev.penstock.lab.race.BlockResult;
import dev.penstock.lab.race.Cue;
import dev.penstock.lab.race.Effort;
import dev.penstock.lab.race.Scene;
import dev.penstock.races.Callers;
import dev.penstock.races.GoalRule;
import dev.penstock.races.LoadTimes;
import dev.penstock.races.PlannedCourse;
import dev.penstock.races.jdbcbatch.JdbcBatchContestants.Inserter;
import dev.penstock.races.jdbcbatch.TableAudit.ReportedOutcomes;
import dev.penstock.races.sql.SqlCounts;
import dev.penstock.text.Durations;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One load on the database. */
final class BatchCourse extends PlannedCourse {
    private static final int REHEARSED = 20_000;
    private static final int REHEARSING = 200;
    private static final Duration REHEARSED_AT_MOST = Duration.ofSeconds(5);
    /** Callers wait up to 30 s for a connection. */
    private static final Duration GRACE = Duration.ofSeconds(35);
    /** Time to start PostgreSQL and a JVM, for the rehearsal and the audit. */
    private static final Duration AROUND = Duration.ofSeconds(15);

    private final Callers callers;
    private final DatabaseFault fault;

    BatchCourse(String name, Callers callers, DatabaseFault fault) {
        super(
                name,
                JdbcBatchContestants.ALL.entries(),
                callers.isOpen() || fault == DatabaseFault.KILL
                        ? "errors p99_ms p50_ms tps lost duplicates"
                        : "tps p99_ms p50_ms cpu_us_per_tx errors lost duplicates",
                "tps p50_ms p99_ms max_ms commit_ms batch_mean cpu_us_per_tx errors rejected failed unknown shed lost"
                        + " duplicates denied_present");
        this.callers = callers;
        this.fault = fault;
        lasts(LoadTimes.ofMillis(5_000, 15_000), LoadTimes.ofMillis(3_000, 5_000), AROUND);
        goals(GoalRule.none("lost", "duplicates", "denied_present"));
        if (fault != DatabaseFault.KILL) {
            if (!callers.isOpen()) {
                goals(
                        GoalRule.times("tps", JdbcBatchContestants.PLAIN, 8),
                        GoalRule.times("tps", JdbcBatchContestants.BY_HAND, 0.7));
            }
            goals(
                    GoalRule.none("errors"),
                    (figures, ours) -> figures.atMostTimes(ours, "p99_ms", 2, ours.name(), "commit_ms"));
        }
    }

    private @Nullable Duration killAfter(Effort effort) {
        LoadTimes times = times(effort);
        return fault == DatabaseFault.KILL
                ? times.warmUp().plus(times.measured().dividedBy(3))
                : null;
    }

    @Override
    public String workload(Effort effort) {
        Duration kill = killAfter(effort);
        return callers.describe() + (callers.isOpen() ? "" : ", each writing single rows") + ", for "
                + Durations.format(times(effort).lasting())
                + ", each durable on disk before it is answered (fsync, synchronous_commit)" + fault.describe()
                + (kill == null
                        ? ""
                        : "; PostgreSQL is killed (kill -9) after " + Durations.format(kill) + " and restarted "
                                + Durations.format(BatchScene.DOWNTIME) + " later");
    }

    @Override
    public Scene open(Block block) throws Exception {
        return new BatchScene(fault.settings(), killAfter(block.effort()));
    }

    @Override
    public BlockResult run(Block block, Cue cue) throws Exception {
        String url = required(cue.parameters(), BatchScene.URL);
        Function<String, Inserter> contestant = JdbcBatchContestants.ALL.named(block.entry());
        rehearse(contestant, url);
        SqlCounts.Snapshot before = SqlCounts.now();
        LoadResult load;
        ReportedOutcomes outcomes;
        try (Inserter inserter = contestant.apply(url)) {
            outcomes = new ReportedOutcomes(inserter);
            cue.ready();
            load = callers.load(block.seed(), times(block.effort()), GRACE, cue)
                    .run(outcomes, number -> number, Boolean::booleanValue);
        }
        return result(load, SqlCounts.now().since(before), TableAudit.of(url, outcomes));
    }

    /** Compiles the code before the measurement; its rows have numbers below 0. */
    private static void rehearse(Function<String, Inserter> contestant, String url) throws InterruptedException {
        try (Inserter inserter = contestant.apply(url)) {
            rehearse(
                    ClosedLoad.of(REHEARSING, Duration.ZERO).count(REHEARSED).lasting(REHEARSED_AT_MOST),
                    inserter,
                    number -> -1 - number,
                    Boolean::booleanValue);
        }
    }

    /**
     * {@code commit_ms}: mean time of a database transaction, from its first statement to the end of its commit,
     * measured below all contestants; {@code batch_mean}: rows per transaction. Both cover the whole load.
     * Requests not started because 10,000 were in flight count as errors: here that is caused by the contestant,
     * not by the generator.
     */
    private static BlockResult result(LoadResult load, SqlCounts.Snapshot counted, TableAudit audit) {
        BlockResult all = BlockResult.of(load);
        Map<String, Double> metrics = new LinkedHashMap<>(all.metrics());
        metrics.put("errors", (double) (load.counts().errors() + load.counts().shed()));
        if (counted.commits() > 0) {
            metrics.put("commit_ms", counted.commitNanos() / 1e6 / counted.commits());
            metrics.put("batch_mean", (double) audit.rows() / counted.commits());
        }
        metrics.putAll(audit.metrics());
        String invalid = load.counts().right() > 0 ? null : "no row was stored";
        return new BlockResult(metrics, all.percentiles(), all.timeLine(), invalid);
    }

    /** The database's fault in a course. */
    @SuppressWarnings("ImmutableEnumChecker") // its map is a copy
    enum DatabaseFault {
        /** None. */
        NONE("", Map.of()),
        /** Writes to its log take 5 ms longer, as on a network disk. */
        SLOW_DISK(", on a disk that takes 5 ms (commit_delay)", Map.of("commit_delay", "5000", "commit_siblings", "0")),
        /** It is killed during the measurement. */
        KILL("", Map.of());

        private final String description;
        private final Map<String, String> settings;

        DatabaseFault(String description, Map<String, String> settings) {
            this.description = description;
            this.settings = settings;
        }

        /** A description without the time of a kill; empty for none. */
        String describe() {
            return description;
        }

        /** Settings of PostgreSQL. */
        Map<String, String> settings() {
            return settings;
        }
    }
}
