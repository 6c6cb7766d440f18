package dev.penstock.limit.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.penstock.kit.FullRun;
import dev.penstock.limit.AdaptiveLimit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** What our limit does on the curves, and the report of all contestants on them. */
@Tag("full")
class CurvesTest {
    private static final Function<Scenario, Tuner> OURS = scenario -> Contestants.ours(AdaptiveLimit.INITIAL, scenario);
    private static final int SEEDS = FullRun.sized(2, 10);
    private static final Path REPORT = Path.of("src/test/resources/dev/penstock/limit/simulate/curves.md");

    /** Until a limit meets all bounds, this property compares one with them. */
    @EnabledIfSystemProperty(named = "penstock.simulation.bounds", matches = "true")
    @Test
    void noBoundIsMissed() {
        List<String> missed = Curves.ALL.parallelStream()
                .filter(curve ->
                        Bound.ALL.stream().anyMatch(bound -> bound.row().equals(curve.name())))
                .flatMap(curve -> Bound.missed(curve, curve.of(OURS, SEEDS), SEEDS).stream())
                .toList();
        assertThat(missed).isEmpty();
    }

    @Test
    void theSameSeedsGiveTheSameFigures() {
        Curve curve = Curves.ALL.stream()
                .filter(each -> each.name().equals("bursts-400"))
                .findFirst()
                .orElseThrow();
        assertThat(curve.of(OURS, 3)).isEqualTo(curve.of(OURS, 3));
    }

    @Test
    void theFixedLimitsAreTheBest() {
        assumeTrue(FullRun.ON);
        List<String> better = Curves.ALL.parallelStream()
                .flatMap(curve -> IntStream.of(50, 80, 125, 200)
                        .map(percent -> curve.fixed() * percent / 100)
                        .filter(other -> useful(curve, other) > 1.02 * useful(curve, curve.fixed()))
                        .mapToObj(other -> curve.name() + " with " + other))
                .toList();
        assertThat(better).isEmpty();
    }

    private static double useful(Curve curve, int permits) {
        return curve.of(scenario -> new Tuner.Constant(permits), 2).useful();
    }

    @Test
    void theReportIsAsCommitted() throws IOException {
        assumeTrue(FullRun.ON);
        String report = Curves.report(SEEDS);
        if (Boolean.getBoolean(LimitSimulationTest.WRITE)) {
            Files.writeString(REPORT, report);
        }
        assertThat(report).as(LimitSimulationTest.HOW_TO_WRITE).isEqualTo(Files.readString(REPORT));
    }
}
