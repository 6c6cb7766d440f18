package dev.penstock.limit.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kit.FullRun;
import dev.penstock.limit.AdaptiveLimit;
import dev.penstock.limit.simulate.Curve.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What our limit does on the curves, and the report of all contestants on them. */
@Tag("full")
class CurvesTest {
    private static final Function<Scenario, Tuner> OURS = scenario -> Contestants.ours(AdaptiveLimit.INITIAL, scenario);
    private static final int SEEDS = FullRun.sized(2, 10);
    private static final Path REPORT = Path.of("src/test/resources/dev/penstock/limit/simulate/curves.md");

    private static final List<String> KNOWN_MISSES = List.of(
            "bursts-400: limit at end",
            "bursts-1200: limit at end",
            "two-limits: fairness",
            "two-limits-deadline: fairness",
            "cold-2: rejected");

    private static List<Result> ours = List.of();

    private static synchronized List<Result> ours() {
        if (ours.isEmpty()) {
            ours = Curves.ALL.parallelStream()
                    .map(curve -> curve.of(OURS, SEEDS))
                    .toList();
        }
        return ours;
    }

    /** The list is to become empty. */
    @Tag("full-only")
    @Test
    void onlyTheKnownBoundsAreMissed() {
        List<Result> results = ours();
        assertThat(IntStream.range(0, results.size())
                        .boxed()
                        .flatMap(i -> Bound.missed(Curves.ALL.get(i), results.get(i), SEEDS).stream())
                        .map(miss -> miss.replaceFirst(" [0-9.]+ instead of .*", "")))
                .containsExactlyInAnyOrderElementsOf(KNOWN_MISSES);
    }

    /** A misspelt name would never be checked. */
    @Test
    void everyBoundIsOfACurveOrOfOneOfOursInAScenario() {
        Stream<String> scenarios = Contestants.ours().keySet().stream()
                .flatMap(name -> Scenarios.all().stream().map(scenario -> name + "/" + scenario.name()));
        assertThat(Bound.ALL)
                .extracting(Bound::row)
                .isSubsetOf(Stream.concat(Curves.ALL.stream().map(Curve::name), scenarios)
                        .toList());
    }

    @Test
    void theSameSeedsGiveTheSameFigures() {
        Curve curve = Curves.ALL.stream()
                .filter(each -> each.name().equals("bursts-400"))
                .findFirst()
                .orElseThrow();
        assertThat(curve.of(OURS, 3)).isEqualTo(curve.of(OURS, 3));
    }

    @Tag("full-only")
    @Test
    void theFixedLimitsAreTheBest() {
        List<String> better = Curves.ALL.parallelStream()
                .flatMap(curve -> {
                    double best = 1.02 * curve.ofFixed(2).useful();
                    return IntStream.of(50, 80, 125, 200)
                            .map(percent -> curve.fixed() * percent / 100)
                            .filter(other -> useful(curve, other) > best)
                            .mapToObj(other -> curve.name() + " with " + other);
                })
                .toList();
        assertThat(better).isEmpty();
    }

    private static double useful(Curve curve, int permits) {
        return curve.of(scenario -> new Tuner.Constant(permits), 2).useful();
    }

    /** The others never change, so only our lines are compared. */
    @Tag("full-only")
    @Test
    void theReportIsAsCommitted() throws IOException {
        if (Boolean.getBoolean(LimitSimulationTest.WRITE)) {
            Files.writeString(REPORT, Curves.report(SEEDS));
        }
        assertThat(ours().stream().map(result -> result.line(Curves.OURS).strip()))
                .as(LimitSimulationTest.HOW_TO_WRITE)
                .containsExactlyElementsOf(Files.readAllLines(REPORT).stream()
                        .filter(line -> line.startsWith("| " + Curves.OURS))
                        .toList());
    }
}
