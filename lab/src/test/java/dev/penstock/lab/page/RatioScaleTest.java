package dev.penstock.lab.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.penstock.lab.report.Comparison;
import dev.penstock.lab.report.Comparison.Verdict;
import java.util.List;
import org.junit.jupiter.api.Test;

class RatioScaleTest {
    @Test
    void oneIsInTheMiddleAndInversesAreEquallyFar() {
        RatioScale scale = of(0.5, 0.4, 0.6);
        assertThat(scale.share(1)).isEqualTo(0.5);
        assertThat(scale.share(2) - 0.5).isCloseTo(0.5 - scale.share(0.5), within(1e-12));
        assertThat(scale.isBelow(0.4)).isFalse();
    }

    @Test
    void whatLiesBeyondItsEndsIsKnown() {
        RatioScale scale = of(0.001, 0, 3);
        assertThat(scale.isBelow(0.001)).isTrue();
        assertThat(scale.isBelow(0)).isTrue();
        assertThat(scale.isAbove(Double.MAX_VALUE)).isTrue();
        assertThat(scale.isAbove(3)).isFalse();
        assertThat(scale.share(0)).isZero();
        assertThat(scale.share(Double.MAX_VALUE)).isEqualTo(1);
    }

    @Test
    void ticksStandApart() {
        for (double ratio : new double[] {1, 1.03, 1.15, 1.4, 2, 4, 9, 30}) {
            RatioScale scale = of(ratio, ratio, ratio);
            List<Double> ticks = scale.ticks();
            assertThat(ticks).contains(1.0).isSorted().hasSizeBetween(3, 5);
            for (int i = 1; i < ticks.size(); i++) {
                assertThat(scale.share(ticks.get(i)) - scale.share(ticks.get(i - 1)))
                        .isGreaterThan(0.2);
            }
        }
    }

    @Test
    void labelsAreShort() {
        assertThat(RatioScale.label(1)).isEqualTo("1×");
        assertThat(RatioScale.label(1 / 1.2)).isEqualTo("0.83×");
        assertThat(RatioScale.label(0.05)).isEqualTo("0.05×");
        assertThat(RatioScale.label(20)).isEqualTo("20×");
    }

    private static RatioScale of(double ratio, double low, double high) {
        return RatioScale.of(List.of(new Comparison(null, "tps", "a", "b", ratio, low, high, Verdict.SAME)));
    }
}
