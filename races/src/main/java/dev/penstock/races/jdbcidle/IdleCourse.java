package dev.penstock.races.jdbcidle;

import dev.penstock.lab.measure.TimeLine;
import dev.penstock.lab.race.Block;
import dev.penstock.lab.race.BlockResult;
import dev.penstock.lab.race.Course;
import dev.penstock.lab.race.Cue;
import dev.penstock.lab.race.Effort;
import dev.penstock.lab.race.Entry;
import dev.penstock.lab.race.Scene;
import dev.penstock.lab.report.Contestant;
import dev.penstock.lab.report.Goal;
import dev.penstock.lab.simulate.tcp.IdleKill;
import dev.penstock.races.GoalFigures;
import dev.penstock.races.jdbcidle.Bursts.PoolTransaction;
import dev.penstock.races.jdbcidle.JdbcIdleContestants.Pool;
import dev.penstock.races.sql.SqlCounts;
import dev.penstock.text.Durations;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One way of killing connections, with one sequence of gaps. */
final class IdleCourse implements Course {
    /** Time to start a JVM, rehearse pools, and for the last transactions to reach their deadline. */
    private static final Duration AROUND = Duration.ofSeconds(8);

    private final String name;
    private final IdleKill how;
    private final Bursts full;
    private final Bursts quick;
    private final int rounds;
    private final FirstStart firstStart;
    private final ProbedPath probedPath = new ProbedPath();

    IdleCourse(String name, IdleKill how, Bursts full, Bursts quick, int rounds) {
        this.name = name;
        this.how = how;
        this.full = full;
        this.quick = quick;
        this.rounds = rounds;
        this.firstStart = new FirstStart(how);
    }

