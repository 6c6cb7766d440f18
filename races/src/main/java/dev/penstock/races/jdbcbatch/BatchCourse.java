package dev.penstock.races.jdbcbatch;

import dev.penstock.lab.load.ClosedLoad;
import dev.penstock.lab.measure.Counts;
import dev.penstock.lab.measure.LoadResult;
import dev.penstock.lab.race.Block;
import dev.penstock.lab.race.BlockResult;
import dev.penstock.lab.race.Course;
import dev.penstock.lab.race.Cue;
import dev.penstock.lab.race.Effort;
import dev.penstock.lab.race.Entry;
import dev.penstock.lab.race.Scene;
import dev.penstock.lab.report.Contestant;
import dev.penstock.lab.report.Goal;
import dev.penstock.races.LoadTimes;
import dev.penstock.races.jdbcbatch.JdbcBatchContestants.Inserter;
import dev.penstock.races.jdbcbatch.TableAudit.ReportedOutcomes;
import dev.penstock.races.sql.SqlCounts;
import dev.penstock.text.Durations;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One load on the database.
 *
 * @param name unique in the race
 * @param traffic the callers
 * @param fault the database's fault
 * @param rounds default number of rounds
 */
record BatchCourse(String name, JdbcBatchTraffic traffic, DatabaseFault fault, int rounds) implements Course {
    private static final int REHEARSED = 20_000;
    private static final int REHEARSING = 200;
    private static final Duration REHEARSED_AT_MOST = Duration.ofSeconds(5);
    private static final Duration PROGRESS_INTERVAL = Duration.ofSeconds(1);

    /** Callers wait up to 30 s for a connection. */
    private static final Duration GRACE = Duration.ofSeconds(35);

    /** Time to start PostgreSQL and a JVM, for the rehearsal and the audit. */
    private static final Duration AROUND = Duration.ofSeconds(15);

    private static final LoadTimes FULL = LoadTimes.ofMillis(5_000, 15_000);
    private static final LoadTimes QUICK = LoadTimes.ofMillis(3_000, 5_000);

    private static LoadTimes times(Effort effort) {
        return effort == Effort.FULL ? FULL : QUICK;
    }

    boolean kills() {
        return fault == DatabaseFault.KILL;
    }

    private @Nullable Duration killAfter(Effort effort) {
        LoadTimes times = times(effort);
        return kills() ? times.warmUp().plus(times.measured().dividedBy(3)) : null;
    }

    @Override
    public String workload(Effort effort) {
        Duration kill = killAfter(effort);
        return traffic.describe() + ", for " + Durations.format(times(effort).lasting())
                + ", each durable on disk before it is answered (fsync, synchronous_commit)" + fault.describe()
                + (kill == null
                        ? ""
                        : "; PostgreSQL is killed (kill -9) after " + Durations.format(kill) + " and restarted "
                                + Durations.format(BatchScene.DOWNTIME) + " later");
    }

    @Override
    public List<Entry> entries() {
        return JdbcBatchContestants.entries();
    }

    @Override
    public List<String> judged() {
        return traffic instanceof JdbcBatchTraffic.Closed && !kills()
                ? List.of("tps", "p99_ms", "p50_ms", "cpu_us_per_tx", "errors", "lost", "duplicates")
                : List.of("errors", "p99_ms", "p50_ms", "tps", "lost", "duplicates");
    }

    @Override
    public List<String> shown() {
        return List.of(
                "tps",
                "p50_ms",
                "p99_ms",
                "max_ms",
                "commit_ms",
                "batch_mean",
                "cpu_us_per_tx",
                "errors",
                "rejected",
                "failed",
                "unknown",
                "shed",
                "lost",
                "duplicates",
                "denied_present");
    }

    /** Each contestant rehearses in its own block. */
    @Override
    public boolean rehearses() {
        return false;
    }

    @Override
    public Duration blockTime(Effort effort) {
        return times(effort).lasting().plus(AROUND);
    }

    @Override
    public Scene open(Block block) throws Exception {
        return new BatchScene(fault.settings(), killAfter(block.effort()));
    }

    @Override
    public BlockResult run(Block block, Cue cue) throws Exception {
        String url = cue.parameters().get(BatchScene.URL);
        if (url == null) {
            throw new IllegalArgumentException("the scene has no parameter " + BatchScene.URL);
        }
        JdbcBatchContestants contestant = JdbcBatchContestants.named(block.entry());
        rehearse(contestant, url);
        SqlCounts.Snapshot before = SqlCounts.now();
        LoadResult load;
        ReportedOutcomes outcomes;
        try (Inserter inserter = contestant.at(url)) {
            outcomes = new ReportedOutcomes(inserter);
            cue.ready();
            LoadTimes times = times(block.effort());
            load = traffic.load(block.seed())
                    .lasting(times.lasting())
                    .warmUp(times.warmUp())
                    .grace(GRACE)
                    .watch(PROGRESS_INTERVAL, cue::progress)
                    .run(outcomes, number -> number, Boolean::booleanValue);
        }
        return result(load, SqlCounts.now().since(before), TableAudit.of(url, outcomes));
    }

    /** Compiles the code before the measurement; its rows have numbers below 0. */
    private static void rehearse(JdbcBatchContestants contestant, String url) throws InterruptedException {
        try (Inserter inserter = contestant.at(url)) {
            Counts counts = ClosedLoad.of(REHEARSING, Duration.ZERO)
                    .count(REHEARSED)
                    .lasting(REHEARSED_AT_MOST)
                    .run(inserter, number -> -1 - number, Boolean::booleanValue)
                    .counts();
            if (counts.right() == 0) {
                throw new IllegalStateException(
                        "none of " + counts.offered() + " rows was stored in the rehearsal: " + counts.causes());
            }
        }
    }

    /**
     * {@code commit_ms}: mean time of a database transaction, from its first statement to the end of its commit,
     * measured below all contestants; {@code batch_mean}: rows per transaction. Both cover the whole load. Requests not
     * started because 10,000 were in flight count as errors: here that is caused by the contestant, not by the
     * generator.
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

    @Override
    public List<Goal> goals(List<Contestant> contestants) {
        return JdbcBatchGoals.of(this, contestants);
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
