package dev.penstock.lab.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class DelayTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    @Test
    void aConstantDelayIsAlwaysTheSame() {
        assertThat(sorted(new Delay.Constant(SECOND))).containsOnly(1e9);
    }

    @Test
    void aSpreadDelayFillsItsRangeAndKeepsToIt() {
        double[] drawn = sorted(new Delay.Spread(SECOND, Duration.ofMillis(100)));

        assertThat(drawn[0]).isBetween(900e6, 902e6);
        assertThat(drawn[drawn.length - 1]).isBetween(1098e6, 1100e6);
        assertThat(mean(drawn)).isCloseTo(1e9, within(2e6));
    }

    @Test
    void anExponentialDelayHasItsMeanAndMostlyLess() {
        double[] drawn = sorted(new Delay.Exponential(SECOND));

        assertThat(mean(drawn)).isCloseTo(1e9, within(2e7));
        assertThat(at(drawn, 0.5)).isCloseTo(Math.log(2) * 1e9, within(2e7));
    }

    @Test
    void aLogNormalDelayHasItsMedianAndItsNinetyNinthPercentile() {
        double[] drawn = sorted(new Delay.LogNormal(SECOND, Duration.ofSeconds(3)));

        assertThat(at(drawn, 0.5)).isCloseTo(1e9, within(2e7));
        assertThat(at(drawn, 0.99)).isCloseTo(3e9, within(1e8));
    }

    @Test
    void noDelayIsAboveOneHour() {
        double[] drawn = sorted(new Delay.LogNormal(Duration.ofMinutes(50), Duration.ofHours(1)));

        assertThat(drawn[drawn.length - 1]).isEqualTo(3_600e9);
    }

    @Test
    void theSameSeedDrawsTheSameDelays() {
        Delay delay = new Delay.Exponential(SECOND);

        assertThat(delay.nanos(new SplittableRandom(7))).isEqualTo(delay.nanos(new SplittableRandom(7)));
        assertThat(delay.nanos(new SplittableRandom(7))).isNotEqualTo(delay.nanos(new SplittableRandom(8)));
    }

    @Test
    void whatCannotBeIsRefused() {
        Duration negative = Duration.ofMillis(-1);
        assertThatIllegalArgumentException().isThrownBy(() -> new Delay.Constant(negative));
        assertThatIllegalArgumentException().isThrownBy(() -> new Delay.Constant(Duration.ofHours(2)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Delay.Spread(Duration.ofMillis(10), Duration.ofMillis(20)))
                .withMessageContaining("use a spread of at most the delay");
        assertThatIllegalArgumentException().isThrownBy(() -> new Delay.LogNormal(Duration.ZERO, SECOND));
        assertThatIllegalArgumentException().isThrownBy(() -> new Delay.LogNormal(SECOND, Duration.ofMillis(999)));
    }

    private static double[] sorted(Delay delay) {
        SplittableRandom random = new SplittableRandom(42);
        double[] drawn = new double[100_000];
        Arrays.setAll(drawn, i -> delay.nanos(random));
        Arrays.sort(drawn);
        return drawn;
    }

    private static double mean(double[] values) {
        return Arrays.stream(values).average().orElseThrow();
    }

    private static double at(double[] sorted, double share) {
        return sorted[(int) (share * sorted.length)];
    }
}
