package dev.penstock.lab.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.penstock.kit.ManualTicker;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimeLineRecorderTest {
    private static final long MS = 1_000_000;
    private static final long SECOND = 1_000_000_000;
    private static final long START = Long.MAX_VALUE - 3 * SECOND; // readings overflow on the way

    @Test
    void tellsWhatWasDueAndWhatEndedInEachInterval() {
        TimeLine line = run(30, 5, i -> 100 * MS, true);

        assertThat(line.warmUpSeconds()).isEqualTo(5);
        assertThat(line.at()).hasSize(30).startsWith(1.0, 2.0).endsWith(30.0);
        assertThat(line.series().get("rate")).containsOnly(20.0);
        assertThat(line.series().get("tps")).containsOnly(19.0);
        assertThat(line.series().get("errors")).containsOnly(1.0);
        assertThat(line.series().get("in_flight")).containsOnly(3.0);
        assertThat(line.series().get("p50_ms")).allSatisfy(ms -> assertThat(ms).isCloseTo(100, within(1.0)));
        assertThat(line.series().get("max_ms")).containsOnly(100.0);
        assertThat(line.series().get("lag_ms")).containsOnly(7.0);
        assertThat(line.series()).doesNotContainKeys("p99_ms", "child_cpu_percent", "child_rss_mb");
        assertThat(line.unsteady()).isNull();
    }

    @Test
    void tellsWhatThisProcessUses() {
        TimeLine line = run(3, 0, i -> MS, true);

        for (String key : List.of("cpu_percent", "alloc_mb_per_s", "heap_mb", "gc_ms", "threads")) {
            assertThat(line.series().get(key)).as(key).hasSize(20).allMatch(value -> value >= 0);
        }
        assertThat(line.series().get("heap_mb")).allMatch(value -> value > 0);
        assertThat(line.series().get("threads")).allMatch(value -> value >= 1);
    }

    @Test
    void aPercentileOfTooFewIsNotThereAndTheSlowestIs() {
        LoadRecorder recorder = new LoadRecorder(0, 20 * SECOND, List.of());
        TimeLineRecorder line = line(recorder, 0, 0, 20 * SECOND);
        for (int second = 1; second <= 20; second++) {
            transactions(recorder, second == 7 ? 400 : second == 9 ? 0 : 2, (second - 1) * SECOND, second * MS);
            line.sample(second * SECOND, 0);
        }
        TimeLine told = line.end(20 * SECOND, 0, true);

        assertThat(at(told, "p50_ms", 7)).isCloseTo(7, within(0.1));
        assertThat(at(told, "p99_ms", 7)).isCloseTo(7, within(0.1));
        assertThat(value(told, "p99_ms", 6)).isNull();
        assertThat(value(told, "p50_ms", 6)).isNull();
        assertThat(at(told, "max_ms", 6)).isEqualTo(6);
        assertThat(value(told, "max_ms", 9)).isNull();
        assertThat(value(told, "lag_ms", 9)).isNull();
        assertThat(at(told, "tps", 9)).isZero();
    }

    @Test
    void countsAnEndingWhereItComes() {
        LoadRecorder recorder = new LoadRecorder(0, 20 * SECOND, List.of());
        TimeLineRecorder line = line(recorder, 0, 0, 20 * SECOND);
        recorder.started(SECOND / 2, 0);
        line.sample(SECOND, 1);
        recorder.ended(Outcome.RIGHT, 0, SECOND / 2, SECOND / 2, SECOND + SECOND / 4);
        line.sample(2 * SECOND, 0);
        TimeLine told = line.end(3 * SECOND, 0, true);

        assertThat(at(told, "rate", 1)).isEqualTo(1);
        assertThat(at(told, "rate", 2)).isZero();
        assertThat(at(told, "tps", 1)).isZero();
        assertThat(at(told, "tps", 2)).isEqualTo(1);
        assertThat(at(told, "in_flight", 1)).isEqualTo(1);
    }

    @Test
    void theRateDoesNotFallAfterTheEndOfTheLoad() {
        LoadRecorder recorder = new LoadRecorder(0, 20 * SECOND, List.of());
        TimeLineRecorder line = line(recorder, 0, 0, 20 * SECOND);
        for (int second = 1; second <= 19; second++) {
            transactions(recorder, 10, (second - 1) * SECOND, MS);
            line.sample(second * SECOND, 0);
        }
        transactions(recorder, 10, 19 * SECOND, MS);
        line.sample(20 * SECOND + SECOND / 4, 3); // a late sample: a part of it is after the end
        TimeLine told = Objects.requireNonNull(line.end(21 * SECOND + SECOND / 4, 0, true));

        assertThat(told.at()).endsWith(20.25, 21.25);
        assertThat(Objects.requireNonNull(told.series().get("rate")).subList(0, 20))
                .containsOnly(10.0);
        assertThat(value(told, "rate", 21)).isNull();
    }

    @Test
    void whatIsShedIsDueToo() {
        LoadRecorder recorder = new LoadRecorder(0, 20 * SECOND, List.of());
        TimeLineRecorder line = line(recorder, 0, 0, 20 * SECOND);
        recorder.shed(0, 0);
        recorder.started(-1, 0);
        line.sample(SECOND, 0);

        assertThat(at(line.end(2 * SECOND, 0, true), "rate", 1)).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource({"1, 0.1", "2, 0.1", "10, 0.5", "20, 1", "30, 1", "500, 1", "501, 2", "3600, 8"})
    void looksOftenEnoughForAPlotAndNotMore(long seconds, double every) {
        assertThat(TimeLineRecorder.interval(seconds * SECOND)).isEqualTo((long) (every * SECOND));
    }

    @Test
    void aLoadOfUnknownLengthStaysBoundedAndExact() {
        LoadRecorder recorder = new LoadRecorder(START, LoadRecorder.OPEN_END, List.of());
        TimeLineRecorder line = line(recorder, START, 0, LoadRecorder.OPEN_END);
        ManualTicker ticker = new ManualTicker(START);
        int looks = 0;
        for (int i = 0; i < 10_000; i++) {
            ticker.advance(Duration.ofMillis(100));
            transactions(recorder, 2, ticker.nanos(), MS);
            if (ticker.nanos() - line.nextAt() >= 0) {
                line.sample(ticker.nanos(), 0);
                looks++;
            }
        }
        TimeLine told = Objects.requireNonNull(line.end(ticker.nanos(), 0, true));

        assertThat(looks).isLessThan(2_000);
        assertThat(told.at()).hasSizeBetween(300, 600);
        assertThat(told.at().getLast()).isEqualTo(1_000);
        assertThat(told.series().get("rate"))
                .allSatisfy(rate -> assertThat(rate).isCloseTo(20, within(0.1)));
        double due = 0;
        for (int i = 0; i < told.at().size(); i++) {
            double from = i == 0 ? 0 : told.at().get(i - 1);
            due += at(told, "rate", i + 1) * (told.at().get(i) - from);
        }
        assertThat(due).isCloseTo(20_000, within(1.0));
    }

    @Test
    void aShortIntervalAtTheEndBecomesPartOfTheOneBefore() {
        LoadRecorder recorder = new LoadRecorder(0, 20 * SECOND, List.of());
        TimeLineRecorder line = line(recorder, 0, 0, 20 * SECOND);
        line.sample(SECOND, 0);
        transactions(recorder, 100, SECOND, MS);
        line.sample(2 * SECOND, 0);
        transactions(recorder, 10, 2 * SECOND, 3 * MS);
        TimeLine told = Objects.requireNonNull(line.end(2 * SECOND + 2 * MS, 5, true));

        assertThat(told.at()).containsExactly(1.0, 2.002);
        assertThat(at(told, "tps", 2)).isCloseTo(110 / 1.002, within(0.01));
        assertThat(at(told, "max_ms", 2)).isEqualTo(3);
        assertThat(at(told, "in_flight", 2)).isEqualTo(5);
    }

    @Test
    void aLoadThatIsTooShortHasNone() {
        LoadRecorder recorder = new LoadRecorder(0, SECOND, List.of());
        assertThat(line(recorder, 0, 0, SECOND).end(50 * MS, 0, true)).isNull();
    }

    @Test
    void aLoadThatGetsSlowerToItsEndSaysSoWithItsNumbers() {
        TimeLine line = run(40, 5, i -> (100 + 4 * i) * MS, true);

        assertThat(line.unsteady())
                .matches(
                        "no steady state was reached: the median response time changed from 15\\d(\\.\\d+)? ms in the first"
                                + " half of the measured time to 22\\d(\\.\\d+)? ms in the second, and settled no earlier than"
                                + " after 30 s: use a longer warm-up, or a longer run");
    }

    @Test
    void aTransientWithinTheWarmUpIsLeftOut() {
        assertThat(run(40, 20, i -> (i < 20 ? 900 - 40 * i : 100) * MS, true).unsteady())
                .isNull();
    }

    @Test
    void aRampIsNotExpectedToBeSteady() {
        assertThat(run(40, 5, i -> (100 + 4 * i) * MS, false).unsteady()).isNull();
    }

    @Test
    void answersThatGetFewerSayItInTheirRate() {
        LoadRecorder recorder = new LoadRecorder(0, 40 * SECOND, List.of());
        TimeLineRecorder line = line(recorder, 0, 0, 40 * SECOND);
        for (int second = 0; second < 40; second++) {
            transactions(recorder, 100, second * SECOND, 50 * MS);
            for (int i = 0; i < 2 * second; i++) {
                recorder.started(second * SECOND, 0);
                recorder.ended(Outcome.RIGHT, 0, second * SECOND, second * SECOND, second * SECOND + 50 * MS);
            }
            line.sample((second + 1) * SECOND, 0);
        }

        assertThat(Objects.requireNonNull(line.end(41 * SECOND, 0, true)).unsteady())
                .startsWith("no steady state was reached: the throughput changed from ")
                .contains("/s in the first half");
    }

    /** 19 right answers and a wrong one a second, each after some time; 7 ms late. */
    private static TimeLine run(int seconds, int warmUp, LongUnaryOperator nanos, boolean steady) {
        LoadRecorder recorder = new LoadRecorder(START + warmUp * SECOND, (seconds - warmUp) * SECOND, List.of());
        TimeLineRecorder line = line(recorder, START, warmUp * SECOND, seconds * SECOND);
        for (long at = 0; at < seconds * SECOND; at += 50 * MS) {
            lookUntil(line, START + at);
            long due = START + at;
            recorder.started(due, 0);
            recorder.lagged(7 * MS);
            boolean right = at / (50 * MS) % 20 != 0;
            recorder.ended(right ? Outcome.RIGHT : Outcome.WRONG, 0, due, due, due + nanos.applyAsLong(at / SECOND));
        }
        lookUntil(line, START + seconds * SECOND);
        return Objects.requireNonNull(line.end(START + seconds * SECOND, 3, steady));
    }

    private static void lookUntil(TimeLineRecorder line, long now) {
        if (now - line.nextAt() >= 0) {
            line.sample(now, 3);
        }
    }

    private static void transactions(LoadRecorder recorder, int count, long due, long nanos) {
        for (int i = 0; i < count; i++) {
            recorder.started(due, 0);
            recorder.ended(Outcome.RIGHT, 0, due, due, due + nanos);
        }
    }

    private static TimeLineRecorder line(LoadRecorder recorder, long start, long warmUp, long lasting) {
        TimeLineRecorder line = new TimeLineRecorder(recorder, warmUp, lasting, List.of());
        line.begin(start);
        return line;
    }

    /** The value of the n-th interval, from 1 on. */
    private static double at(@Nullable TimeLine line, String key, int interval) {
        return Objects.requireNonNull(value(line, key, interval));
    }

    private static @Nullable Double value(@Nullable TimeLine line, String key, int interval) {
        List<@Nullable Double> values =
                Objects.requireNonNull(Objects.requireNonNull(line).series().get(key));
        return values.get(interval - 1);
    }
}
