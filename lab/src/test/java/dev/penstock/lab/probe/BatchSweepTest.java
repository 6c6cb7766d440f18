package dev.penstock.lab.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.Optional;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;

class BatchSweepTest {
    private static final double LEFT = 1_000;

    private static BatchFinding found(double fixed, double each, int most, double noise) {
        SplittableRandom random = new SplittableRandom(7);
        BatchSweep sweep = BatchSweep.upTo(most);
        for (Optional<Integer> next = sweep.next(LEFT); next.isPresent(); next = sweep.next(LEFT)) {
            int size = next.get();
            sweep.succeeded(size, (fixed + each * size) * Math.exp(noise * random.nextGaussian()));
        }
        return sweep.finding().orElseThrow();
    }

    @Test
    void paysWhenACallCostsMoreThanItsItems() {
        BatchFinding finding = found(0.020, 0.001, 256, 0.1);
        assertThat(finding.pays()).as(finding.why()).isTrue();
        assertThat(finding.best()).as(finding.why()).isBetween(120, 240); // 9 x 20
        assertThat(finding.points()).hasSize(9);
    }

    @Test
    void doesNotPayWhenItemsAreAllThatCosts() {
        BatchFinding finding = found(0, 0.005, 64, 0.1);
        assertThat(finding.pays()).as(finding.why()).isFalse();
        assertThat(finding.best()).isOne();
    }

    @Test
    void doubtIsNoReasonToBatch() {
        assertThat(found(0.0005, 0.005, 8, 0.5).pays()).isFalse();
    }

    @Test
    void sizesThatFailAreLeftOutWithAllThatAreLarger() {
        BatchSweep sweep = BatchSweep.upTo(64);
        for (Optional<Integer> next = sweep.next(LEFT); next.isPresent(); next = sweep.next(LEFT)) {
            if (next.get() > 10) {
                sweep.failed(next.get());
            } else {
                sweep.succeeded(next.get(), 0.02 + 0.001 * next.get());
            }
        }
        assertThat(sweep.finding().orElseThrow().points())
                .extracting(BatchFinding.Point::items)
                .containsExactly(1, 2, 4, 8);
    }

    @Test
    void saysNothingOfTooFewCalls() {
        BatchSweep sweep = BatchSweep.upTo(4);
        sweep.succeeded(1, 0.02);
        assertThat(sweep.finding()).isEmpty();
        assertThat(sweep.next(0)).isEmpty();
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
        BatchSweep.Cost found = BatchSweep.Cost.fit(items, costs);
        assertThat(found.fixed()).isCloseTo(fixed, within(1e-6 + 1e-6 * fixed));
        assertThat(found.each()).isCloseTo(each, withinPercentage(0.01));
    }
}
