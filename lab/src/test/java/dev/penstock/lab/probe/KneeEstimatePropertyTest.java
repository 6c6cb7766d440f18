package dev.penstock.lab.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.LongRange;

class KneeEstimatePropertyTest {
    private static final int[] LEVELS = {1, 2, 4, 8, 12, 16, 24, 32, 64, 128};

    private static KneeEstimate estimate(DoubleUnaryOperator throughput, double noise, long seed) {
        Random random = new Random(seed);
        List<KneeObservation> seen = new ArrayList<>();
        for (int repeat = 0; repeat < 4; repeat++) {
            for (int level : LEVELS) {
                double answers = throughput.applyAsDouble(level) * Math.exp(noise * random.nextGaussian());
                seen.add(new KneeObservation(level, answers, level / answers, 0, 10_000, 0.1, 0, false));
            }
        }
        return KneeEstimate.of(seen, 128);
    }

    private static DoubleUnaryOperator contended(double alone, double sigma, double knee) {
        double kappa = (1 - sigma) / (knee * knee);
        return n -> n / (alone * (1 + sigma * (n - 1) + kappa * n * (n - 1)));
    }

    @Property(tries = 100)
    void theEndOfALineIsFound(
            @ForAll @DoubleRange(min = 1, max = 1000) double slope,
            @ForAll @DoubleRange(min = 2.1, max = 60) double knee) {
        KneeEstimate found = estimate(n -> slope * Math.min(n, knee), 0, 1);
        assertThat(found.knee()).isCloseTo(knee, withinPercentage(0.1));
        assertThat(found.throughput()).isCloseTo(slope * knee, withinPercentage(0.1));
        assertThat(found.falls()).isFalse();
    }

    @Property(tries = 100)
    void thePeakOfACurveIsFound(
            @ForAll @DoubleRange(min = 0.01, max = 2) double alone,
            @ForAll @DoubleRange(min = 0, max = 0.05) double sigma,
            @ForAll @DoubleRange(min = 5, max = 40) double knee) {
        KneeEstimate found = estimate(contended(alone, sigma, knee), 0, 1);
        assertThat(found.falls()).isTrue();
        assertThat(found.knee()).isCloseTo(knee, withinPercentage(5));
    }

    @Property(tries = 20)
    void theIntervalIsNearTheTruth(
            @ForAll @LongRange(min = 0, max = 100_000) long seed, @ForAll @DoubleRange(min = 5, max = 40) double knee) {
        for (DoubleUnaryOperator truth :
                List.of((DoubleUnaryOperator) n -> Math.min(n, knee), contended(1, 0.05, knee))) {
            KneeEstimate found = estimate(truth, 0.02, seed);
            assertThat(found.low()).isLessThanOrEqualTo(found.knee()).isLessThan(1.1 * knee);
            assertThat(found.high()).isGreaterThanOrEqualTo(found.knee()).isGreaterThan(0.9 * knee);
            assertThat(found.isReached()).isTrue();
        }
    }

    /** Whatever is measured: the knee is at one call or more, within its interval, and units of time do not matter. */
    @Property(tries = 100)
    void anyMeasurementsHaveAnEstimate(
            @ForAll @LongRange(min = 0, max = 100_000) long seed,
            @ForAll @DoubleRange(min = 0.01, max = 1000) double unit) {
        KneeEstimate found = estimate(n -> 1, 0.5, seed);
        assertThat(found.knee()).isGreaterThanOrEqualTo(1);
        assertThat(found.low()).isLessThanOrEqualTo(found.knee());
        assertThat(found.high()).isGreaterThanOrEqualTo(found.knee());
        KneeEstimate scaled = estimate(n -> unit, 0.5, seed);
        assertThat(scaled.falls()).isEqualTo(found.falls());
        if (Double.isFinite(found.knee())) {
            assertThat(scaled.knee()).isCloseTo(found.knee(), withinPercentage(0.01));
        }
    }

    @Property(tries = 10)
    void aCurveThatOnlyRisesHasNoKnee(@ForAll @DoubleRange(min = 1, max = 100) double unit) {
        assertThat(estimate(n -> unit * n, 0, 1).isReached()).isFalse();
        assertThat(estimate(n -> unit * n / (1 + 0.1 * n), 0, 1).isReached()).isFalse();
    }
}
