package dev.penstock.lab.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ArrivalsTest {
    @Test
    void constantArrivalsAreEvenlySpacedFromTheStart() {
        LongSupplier offsets = Arrivals.constant(200).offsets();

        assertThat(LongStream.generate(offsets).limit(4)).containsExactly(0L, 5_000_000L, 10_000_000L, 15_000_000L);
    }

    @Test
    void constantArrivalsDoNotDrift() {
        LongSupplier offsets = Arrivals.constant(3).offsets();

        assertThat(LongStream.generate(offsets).skip(3_000_000).findFirst()).hasValue(1_000_000_000_000_000L);
    }

    @Test
    void poissonArrivalsHaveTheirRateAndExponentialGaps() {
        LongSupplier offsets = Arrivals.poisson(1_000, 5).offsets();
        long[] due = LongStream.generate(offsets).limit(100_001).toArray();

        double mean = due[100_000] / 100_001.0;
        assertThat(mean).isCloseTo(1e6, within(1e4));
        assertThat(due).isSorted();
        long shortGaps = LongStream.range(1, due.length)
                .filter(i -> due[(int) i] - due[(int) i - 1] < Math.log(2) * 1e6)
                .count();
        assertThat(shortGaps).isBetween(49_000L, 51_000L);
    }

    @Test
    void theSameSeedMakesTheSameArrivals() {
        assertThat(first(Arrivals.poisson(10, 1))).isEqualTo(first(Arrivals.poisson(10, 1)));
        assertThat(first(Arrivals.poisson(10, 1))).isNotEqualTo(first(Arrivals.poisson(10, 2)));
    }

    @Test
    void aRateOutOfRangeIsRefused() {
        for (double rate : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY, 1_000_001}) {
            assertThatIllegalArgumentException().isThrownBy(() -> Arrivals.constant(rate));
            assertThatIllegalArgumentException().isThrownBy(() -> Arrivals.poisson(rate, 1));
        }
    }

    private static long first(Arrivals arrivals) {
        return arrivals.offsets().getAsLong();
    }
}
