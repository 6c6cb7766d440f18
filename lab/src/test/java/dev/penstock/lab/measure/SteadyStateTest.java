package dev.penstock.lab.measure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kit.FullRun;
import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("full")
class SteadyStateTest {
    private static final int SEEDS = FullRun.sized(500, 2_000);

    /** Of {@link #SEEDS}, which are always the same ones. */
    private static final int FALSE_ALARMS = Math.max(2, SEEDS / 500);

    @ParameterizedTest
    @CsvSource({"16, 0.02", "30, 0.02", "30, 0.1", "30, 0.3", "60, 0.1", "300, 0.05", "300, 0.3"})
    void noiseAloneIsSteady(int intervals, double spread) {
        assertThat(alarms(intervals, (random, i) -> 100 * (1 + spread * random.nextGaussian())))
                .isLessThanOrEqualTo(FALSE_ALARMS);
    }

    @ParameterizedTest
    @CsvSource({"30, 10", "60, 10", "60, 7", "120, 30"})
    void faultsOfASecondNowAndThenAreSteady(int intervals, int every) {
        assertThat(alarms(
                        intervals,
                        (random, i) -> (i % every == every / 2 ? 1_900 : 100) * (1 + 0.05 * random.nextGaussian())))
                .isLessThanOrEqualTo(FALSE_ALARMS);
    }

    @Test
    void longFaultsThatComeBackAreSteady() {
        assertThat(alarms(60, (random, i) -> (i % 15 < 4 ? 900 : 100) * (1 + 0.05 * random.nextGaussian())))
                .isLessThanOrEqualTo(FALSE_ALARMS);
    }

    @Test
    void aFaultAtTheEndIsSteady() {
        assertThat(alarms(30, (random, i) -> (i >= 27 ? 900 : 100) * (1 + 0.05 * random.nextGaussian())))
                .isLessThanOrEqualTo(FALSE_ALARMS);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 5, 10})
    void aTransientAtTheStartIsSteadyAndItsLengthIsFound(int length) {
        double[] series = series(40, i -> i < length ? 300 - 10.0 * i : 100 + i % 3);

        SteadyState state = SteadyState.of(series);
        assertThat(state.reached()).isTrue();
        assertThat(state.settledAfter()).isBetween(length - 2, length + 2);
    }

    @ParameterizedTest
    @CsvSource({"20, 0.5", "30, 0.3", "30, 1", "30, 5", "60, 0.3", "300, 0.2", "30, -0.5", "60, -0.3"})
    void aDriftToTheEndIsNotSteady(int intervals, double drift) {
        assertThat(alarms(
                        intervals,
                        (random, i) -> 100 * (1 + drift * i / intervals) * (1 + 0.02 * random.nextGaussian())))
                .isGreaterThanOrEqualTo(SEEDS * 99 / 100);
    }

    @Test
    void aDriftUnderFaultsIsNotSteady() {
        assertThat(alarms(60, (random, i) -> (i % 10 == 5 ? 2_000 : 100 + 2 * i) * (1 + 0.02 * random.nextGaussian())))
                .isGreaterThanOrEqualTo(SEEDS * 99 / 100);
    }

    @Test
    void aStepLateInTheWindowIsNotSteady() {
        SteadyState state = SteadyState.of(series(40, i -> i < 24 ? 100 + i % 2 : 150 + i % 2));

        assertThat(state.reached()).isFalse();
        assertThat(state.settledAfter()).isBetween(22, 26);
        assertThat(state.firstHalf()).isBetween(100.0, 101.0);
        assertThat(state.secondHalf()).isBetween(150.0, 151.0);
    }

    @Test
    void aDriftThatDoesNotMatterIsSteady() {
        assertThat(SteadyState.of(series(60, i -> 100 + i * 0.05)).reached()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.1, 100, 1e12})
    void aSeriesThatNeverChangesIsSteady(double value) {
        for (int intervals : new int[] {0, 1, 15, 16, 50}) {
            assertThat(SteadyState.of(series(intervals, i -> value)).reached()).isTrue();
        }
    }

    @Test
    void manyEqualValuesAreJudgedAsOthers() {
        assertThat(SteadyState.of(series(40, i -> i < 25 ? 1 : 2)).reached()).isFalse();
        assertThat(SteadyState.of(series(40, i -> i % 4 == 0 ? 2 : 1)).reached())
                .isTrue();
    }

    @Test
    void answersThatStopAreNotSteady() {
        assertThat(SteadyState.of(series(30, i -> i < 18 ? 200 : 0)).reached()).isFalse();
    }

    @Test
    void tooFewIntervalsTellNothing() {
        assertThat(SteadyState.of(series(15, i -> 100.0 * i)).reached()).isTrue();
        assertThat(SteadyState.of(series(16, i -> 100.0 * i)).reached()).isFalse();
    }

    private interface Noisy {
        double at(SplittableRandom random, int interval);
    }

    private static long alarms(int intervals, Noisy value) {
        return IntStream.range(0, SEEDS)
                .filter(seed -> {
                    SplittableRandom random = new SplittableRandom(seed);
                    return !SteadyState.of(series(intervals, i -> value.at(random, i)))
                            .reached();
                })
                .count();
    }

    private static double[] series(int intervals, IntToDoubleFunction value) {
        return IntStream.range(0, intervals).mapToDouble(value).toArray();
    }
}
