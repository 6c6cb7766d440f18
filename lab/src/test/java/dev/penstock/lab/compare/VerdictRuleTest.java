package dev.penstock.lab.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.penstock.lab.report.Comparison.Verdict;
import dev.penstock.lab.report.Metric;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VerdictRuleTest {
    private static final Metric TPS = Metric.of("tps");
    private static final Metric P99 = Metric.of("p99_ms");

    @ParameterizedTest
    @CsvSource({
        "1.10, 1.05, 1.15, 6, FASTER",
        "0.90, 0.85, 0.95, 6, SLOWER",
        "1.10, 1.05, 1.15, 5, INCONCLUSIVE",
        "1.10, 0.99, 1.22, 6, INCONCLUSIVE",
        "1.02, 1.01, 1.029, 6, SAME",
        "1.02, 1.005, 1.04, 6, INCONCLUSIVE",
        "1.00, 0.975, 1.02, 6, SAME",
        "1.00, 0.96, 1.02, 6, INCONCLUSIVE",
        "1.00, 1.00, 1.00, 6, SAME",
        "1.00, 1.00, 1.00, 2, INCONCLUSIVE"
    })
    void theVerdictFollowsFromTheIntervalAndTheMargin(
            double ratio, double low, double high, int samples, Verdict verdict) {
        Ratio given = new Ratio(ratio, low, high, samples);

        assertThat(VerdictRule.verdict(TPS, given, 0.03)).isEqualTo(verdict);
        assertThat(VerdictRule.verdict(P99, given.inverse(), 0.03)).isEqualTo(verdict);
    }

    @Test
    void theNoiseOfTheMachineWidensTheMargin() {
        Ratio ratio = new Ratio(1.10, 1.05, 1.15, 6);

        assertThat(VerdictRule.margin(null)).isEqualTo(0.03);
        assertThat(VerdictRule.margin(1.0)).isEqualTo(0.03);
        assertThat(VerdictRule.verdict(TPS, ratio, VerdictRule.margin(9.0))).isEqualTo(Verdict.FASTER);
        assertThat(VerdictRule.verdict(TPS, ratio, VerdictRule.margin(11.0))).isEqualTo(Verdict.INCONCLUSIVE);
        assertThat(VerdictRule.verdict(TPS, ratio, VerdictRule.margin(16.0))).isEqualTo(Verdict.SAME);
    }

    @Test
    void whatOnlyDescribesIsNotJudged() {
        assertThat(VerdictRule.judges(Metric.of("count"))).isFalse();
        assertThat(VerdictRule.judges(P99)).isTrue();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> VerdictRule.verdict(Metric.of("count"), new Ratio(1, 1, 1, 6), 0.03))
                .withMessageStartingWith("count is descriptive");
    }

    @Test
    void noErrorsOnEitherSideAreTheSame() {
        List<Double> none = List.of(0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
        Metric errors = Metric.of("errors");

        assertThat(VerdictRule.verdict(errors, Ratio.paired(none, none, true).orElseThrow(), 0.03))
                .isEqualTo(Verdict.SAME);
        List<Double> some = List.of(5.0, 6.0, 4.0, 5.0, 6.0, 5.0);
        assertThat(VerdictRule.verdict(errors, Ratio.paired(none, some, true).orElseThrow(), 0.03))
                .isEqualTo(Verdict.FASTER);
    }

    @Property
    void swappingTheSidesSwapsTheVerdict(
            @ForAll @Size(6) List<@DoubleRange(min = 90, max = 110) Double> ours,
            @ForAll @Size(6) List<@DoubleRange(min = 80, max = 100) Double> other) {
        Verdict one = VerdictRule.verdict(TPS, Ratio.paired(ours, other, false).orElseThrow(), 0.03);
        Verdict back = VerdictRule.verdict(TPS, Ratio.paired(other, ours, false).orElseThrow(), 0.03);

        assertThat(back)
                .isEqualTo(
                        switch (one) {
                            case FASTER -> Verdict.SLOWER;
                            case SLOWER -> Verdict.FASTER;
                            default -> one;
                        });
    }

    /** Skewed times of one distribution on both sides: 5 in 100 may be told apart, and their own spread of that count. */
    @Test
    void equalsAreToldApartInOneOfTwentyAtMost() {
        assertThat(falseVerdicts(Ratio::paired, 6, 6)).isLessThan(0.06);
        assertThat(falseVerdicts(Ratio::unpaired, 6, 6)).isLessThan(0.06);
        assertThat(falseVerdicts(Ratio::unpaired, 10, 6)).isLessThan(0.06);
    }

    /** The interval has to miss the truth as often as it says, or the test above could pass by intervals too wide. */
    @Test
    void theIntervalHoldsTheTruthNineteenTimesInTwenty() {
        Random random = new Random(3);
        int held = 0;
        for (int i = 0; i < 4_000; i++) {
            Ratio ratio =
                    Ratio.unpaired(draw(random, 8), draw(random, 6), false).orElseThrow();
            held += ratio.low() <= 1 && ratio.high() >= 1 ? 1 : 0;
        }
        assertThat(held / 4_000.0).isCloseTo(0.95, within(0.012));
    }

    @Test
    void theNoiseIsHowFarTwinsMayBeApart() {
        assertThat(Noise.percent(new Ratio(1, 0.8, 1.1, 6)).orElseThrow()).isCloseTo(25, within(1e-9));
        assertThat(Noise.percent(new Ratio(1.05, 1.04, 1.06, 6)).orElseThrow()).isCloseTo(6, within(1e-9));
        assertThat(Noise.percent(new Ratio(1, 1, 1, 2))).hasValue(0);
        assertThat(Noise.percent(new Ratio(1, 0, Double.MAX_VALUE, 1))).isEmpty();
    }

    private interface Way {
        Optional<Ratio> of(List<Double> ours, List<Double> other, boolean count);
    }

    private static double falseVerdicts(Way way, int ours, int other) {
        Random random = new Random(7);
        int wrong = 0;
        for (int i = 0; i < 4_000; i++) {
            Ratio ratio = way.of(draw(random, ours), draw(random, other), false).orElseThrow();
            Verdict verdict = VerdictRule.verdict(P99, ratio, 0.03);
            wrong += verdict == Verdict.FASTER || verdict == Verdict.SLOWER ? 1 : 0;
        }
        return wrong / 4_000.0;
    }

    private static List<Double> draw(Random random, int size) {
        return Stream.generate(() -> 100 * Math.exp(0.2 * random.nextGaussian()))
                .limit(size)
                .toList();
    }
}
