package dev.penstock.limit.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kit.FullRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The gate that whatever decides the limit has to pass, and the report that shows how it does. */
@Tag("full")
class LimitSimulationTest {
    private static final long SEED = 1;
    /** Where it misses what a limit has to reach; by how much is bounded by {@link Bound}. */
    private static final Set<String> MISSED = Set.of("past-the-knee", "spread", "slow-target", "bursts", "slow");

    private static final Path REPORT = Path.of("src/test/resources/dev/penstock/limit/simulate/report.md");
    /** Set this property, with -Pfull, to write the report anew, and look at the difference. */
    static final String WRITE = "penstock.simulation.write";

    static final String HOW_TO_WRITE =
            "run with -Pfull -D" + WRITE + "=true to write it anew, and say in the commit why it changed";

    /** What the default build runs: these take a tenth of the time of all. */
    private static final Set<String> BRIEF = Set.of(
            "spread", "slow-target", "past-the-knee", "hard-cap", "latency-drift", "blackhole", "bursts", "slow");

    private static final List<Scenario> SCENARIOS = Scenarios.all().stream()
            .filter(scenario -> FullRun.ON || BRIEF.contains(scenario.name()))
            .toList();

    private static Map<String, List<Score>> ours = Map.of();
    private static Map<String, List<Score>> others = Map.of();

    /** Not while the class is initialized: other threads, which take part, would wait for the end of that. */
    @BeforeAll
    static void simulate() {
        ours = scores(Contestants.ours());
        others = scores(Contestants.others());
    }

    private static Map<String, List<Score>> scores(Map<String, Function<Scenario, Tuner>> tuners) {
        return tuners.entrySet().parallelStream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, tuner -> scores(tuner.getValue()), (one, other) -> one, LinkedHashMap::new));
    }

    private static List<Score> scores(Function<Scenario, Tuner> tuner) {
        return SCENARIOS.parallelStream()
                .map(scenario -> score(scenario, tuner))
                .toList();
    }

    private static Score score(Scenario scenario, Function<Scenario, Tuner> tuner) {
        return Score.of(scenario, tuner, SEED);
    }

    @Test
    void theAdaptiveLimitPassesFromEveryStart() {
        ours.forEach((name, scores) -> assertThat(scores)
                .as(name)
                .filteredOn(score -> !MISSED.contains(score.scenario()))
                .allSatisfy(score -> assertThat(Gate.faults(score)).isEmpty()));
    }

    /** The target has become five times as good, or a fifth as good, since the value was stored. */
    @Test
    void aStoredLimitThatIsStaleCorrectsItself() {
        SCENARIOS.parallelStream().forEach(scenario -> {
            int best = scenario.phases().getFirst().best();
            for (int stored : List.of(Math.max(1, best / 5), 5 * best)) {
                Score score = score(scenario, known -> Contestants.restored(stored, known));
                if (!MISSED.contains(scenario.name())) {
                    assertThat(score.whole())
                            .as("%s from a stored %d, where %d is best", scenario.name(), stored, best)
                            .isGreaterThan(Gate.WHOLE);
                    assertThat(score.steady())
                            .as("%s from a stored %d, where %d is best", scenario.name(), stored, best)
                            .isGreaterThan(Gate.STEADY);
                }
            }
        });
    }

    @Test
    void noneIsBelowItsBound() {
        ours.forEach((name, scores) -> assertThat(scores)
                .allSatisfy(score -> assertThat(Bound.missed(name, score)).isEmpty()));
    }

    /**
     * A single seed shows 0.70 to 0.99: calls differ so much that chance decides how soon the limit follows when the target takes
     * four times as many.
     */
    @Tag("full-only")
    @Test
    void onAverageItFollowsATargetWhoseCallsDifferMuch() {
        Scenario spread = SCENARIOS.stream()
                .filter(scenario -> scenario.name().equals("spread"))
                .findFirst()
                .orElseThrow();
        Contestants.ours()
                .forEach((name, tuner) -> assertThat(LongStream.rangeClosed(1, 12)
                                .parallel()
                                .mapToDouble(
                                        seed -> Score.of(spread, tuner, seed).whole())
                                .average()
                                .orElseThrow())
                        .as(name)
                        .isGreaterThan(0.86));
    }

    @Test
    void itIsFarBelowNoneOfThoseThatSteerOnTimes() {
        List<Score> gradient2 = others.getOrDefault("gradient2", List.of());
        List<Score> vegas = others.getOrDefault("vegas", List.of());
        ours.forEach((name, scores) -> {
            for (int i = 0; i < scores.size(); i++) {
                double better = Math.max(gradient2.get(i).whole(), vegas.get(i).whole());
                boolean missed = MISSED.contains(scores.get(i).scenario());
                assertThat(missed ? 1 : scores.get(i).whole())
                        .as(name + " in " + scores.get(i).scenario())
                        .isGreaterThan(better - 0.1);
            }
        });
    }

    @Test
    void nobodyElsePasses() {
        others.forEach((name, scores) -> assertThat(scores)
                .as(name)
                .anySatisfy(score -> assertThat(Gate.faults(score)).isNotEmpty()));
    }

    @Test
    void mutantsFail() {
        assertThat(Contestants.mutants().entrySet().parallelStream()
                        .filter(mutant -> SCENARIOS.stream()
                                .allMatch(scenario -> Gate.faults(score(scenario, mutant.getValue()))
                                        .isEmpty()))
                        .map(Map.Entry::getKey))
                .as("mutants that pass")
                .isEmpty();
    }

    /** Shows that the scenarios are right, whatever the limit does. */
    @Tag("full-only")
    @Test
    void theBestLimitsAreTheBest() {
        SCENARIOS.parallelStream()
                .forEach(scenario -> scenario.phases().stream()
                        .filter(phase -> phase.steady() && phase.rate() < 10_000)
                        .forEach(phase -> {
                            double best = useful(scenario, phase, phase.best());
                            for (double factor : new double[] {0.5, 0.75, 1.3, 2}) {
                                int other = Math.max(1, (int) Math.round(phase.best() * factor));
                                assertThat(useful(scenario, phase, other))
                                        .as("%s: %d in place of %d", scenario.name(), other, phase.best())
                                        .isLessThanOrEqualTo(1.03 * best);
                            }
                        }));
    }

    private static double useful(Scenario scenario, Scenario.Phase phase, int permits) {
        Scenario alone = new Scenario(scenario.name(), scenario.deadlineNanos(), List.of(phase));
        return Run.of(alone, new Tuner.Constant(permits), SEED).useful(0, phase.nanos());
    }

    @Test
    void theReportIsAsCommitted() throws IOException {
        Map<String, List<Score>> all = new LinkedHashMap<>(ours);
        all.putAll(others);
        String report = Report.of(SEED, all);
        if (FullRun.ON && Boolean.getBoolean(WRITE)) {
            Files.createDirectories(REPORT.getParent());
            Files.writeString(REPORT, report);
        }
        String committed = Files.readString(REPORT)
                .lines()
                .filter(line -> !isLeftOut(line))
                .map(line -> line + "\n")
                .collect(Collectors.joining());
        assertThat(report).as(HOW_TO_WRITE).isEqualTo(committed);
    }

    private static boolean isLeftOut(String line) {
        return Scenarios.all().stream()
                .filter(scenario -> !SCENARIOS.contains(scenario))
                .anyMatch(scenario -> line.startsWith("| " + scenario.name() + " |"));
    }
}
