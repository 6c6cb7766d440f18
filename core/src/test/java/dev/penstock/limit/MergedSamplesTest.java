package dev.penstock.limit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MergedSamplesTest {
    private static final long MS = 1_000_000;

    private final SharedLimit.MergedSamples merged = new SharedLimit.MergedSamples();

    private static LoadSample sample(long fromMs, long toMs, long count, int inFlight) {
        return new LoadSample(
                fromMs * MS,
                toMs * MS,
                count,
                2 * count,
                3 * count,
                4 * count,
                5 * count,
                6 * count,
                inFlight,
                7 * count,
                8 * count);
    }

    @Test
    void thoseOfOneFlowPassWithAllThatIsInFlight() {
        assertThat(merged.add(sample(3, 13, 1, 1), 7)).isEqualTo(sample(3, 13, 1, 7));
        assertThat(merged.add(sample(13, 40, 2, 1), 8)).isEqualTo(sample(13, 40, 2, 8));
    }

    @Test
    void thoseOfSeveralFlowsAreAddedUpUntilAStretchIsOver() {
        merged.add(sample(0, 10, 1, 1), 1);
        assertThat(merged.add(sample(0, 12, 10, 1), 2)).isNull();
        assertThat(merged.add(sample(0, 15, 100, 1), 3)).isNull();
        assertThat(merged.add(sample(10, 21, 1_000, 1), 4)).isEqualTo(sample(10, 21, 1_110, 4));
    }

    /** Threads that hand samples over may overtake one another. */
    @Test
    void oneThatComesLateCountsInTheNext() {
        merged.add(sample(0, 20, 1, 1), 1);
        assertThat(merged.add(sample(0, 19, 10, 1), 2)).isNull();
        assertThat(merged.add(sample(20, 30, 1, 1), 3)).isEqualTo(sample(20, 30, 11, 3));
    }
}
