package dev.penstock.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a limit does at its bounds; what it finds between them is shown by simulation. */
class AdaptiveLimitTest {
    private static final long STRETCH = 10_000_000;
    private static final double CALL_NANOS = 125e6;

    /** A target that gives as much more as there is more in flight, measured with some noise. */
    private static LoadSample sample(long from, int inFlight, Random random) {
        double expected = inFlight * STRETCH / CALL_NANOS;
        long answered = Math.max(1, Math.round(expected + Math.sqrt(expected) * random.nextGaussian() / 4));
        return new LoadSample(
                from, from + STRETCH, answered, Math.round(answered * CALL_NANOS), 0, 0, 0, 0, inFlight, 0, 1);
    }

    @ParameterizedTest
    @CsvSource({"500, 1", "500, 2", "250, 3", "2000, 4"})
    void staysAtItsUpperBoundWhileMoreWouldBeBetterStill(int most, long seed) {
        AdaptiveLimit limit = new AdaptiveLimit(AdaptiveLimit.INITIAL, 1, most, Duration.ZERO);
        Random random = new Random(seed);
        double sum = 0;
        int counted = 0;
        for (long now = 0; now < 60_000_000_000L; now += STRETCH) {
            limit.sample(sample(now, limit.permits(), random));
            if (now > 15_000_000_000L) {
                sum += limit.permits();
                counted++;
            }
        }
        assertThat(sum / counted / most).isBetween(0.97, 1.0);
    }
}
