package dev.penstock.lab.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.penstock.lab.probe.fit.CappedLine;
import dev.penstock.lab.probe.fit.Curve;
import dev.penstock.lab.probe.fit.FixedAndEach;
import dev.penstock.lab.probe.fit.KneeFit;
import dev.penstock.lab.probe.fit.Sample;
import dev.penstock.lab.probe.fit.UslCurve;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.LongRange;

class CurvesPropertyTest {
    private static final double[] LEVELS = {1, 2, 4, 8, 12, 16, 24, 32, 64, 128};

    private static List<Sample> on(Curve curve, double noise, Random random) {
        List<Sample> samples = new ArrayList<>();
        for (int repeat = 0; repeat < 3; repeat++) {
            for (double level : LEVELS) {
                double off = Math.exp(noise * random.nextGaussian());
                samples.add(new Sample(level, curve.throughput(level) * off, 1));
            }
        }
        return samples;
    }

    @Property(tries = 100)
    void aCurveIsFoundAgainInItsOwnPoints(
            @ForAll @DoubleRange(min = 0.01, max = 2) double alone,
            @ForAll @DoubleRange(min = 0, max = 0.3) double sigma,
            @ForAll @LongRange(min = 1, max = 100) long tenThousandths) {
        double kappa = tenThousandths / 1e4;
        UslCurve truth = new UslCurve(alone, alone * sigma, alone * kappa);
        UslCurve found = Objects.requireNonNull(UslCurve.fit(on(truth, 0, new Random(1))));
        assertThat(found.knee()).isCloseTo(truth.knee(), withinPercentage(0.1));
        assertThat(found.sigma()).isCloseTo(sigma, within(1e-4));
        assertThat(truth.throughput(truth.knee())).isGreaterThanOrEqualTo(truth.throughput(truth.knee() * 1.2));
        assertThat(truth.throughput(truth.knee())).isGreaterThanOrEqualTo(truth.throughput(truth.knee() / 1.2));
    }

    @Property(tries = 100)
    void aLineIsFoundAgainInItsOwnPoints(
            @ForAll @DoubleRange(min = 1, max = 1000) double slope,
            @ForAll @DoubleRange(min = 2.1, max = 60) double knee) {
        CappedLine found =
                Objects.requireNonNull(CappedLine.fit(on(new CappedLine(slope, slope * knee), 0, new Random(1))));
        assertThat(found.knee()).isCloseTo(knee, withinPercentage(0.1));
    }

    /** Whatever is measured: nothing is negative, and a change of units changes nothing but the units. */
    @Property(tries = 100)
    void nothingIsNegativeAndUnitsDoNotMatter(
            @ForAll @LongRange(min = 0, max = 100_000) long seed,
            @ForAll @DoubleRange(min = 0.01, max = 1000) double unit) {
        Random random = new Random(seed);
        List<Sample> samples = new ArrayList<>();
        for (double level : LEVELS) {
            samples.add(new Sample(level, Math.exp(0.5 * random.nextGaussian()), 0.1 + random.nextDouble()));
        }
        List<Sample> scaled = samples.stream()
                .map(sample -> new Sample(sample.concurrency(), unit * sample.throughput(), sample.weight()))
                .toList();
        UslCurve usl = Objects.requireNonNull(UslCurve.fit(samples));
        UslCurve other = Objects.requireNonNull(UslCurve.fit(scaled));
        assertThat(usl.p0()).isPositive();
        assertThat(usl.p1()).isNotNegative();
        assertThat(usl.p2()).isNotNegative();
        assertThat(other.p0() * unit).isCloseTo(usl.p0(), withinPercentage(0.01));
        CappedLine line = Objects.requireNonNull(CappedLine.fit(samples));
        // The best line is no worse than any that is near it.
        for (double factor : new double[] {0.9, 1.1}) {
            assertThat(line.misfit(samples))
                    .isLessThanOrEqualTo(new CappedLine(line.slope() * factor, line.most() * factor).misfit(samples));
        }
    }

    @Property(tries = 8)
    void theRightModelIsChosenAndItsIntervalHoldsTheTruth(
            @ForAll @LongRange(min = 0, max = 100_000) long seed, @ForAll @DoubleRange(min = 5, max = 40) double knee) {
        CappedLine line = new CappedLine(10, 10 * knee);
        UslCurve usl = new UslCurve(0.1, 0.005, 0.1 * 0.95 / (knee * knee));
        for (Curve truth : List.of(line, usl)) {
            KneeFit fit = Objects.requireNonNull(KneeFit.of(on(truth, 0.02, new Random(seed)), seed));
            assertThat(fit.chosen().model()).isEqualTo(truth.model());
            assertThat(fit.low()).isLessThanOrEqualTo(fit.chosen().knee());
            assertThat(fit.high()).isGreaterThanOrEqualTo(fit.chosen().knee());
            assertThat(fit.low()).isLessThan(1.1 * knee);
            assertThat(fit.high()).isGreaterThan(0.9 * knee);
            assertThat(KneeFit.of(on(truth, 0.02, new Random(seed)), seed)).isEqualTo(fit);
        }
    }

    @Property(tries = 50)
    void costsAreTakenApart(
            @ForAll @DoubleRange(min = 0, max = 50) double fixed,
            @ForAll @DoubleRange(min = 0.01, max = 5) double each) {
        double[] items = {1, 2, 4, 8, 16, 32};
        double[] costs = new double[items.length];
        for (int i = 0; i < items.length; i++) {
            costs[i] = fixed + each * items[i];
        }
        FixedAndEach found = FixedAndEach.fit(items, costs);
        assertThat(found.fixed()).isCloseTo(fixed, within(1e-6 + 1e-6 * fixed));
        assertThat(found.each()).isCloseTo(each, withinPercentage(0.01));
    }
}
