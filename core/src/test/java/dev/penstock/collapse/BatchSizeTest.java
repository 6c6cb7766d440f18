package dev.penstock.collapse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class BatchSizeTest {
    @Test
    void whereCallsDoNotWaitForEachOtherOneIsTheFastest() {
        BatchSize size = new BatchSize(20, 2, 0, 1);
        assertThat(size.best()).isEqualTo(1);
        assertThat(size.time(1)).isEqualTo(22);
        assertThat(size.time(3)).isEqualTo(28);
        assertThat(size.largest(28)).isEqualTo(3);
    }

    @Test
    void whereTheyDoTheBestIsFasterThanItsNeighboursAndNoneBelowTheLoadIsPossible() {
        BatchSize size = new BatchSize(20, 2, 3.25, 1);
        double best = size.best();
        assertThat(best).isGreaterThan(3.25);
        assertThat(size.time(best)).isLessThan(size.time(best * 0.9)).isLessThan(size.time(best * 1.1));
        assertThat(size.time(3.25)).isInfinite();
    }

    @Test
    void theLargestWithinATimeTakesThatTime() {
        BatchSize size = new BatchSize(20, 2, 3.25, 1);
        double time = 1.05 * size.time(size.best());
        double largest = size.largest(time);
        assertThat(largest).isGreaterThan(size.best());
        assertThat(size.time(largest)).isCloseTo(time, within(1e-9));
    }

    @Test
    void whatCostsNothingHasNoLargest() {
        assertThat(new BatchSize(500, 0, 0, 0).largest(500)).isInfinite();
    }
}
