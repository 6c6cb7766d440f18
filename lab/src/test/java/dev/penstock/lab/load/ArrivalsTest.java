package dev.penstock.lab.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ArrivalsTest {
    private static final long SECOND = 1_000_000_000;

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
    void aRampGetsDenserEvenly() {
        Arrivals arrivals = Arrivals.even(Shape.ramp(0, 200, Duration.ofSeconds(10)));
        long[] due = upTo(arrivals, 20 * SECOND);

        // Of a ramp from 0, a quarter comes in the first half; then the last rate goes on.
        assertThat(between(due, 0, 5 * SECOND)).isEqualTo(250);
        assertThat(between(due, 5 * SECOND, 10 * SECOND)).isEqualTo(750);
        assertThat(between(due, 10 * SECOND, 20 * SECOND)).isEqualTo(2_000);
        assertThat(due[4]).isEqualTo((long) (Math.sqrt(2 * 4 * 10 / 200.0) * SECOND));
    }

    @Test
    void aRampMaySinkToNothing() {
        long[] due = upTo(Arrivals.even(Shape.ramp(100, 0, Duration.ofSeconds(2))), Long.MAX_VALUE);

        assertThat(due).hasSize(100).isSorted();
        assertThat(due[99]).isLessThan(2 * SECOND);
    }

    @Test
    void stepsFollowEachOtherWithPausesBetween() {
        Shape shape = Shape.steps(List.of(0.0, 100.0, 0.0, 400.0), Duration.ofSeconds(1));
        long[] due = upTo(Arrivals.even(shape), 5 * SECOND);

        assertThat(due[0]).isEqualTo(SECOND);
        assertThat(between(due, SECOND, 2 * SECOND)).isEqualTo(100);
        assertThat(between(due, 2 * SECOND, 3 * SECOND)).isZero();
        assertThat(due[100]).isEqualTo(3 * SECOND);
        assertThat(between(due, 3 * SECOND, 4 * SECOND)).isEqualTo(400);
        assertThat(between(due, 4 * SECOND, 5 * SECOND)).isEqualTo(400);
    }

    @Test
    void aSpikeStandsOnItsBase() {
        Shape shape = Shape.spike(100, 2_000, Duration.ofSeconds(3), Duration.ofMillis(500));
        long[] due = upTo(Arrivals.even(shape), 10 * SECOND);

        assertThat(between(due, 0, 3 * SECOND)).isEqualTo(300);
        assertThat(between(due, 3 * SECOND, 3 * SECOND + SECOND / 2)).isEqualTo(1_000);
        assertThat(between(due, 3 * SECOND + SECOND / 2, 10 * SECOND)).isEqualTo(650);
    }

    @Test
    void poissonArrivalsFollowTheShapeToo() {
        Shape shape = Shape.ramp(0, 10_000, Duration.ofSeconds(10))
                .withSpike(0, Duration.ofSeconds(8), Duration.ofSeconds(1));
        long[] due = upTo(Arrivals.poisson(shape, 3), 10 * SECOND);

        // Expected 12,500, 0 and 9,500; a Poisson count of n is off by more than 4 sqrt(n) once in 15,000.
        assertThat(between(due, 0, 5 * SECOND)).isCloseTo(12_500, within(448L));
        assertThat(between(due, 8 * SECOND, 9 * SECOND)).isZero();
        assertThat(between(due, 9 * SECOND, 10 * SECOND)).isCloseTo(9_500, within(390L));
    }

    @Test
    void theNextOneAllocatesNothing() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        Shape shape = Shape.ramp(1_000, 100_000, Duration.ofSeconds(5))
                .withSpike(0, Duration.ofSeconds(2), Duration.ofSeconds(1));
        for (Arrivals arrivals : List.of(Arrivals.even(shape), Arrivals.poisson(shape, 1))) {
            LongSupplier offsets = arrivals.offsets();
            long sum = 0;
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 100_000; i++) {
                sum += offsets.getAsLong();
            }
            long allocated = threads.getCurrentThreadAllocatedBytes() - before;

            assertThat(sum).isPositive();
            assertThat(allocated).isLessThan(10_000); // one byte each would be ten times as much
        }
    }

    @Test
    void oneSeedMakesTheSameArrivalsAndPayloads() {
        for (long seed : new long[] {1, 7, -3}) {
            LongSupplier times = Arrivals.poisson(Shape.ramp(10, 90, Duration.ofSeconds(9)), seed)
                    .offsets();
            LongSupplier again = Arrivals.poisson(Shape.ramp(10, 90, Duration.ofSeconds(9)), seed)
                    .offsets();
            for (long number = 0; number < 500; number++) {
                assertThat(times.getAsLong()).isEqualTo(again.getAsLong());
                assertThat(new PaymentXml(seed).apply(number)).isEqualTo(new PaymentXml(seed).apply(number));
            }
        }
        assertThat(first(Arrivals.poisson(10, 1))).isNotEqualTo(first(Arrivals.poisson(10, 7)));
        assertThat(new PaymentXml(1).apply(0)).isNotEqualTo(new PaymentXml(7).apply(0));
    }

    @Test
    void theyTellWhatTheyAre() {
        assertThat(Arrivals.constant(200)).hasToString("200/s evenly spaced");
        assertThat(Arrivals.poisson(0.5, 1)).hasToString("0.5/s Poisson arrivals");
        assertThat(Arrivals.even(Shape.ramp(100, 1_000, Duration.ofSeconds(30))))
                .hasToString("ramp from 100/s to 1000/s in 30 s, evenly spaced");
        assertThat(Arrivals.poisson(Shape.steps(List.of(100.0, 200.0), Duration.ofSeconds(15)), 1))
                .hasToString("steps of 15 s: 100/s, 200/s, Poisson arrivals");
        assertThat(Arrivals.even(Shape.spike(200, 2_000, Duration.ofSeconds(10), Duration.ofSeconds(2))))
                .hasToString("200/s with 2000/s from 10 s on for 2 s, evenly spaced");
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

    static long[] upTo(Arrivals arrivals, long end) {
        LongSupplier offsets = arrivals.offsets();
        return LongStream.generate(offsets).takeWhile(offset -> offset < end).toArray();
    }

    static long between(long[] due, long from, long to) {
        return LongStream.of(due).filter(at -> at >= from && at < to).count();
    }
}
