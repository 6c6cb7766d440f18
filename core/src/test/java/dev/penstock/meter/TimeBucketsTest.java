package dev.penstock.meter;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class TimeBucketsTest {
    @Property(tries = 2_000)
    void itsStepsAreThoseOfAHistogram(@ForAll @LongRange(max = Timings.LONGEST_NANOS) long nanos) {
        Histogram histogram = Timings.none();
        long step = TimeBuckets.nanos(TimeBuckets.slot(nanos));
        assertThat(step).isEqualTo(histogram.lowestEquivalentValue(nanos));
        assertThat(nanos - step).isLessThanOrEqualTo(Math.max(512, nanos / 128));
    }

    @Test
    void everyStepIsItsOwn() {
        for (int slot = 0; slot <= TimeBuckets.slot(Timings.LONGEST_NANOS); slot++) {
            assertThat(TimeBuckets.slot(TimeBuckets.nanos(slot))).isEqualTo(slot);
        }
    }

    @Test
    void timesOutOfRangeGoToTheEnds() {
        assertThat(TimeBuckets.slot(Long.MIN_VALUE)).isZero();
        assertThat(TimeBuckets.slot(Long.MAX_VALUE)).isEqualTo(TimeBuckets.slot(Timings.LONGEST_NANOS));
        assertThat(TimeBuckets.slot(Timings.LONGEST_NANOS)).isLessThan(TimeBuckets.SLOTS);
    }
}