    private Bursts bursts(Effort effort) {
        return effort == Effort.FULL ? full : quick;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String workload(Effort effort) {
        Bursts bursts = bursts(effort);
        String gaps = bursts.gaps().stream().distinct().map(Durations::format).collect(Collectors.joining(", "));
        return "%2$d bursts of %1$d concurrent transactions with gaps of %3$s in rotation; connections idle for %4$s are killed by %5$s"
                .formatted(
                        Bursts.SIZE,
                        bursts.gaps().size() + 1,
                        gaps,
                        Durations.format(IdleScene.KILLS_AFTER),
                        how.word());
    }

    @Override
    public List<Entry> entries() {
        return JdbcIdleContestants.entries();
    }

    @Override
    public List<String> judged() {
        return List.of("worst_ms", "over_100ms", "settled_worst_ms", "p50_ms", "errors", "validations_per_min");
    }

    @Override
    public List<String> shown() {
        return List.of(
                "worst_ms",
                "opening_worst_ms",
                "settled_worst_ms",
                "over_100ms",
                "settled_over_100ms",
                "p50_ms",
                "p90_ms",
                "p99_ms",
                "errors",
                "validations_per_min",
                "connections_opened",
                "killed");
    }

    @Override
    public int rounds() {
        return rounds;
    }

    /** Each contestant rehearses in its own block, through another middlebox in the same JVM as the measured one. */
    @Override
    public boolean rehearses() {
        return false;
    }

    @Override
    public Duration blockTime(Effort effort) {
        return bursts(effort).lasting().plus(AROUND);
    }

    @Override
    public Scene open(Block block) throws Exception {
        boolean second = block.entry().equals(JdbcIdleContestants.SECOND);
        return firstStart.scene(second ? firstStart.copy() : probedPath.printed(block.entry(), firstStart));
    }

    @Override
    public BlockResult run(Block block, Cue cue) throws Exception {
        JdbcIdleContestants contestant = JdbcIdleContestants.named(block.entry());
        String table = required(cue.parameters(), IdleScene.TABLE);
        new PoolRehearsal(contestant, table).through(required(cue.parameters(), IdleScene.REHEARSAL_URL));
        String state = cue.parameters().get(IdleScene.STATE);
        Bursts bursts = bursts(block.effort());
        cue.ready();
        SqlCounts.Snapshot before = SqlCounts.now();
        long start = System.nanoTime();
        try (Pool pool =
                contestant.pool(required(cue.parameters(), IdleScene.URL), state == null ? null : Path.of(state))) {
            List<BurstTimes> times = bursts.run(new PoolTransaction(pool.source(), table));
            double minutes = (System.nanoTime() - start) / 60e9;
            Map<String, Double> metrics = new LinkedHashMap<>(BurstTimes.metrics(times, firstDeaths(bursts)));
            metrics.put("validations_per_min", SqlCounts.now().since(before).validations() / minutes);
            return new BlockResult(metrics, Map.of(), timeLine(bursts, times), null);
        }
    }

    /** The first burst after a gap in which idle connections are killed. */
    private static int firstDeaths(Bursts bursts) {
        for (int i = 0; i < bursts.gaps().size(); i++) {
            if (bursts.gaps().get(i).compareTo(IdleScene.KILLS_AFTER) > 0) {
                return i + 1;
            }
        }
        return bursts.gaps().size();
    }

    /** One interval per burst. */
    private static TimeLine timeLine(Bursts bursts, List<BurstTimes> times) {
        Map<String, List<Double>> series = new LinkedHashMap<>();
        series.put("max_ms", times.stream().map(BurstTimes::worstMillis).toList());
        series.put(
                "errors", times.stream().map(burst -> (double) burst.errors()).toList());
        List<Double> at =
                bursts.at().stream().map(time -> time.toMillis() / 1e3).toList();
        return new TimeLine(0, at, series, Collections.emptyList(), null);
    }

    static String required(Map<String, String> parameters, String name) {
        String value = parameters.get(name);
        if (value == null) {
            throw new IllegalArgumentException("the scene has no parameter " + name);
        }
        return value;
    }

    @Override
    public List<Goal> goals(List<Contestant> contestants) {
        GoalFigures figures = new GoalFigures(contestants);
        String informed = JdbcIdleContestants.INFORMED.entry().name();
        String floor = JdbcIdleContestants.HIKARI_FLOOR.entry().name();
        Stream<Goal> first = figures.named(JdbcIdleContestants.PENSTOCK.entry().name()).stream()
                .flatMap(ours -> Stream.of(
                                figures.none(ours, List.of("errors")),
                                figures.most(ours, "worst_ms", 250),
                                figures.most(ours, "over_100ms", 20),
                                figures.atMostTimes(ours, "settled_worst_ms", 1.5, informed, "settled_worst_ms"),
                                figures.none(ours, List.of("settled_over_100ms")),
                                figures.atMostTimes(ours, "validations_per_min", 0.25, floor, "validations_per_min"))
                        .flatMap(goals -> goals));
        Stream<Goal> second = figures.named(JdbcIdleContestants.SECOND).stream()
                .flatMap(ours -> Stream.of(
                                figures.none(ours, List.of("errors", "over_100ms")),
                                figures.atMostTimes(ours, "worst_ms", 1.5, informed, "worst_ms"),
                                figures.atMostTimes(ours, "validations_per_min", 0.25, floor, "validations_per_min"))
                        .flatMap(goals -> goals));
        Stream<Goal> probed = Stream.of(JdbcIdleContestants.HIKARI_PROBED, JdbcIdleContestants.C3P0_PROBED)
                .flatMap(contestant -> figures.named(contestant.entry().name()).stream())
                .flatMap(theirs -> figures.none(theirs, List.of("errors")));
        return Stream.of(first, second, probed).flatMap(goals -> goals).toList();
    }

    /**
     * The warm-up of every contestant before the start: pools of its kind are created, used and closed, through a middlebox
     * that kills nothing, so that class loading and compilation do not affect the measurement. The measured pool is a new
     * one.
     */
    record PoolRehearsal(JdbcIdleContestants contestant, String table) {
        private static final int POOLS = 3;
        private static final int BURSTS = 50;
        private static final Duration GAP = Duration.ofMillis(1);

        void through(String url) throws Exception {
            for (int i = 0; i < POOLS; i++) {
                try (Pool pool = contestant.pool(url, null)) {
                    Bursts bursts = new Bursts(Duration.ZERO, Collections.nCopies(BURSTS - 1, GAP));
                    int errors = BurstTimes.of(bursts.run(new PoolTransaction(pool.source(), table)))
                            .errors();
                    if (errors == BURSTS * Bursts.SIZE) {
                        throw new IllegalStateException("no transaction succeeded in the rehearsal");
                    }
                }
            }
        }
    }
}
