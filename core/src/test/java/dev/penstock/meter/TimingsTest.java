package dev.penstock.meter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class TimingsTest {
    private final Timings timings = new Timings();

    @Test
    void keepsWhatWasRecordedToTwoDigits() {
        timings.record(1_000_000);
        timings.record(250_000_000);
        Histogram all = timings.snapshot();
        assertThat(all.getTotalCount()).isEqualTo(2);
        assertThat((double) all.getMaxValue()).isCloseTo(250_000_000, Percentage.withPercentage(1));
    }

    @Test
    void timesOutOfRangeAreKeptAtItsEnds() {
        timings.record(-5);
        timings.record(Long.MAX_VALUE);
        Histogram all = timings.snapshot();
        assertThat(all.getTotalCount()).isEqualTo(2);
        assertThat((double) all.getMaxValue()).isCloseTo(Timings.LONGEST_NANOS, Percentage.withPercentage(1));
        assertThat(all.getMinValue()).isCloseTo(0L, within(1_000L));
    }

    @Test
    void nothingIsLostBetweenThreads() throws Exception {
        var threads = IntStream.range(0, 50)
                .mapToObj(number -> Thread.ofVirtual().start(() -> {
                    for (int round = 0; round < 1_000; round++) {
                        timings.record(1_000L * round);
                    }
                }))
                .toList();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(timings.snapshot().getTotalCount()).isEqualTo(50_000);
    }
}
