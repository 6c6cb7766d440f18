package dev.penstock.races.jdbcbatch;

import dev.penstock.Durations;
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
import dev.penstock.races.sql.SqlCounts;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One load on the database, and each contestant before it.
 *
 * @param name unique in the race
 * @param traffic who writes
 * @param mishap what is wrong with the database
 * @param rounds how often each contestant runs unless the user says
 */
record BatchCourse(String name, JdbcBatchTraffic traffic, DatabaseFault mishap, int rounds) implements Course {
    private static final int REHEARSED = 20_000;
    private static final int REHEARSING = 200;
    private static final Duration REHEARSED_AT_MOST = Duration.ofSeconds(5);
    private static final Duration TELL_EVERY = Duration.ofSeconds(1);

    /** Whoever waits for a connection waits 30 s. */
    private static final Duration GRACE = Duration.ofSeconds(35);

    /** A PostgreSQL and a JVM to start, the rehearsal, the audit. */
    private static final Duration AROUND = Duration.ofSeconds(15);

    private record Times(Duration warmUp, Duration measured) {
        Duration lasting() {
            return warmUp.plus(measured);
        }
    }

    private static final Times FULL = new Times(Duration.ofSeconds(5), Duration.ofSeconds(15));
    private static final Times QUICK = new Times(Duration.ofSeconds(3), Duration.ofSeconds(5));

    private static Times times(Effort effort) {
        return effort == Effort.FULL ? FULL : QUICK;
    }

    boolean kills() {
        return mishap == DatabaseFault.KILL;
    }

    private @Nullable Duration killAfter(Effort effort) {
        Times times = times(effort);
        return kills() ? times.warmUp.plus(times.measured.dividedBy(3)) : null;
    }

    @Override
    public String workload(Effort effort) {
        Duration kill = killAfter(effort);
        return traffic.words() + ", for " + Durations.words(times(effort).lasting())
                + ", each kept on disk before it is answered (fsync, synchronous_commit)" + mishap.words()
                + (kill == null
                        ? ""
                        : "; PostgreSQL is killed (kill -9) after " + Durations.words(kill) + " and started again "
                                + Durations.words(BatchScene.GONE) + " later");
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
        return new BatchScene(mishap.settings(), killAfter(block.effort()));
    }

    @Override
    public BlockResult run(Block block, Cue cue) throws Exception {
        String url = cue.parameters().get(BatchScene.URL);
        if (url == null) {
            throw new IllegalArgumentException("the scene named no " + BatchScene.URL);
        }
        JdbcBatchContestants contestant = JdbcBatchContestants.named(block.entry());
        rehearse(contestant, url);
        SqlCounts.Snapshot before = SqlCounts.now();
        LoadResult load;
        ToldOutcomes books;
        try (Inserter inserter = contestant.at(url)) {
            books = new ToldOutcomes(inserter);
            cue.ready();
            Times times = times(block.effort());
            load = traffic.load(block.seed())
                    .lasting(times.lasting())
                    .warmUp(times.warmUp())
                    .grace(GRACE)
                    .watch(TELL_EVERY, cue::progress)
                    .run(books, number -> number, Boolean::booleanValue);
        }
        return result(load, SqlCounts.now().since(before), TableAudit.of(url, books));
    }

    /** So that nobody's code is compiled while it is measured; its rows have numbers below 0. */
    private static void rehearse(JdbcBatchContestants contestant, String url) throws InterruptedException {
        try (Inserter inserter = contestant.at(url)) {
            Counts counts = ClosedLoad.of(REHEARSING, Duration.ZERO)
                    .count(REHEARSED)
                    .lasting(REHEARSED_AT_MOST)
                    .run(inserter, number -> -1 - number, Boolean::booleanValue)
                    .counts();
            if (counts.right() == 0) {
                throw new IllegalStateException(
                        "none of " + counts.offered() + " rows was kept before the start: " + counts.causes());
            }
        }
    }

    /**
     * {@code commit_ms}: mean time of a transaction of the database, from its first statement to the end of its commit, below
     * all contestants alike; {@code batch_mean}: how many rows each of them kept. Both are of the whole load. Whoever was not
     * even started because 10,000 were in flight counts as an error: that is the contestant's doing here, not the generator's.
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
        String invalid = load.counts().right() > 0 ? null : "not one row was kept";
        return new BlockResult(metrics, all.percentiles(), all.timeLine(), invalid);
    }

    @Override
    public List<Goal> goals(List<Contestant> contestants) {
        return JdbcBatchGoals.of(this, contestants);
    }
}
