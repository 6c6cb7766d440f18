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
import dev.penstock.races.GoalFigures;
import dev.penstock.races.jdbcidle.Bursts.PoolTransaction;
import dev.penstock.races.jdbcidle.JdbcIdleContestants.Pool;
import dev.penstock.races.sql.SqlCounts;
import dev.penstock.text.Durations;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One way of losing connections. */
final class IdleCourse implements Course {
    /** Time to start and rehearse a contestant. */
    private static final Duration REHEARSAL = Duration.ofSeconds(4);

    /** Between the bursts of two contestants. */
    private static final Duration STAGGER = Duration.ofSeconds(2);

    /** A burst comes so long after idle connections have died. */
    private static final Duration AFTER = Duration.ofSeconds(15);

    private static final double FIRST_MS = 200;
    private static final double LEARNED_MS = 50;
    private static final Duration QUICK = Duration.ofSeconds(20);

    private final String name;
    private final @Nullable Duration kill;
    private final int gaps;

    /**
     * A course.
     *
     * @param kill the idle time after which a connection is dropped; null: all are lost shortly before each burst
     */
    IdleCourse(String name, @Nullable Duration kill, int gaps) {
        this.name = name;
        this.kill = kill;
        this.gaps = gaps;
    }

    /** Quick blocks kill after 20 s. */
    private @Nullable Duration kill(Effort effort) {
        return kill == null || effort == Effort.FULL ? kill : QUICK;
    }

    private Bursts bursts(Effort effort) {
        Duration idle = kill(effort);
        return Bursts.of(effort == Effort.FULL ? gaps : 2, idle == null ? AFTER : idle.plus(AFTER));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String workload(Effort effort) {
        Bursts bursts = bursts(effort);
        Duration idle = kill(effort);
        return "%d bursts of %d concurrent transactions with gaps of %s; %s; contestants run side by side, their bursts %s apart"
                .formatted(
                        bursts.gaps().size() + 1,
                        Bursts.SIZE,
                        Durations.format(bursts.gaps().getFirst()),
                        idle == null
                                ? "all connections are silently lost 1 s before each"
                                : "connections idle for %s are silently dropped".formatted(Durations.format(idle)),
                        Durations.format(STAGGER));
    }

    @Override
    public List<Entry> entries() {
        return JdbcIdleContestants.entries();
    }

    @Override
    public List<String> judged() {
        return List.of("worst_ms", "first_worst_ms", "settled_worst_ms", "errors");
    }

    @Override
    public List<String> shown() {
        return List.of(
                "worst_ms",
                "opening_worst_ms",
                "first_worst_ms",
                "settled_worst_ms",
                "over_100ms",
                "p50_ms",
                "errors",
                "validations_per_min",
                "connections_opened",
                "killed");
    }

    /** Each contestant rehearses in its own block, through another middlebox in the same JVM as the measured one. */
    @Override
    public boolean rehearses() {
        return false;
    }

    @Override
    public Duration blockTime(Effort effort) {
        return bursts(effort)
                .lasting()
                .plus(REHEARSAL.multipliedBy(entries().size() + 1))
                .plus(Bursts.DEADLINE);
    }

    /** Blocks last minutes and are busy for less than a second. Our A/A twin runs beside the others too. */
    @Override
    public Duration stagger() {
        return STAGGER;
    }

    @Override
    public Scene open(Block block) throws Exception {
        return new IdleScene(kill(block.effort()), bursts(block.effort()));
    }

    @Override
    public BlockResult run(Block block, Cue cue) throws Exception {
        JdbcIdleContestants contestant = JdbcIdleContestants.named(block.entry());
        String table = required(cue.parameters(), IdleScene.TABLE);
        new PoolRehearsal(contestant, table).through(required(cue.parameters(), IdleScene.REHEARSAL_URL));
        Bursts bursts = bursts(block.effort());
        cue.ready();
        SqlCounts.Snapshot before = SqlCounts.now();
        long start = System.nanoTime();
        try (Pool pool = contestant.pool(required(cue.parameters(), IdleScene.URL))) {
            List<BurstTimes> times = bursts.run(new PoolTransaction(pool.source(), table));
            double minutes = (System.nanoTime() - start) / 60e9;
            Map<String, Double> metrics = new LinkedHashMap<>(BurstTimes.metrics(times));
            metrics.put("validations_per_min", SqlCounts.now().since(before).validations() / minutes);
            return new BlockResult(metrics, Map.of(), timeLine(bursts, times), null);
        }
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
        return figures.named(JdbcIdleContestants.PENSTOCK.entry().name()).stream()
                .flatMap(ours -> Stream.of(
                                figures.none(ours, List.of("errors")),
                                figures.most(ours, "first_worst_ms", FIRST_MS),
                                figures.most(ours, "settled_worst_ms", kill == null ? FIRST_MS : LEARNED_MS))
                        .flatMap(goals -> goals))
                .toList();
    }

    /**
     * The warm-up of every contestant before the start: pools of its kind are created, used and closed, through a middlebox
     * that kills nothing, so that class loading and compilation do not affect the measurement. The measured pool is a new one.
     */
    record PoolRehearsal(JdbcIdleContestants contestant, String table) {
        private static final int POOLS = 3;
        private static final int BURSTS = 100;
        private static final Duration GAP = Duration.ofMillis(1);

        void through(String url) throws Exception {
            for (int i = 0; i < POOLS; i++) {
                try (Pool pool = contestant.pool(url)) {
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
