package dev.penstock.lab.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ValidityTest {
    private static final long MS = 1_000_000;
    private static final long SECOND = 1_000_000_000;
    private static final long START = Long.MAX_VALUE - 2 * SECOND; // readings overflow on the way

    @Test
    void aRunThatShedMoreThanOneInAThousandIsInvalid() {
        assertThat(result(999, 1, 0).validity().valid()).isTrue();
        assertThat(result(998, 2, 0).validity().whyInvalid())
                .isEqualTo("the generator shed 2 of 1,000 transactions (0.20 %, at most 0.1 % is allowed) because its"
                        + " in-flight limit was reached: lower the rate or raise the limit");
    }

    @Test
    void aRunWhoseFiguresAreMoreThanATenthLagIsInvalid() {
        assertThat(result(1_000, 0, 9 * MS).validity().valid()).isTrue();
        assertThat(result(1_000, 0, 15 * MS).validity().whyInvalid())
                .startsWith("the generator started transactions up to 15")
                .contains("late (p99), which is 13 % of the mean, 13 % of p50, 13 % of p90, 13 % of p99 (at most 10 %");
    }

    @Test
    void lagThatMovesNoFigureDoesNoHarm() {
        assertThat(mixed(10 * MS, 2_000 * MS, 2 * MS).validity().valid()).isTrue();
        assertThat(mixed(10 * MS, 20 * MS, 20 * MS).validity().whyInvalid())
                .contains("which is 50 % of p99")
                .contains("right all the same: the mean, p50, p90");
        assertThat(mixed(10 * MS, 20 * MS, 20 * MS).validity().stands()).containsExactly("mean_ms", "p50_ms", "p90_ms");
        assertThat(result(1_000, 0, 15 * MS).validity().stands()).isEmpty();
        assertThat(result(998, 2, 0).validity().stands()).isEmpty();
    }

    @Test
    void lagWithinTheResolutionOfTheGeneratorDoesNoHarmToTheTail() {
        assertThat(lagging(20, 290_000).validity().valid()).isTrue();
        assertThat(lagging(20, 400_000).validity().whyInvalid())
                .contains("which is 29 % of p99")
                .contains("right all the same: the mean, p50, p90");
        assertThat(lagging(1, 300_000).validity().whyInvalid()).contains("23 % of the mean, 23 % of p50");
    }

    /** 1,000 transactions of 1 ms, of which one in {@code every} starts late. */
    private static LoadResult lagging(int every, long lag) {
        LoadRecorder recorder = new LoadRecorder(START, SECOND, List.of());
        for (int i = 0; i < 1_000; i++) {
            long start = START + (i % every == 0 ? lag : 0);
            recorder.started(START, 0);
            recorder.ended(Outcome.RIGHT, 0, START, start, start + MS);
        }
        return resultOf(recorder);
    }

    @Test
    void lagWithinTheIntervalOfAFigureDoesNoHarm() {
        LoadRecorder recorder = new LoadRecorder(START, SECOND, List.of());
        for (int i = 0; i < 1_000; i++) {
            recorder.started(START, 0);
            long lag = i < 11 ? 20 * MS : 0;
            long service = i >= 985 ? 26 * MS : 10 * MS;
            recorder.ended(Outcome.RIGHT, 0, START, START + lag, START + lag + service);
        }
        // p99 is 30 ms, its interval begins at 26 ms, and that is p99 of the service time.
        assertThat(resultOf(recorder).validity().valid()).isTrue();
    }

    /** Of 1,000 transactions, 20 have another service time and lag; of the others each tenth lags by 1 ms. */
    private static LoadResult mixed(long service, long seldom, long lag) {
        LoadRecorder recorder = new LoadRecorder(START, SECOND, List.of());
        for (int i = 0; i < 1_000; i++) {
            recorder.started(START, 0);
            long start = START + (i % 50 == 0 ? lag : i % 10 == 1 ? MS : 0);
            recorder.ended(Outcome.RIGHT, 0, START, start, start + (i % 50 == 0 ? seldom : service));
        }
        return resultOf(recorder);
    }

    @Test
    void aShortRunIsNotToldToLowerItsRate() {
        assertThat(result(1_000, 0, 15 * MS).validity().whyInvalid()).endsWith("lower the rate or give it more cores");
        assertThat(result(200, 0, 15 * MS).validity().whyInvalid()).endsWith("run for longer");
    }

    @Test
    void aRunWithoutTransactionsIsInvalid() {
        assertThat(result(0, 0, 0).validity().whyInvalid()).startsWith("no transaction was due");
    }

    /** The same lags in every slice move p99; in one, they do not show what p99 would be without them. */
    @Test
    void lagOfOneStallIsWithinTheIntervalOfTheSlices() {
        assertThat(tailed(1).validity().valid()).isTrue();
        assertThat(tailed(LoadRecorder.SLICES).validity().whyInvalid()).contains("of p99");
    }

    /** A stall that makes most of the tail is not excused because it was one. */
    @Test
    void lagOfALongStallInvalidatesARun() {
        LoadRecorder recorder = new LoadRecorder(START, SECOND, List.of());
        for (int i = 0; i < 10_000; i++) {
            long due = START + i * SECOND / 10_000;
            long lag = i >= 5_000 && i < 5_500 ? 100 * MS : 0;
            recorder.started(due, 0);
            recorder.ended(Outcome.RIGHT, 0, due, due + lag, due + lag + MS);
        }
        assertThat(resultOf(recorder).validity().whyInvalid()).contains("99 % of p99");
    }

    /** 10,000 transactions of 1 ms, of which 120 take 2 to 3 ms; 60 of the others lag by 6 ms, in so many slices. */
    private static LoadResult tailed(int lateSlices) {
        LoadRecorder recorder = new LoadRecorder(START, SECOND, List.of());
        int perSlice = 10_000 / LoadRecorder.SLICES;
        int lateOnes = 60 / lateSlices;
        for (int i = 0; i < 10_000; i++) {
            long due = START + i * SECOND / 10_000;
            int at = i % perSlice;
            long lag = i / perSlice < lateSlices && at >= 100 && at < 100 + lateOnes ? 6 * MS : 0;
            long service = at < 12 ? 2 * MS + at * MS / 12 : MS;
            recorder.started(due, 0);
            recorder.ended(Outcome.RIGHT, 0, due, due + lag, due + lag + service);
        }
        return resultOf(recorder);
    }

    private static LoadResult result(int right, int shed, long lag) {
        LoadRecorder recorder = new LoadRecorder(START, SECOND, List.of());
        for (int i = 0; i < shed; i++) {
            recorder.shed(START, 0);
        }
        for (int i = 0; i < right; i++) {
            recorder.started(START, 0);
            recorder.ended(Outcome.RIGHT, 0, START, START + lag, START + lag + 100 * MS);
        }
        return resultOf(recorder);
    }

    private static LoadResult resultOf(LoadRecorder recorder) {
        return LoadResult.of("a load", recorder.finish(0), 1, 1, new ProcessUse(0, 0, 0, 0, 1, -1, List.of()));
    }
}
