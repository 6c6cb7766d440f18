package dev.penstock.lab.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.penstock.Rejected;
import dev.penstock.Unknown;
import dev.penstock.kit.ManualTicker;
import dev.penstock.lab.compare.check.TableCheck;
import dev.penstock.lab.report.ResultFile;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LoadRecorderTest {
    private static final long MS = 1_000_000;
    private static final long SECOND = 1_000_000_000;
    /** Readings overflow on the way. Not a constant: the compiler would see it. */
    private static final long START = Long.MAX_VALUE - Duration.ofSeconds(2).toNanos();

    private static final ProcessUse NOTHING = new ProcessUse(0, 0, 0, 0, 1, -1, List.of());
    private final ManualTicker ticker = new ManualTicker(START);

    @Test
    void tellsResponseServiceAndLagApart() {
        LoadRecorder recorder = new LoadRecorder(START, 10 * SECOND, List.of());
        recorder.started(START, 0);
        recorder.ended(Outcome.RIGHT, 0, START, START + 30 * MS, START + 130 * MS);

        Recorded recorded = recorder.finish(0);
        assertThat(recorded.response().max().orElseThrow()).isCloseTo(130 * MS, within(MS / 5));
        assertThat(recorded.service().max().orElseThrow()).isCloseTo(100 * MS, within(MS / 5));
        assertThat(recorded.lag().max().orElseThrow()).isCloseTo(30 * MS, within(MS / 5));
    }

    @Test
    void tpsIsRightAnswersThatCameWithinTheWindow() {
        LoadRecorder recorder = new LoadRecorder(START + SECOND, 4 * SECOND, List.of());
        for (int second = 0; second < 10; second++) {
            long at = ticker.nanos();
            recorder.started(at, 0);
            recorder.ended(Outcome.RIGHT, 0, at, at, at + SECOND / 2);
            recorder.started(at, 0);
            recorder.ended(Outcome.WRONG, 0, at, at, at + SECOND / 2);
            ticker.advance(Duration.ofNanos(SECOND));
        }

        Recorded recorded = recorder.finish(0);
        assertThat(recorded.tps()).isEqualTo(1.0);
        assertThat(recorded.counts().right()).isEqualTo(9);
        assertThat(recorded.ended()).isEqualTo(20);
    }

    @Test
    void aWindowWithoutAnEndLastsToTheLastTransaction() {
        LoadRecorder recorder = new LoadRecorder(START, LoadRecorder.OPEN_END, List.of());
        for (int i = 1; i <= 10; i++) {
            recorder.started(START, 0);
            recorder.ended(Outcome.RIGHT, 0, START, START, START + i * SECOND);
        }

        assertThat(recorder.finish(0).windowSeconds()).isEqualTo(10);
        assertThat(recorder.finish(0).tps()).isEqualTo(1);
    }

    @Test
    void whatEndsAfterTheFinishIsLostAndStaysLost() {
        LoadRecorder recorder = new LoadRecorder(START, SECOND, List.of());
        recorder.started(START, 0);
        Recorded recorded = recorder.finish(0);
        recorder.ended(Outcome.RIGHT, 0, START, START, START + 1);

        assertThat(recorded.counts().lost()).isEqualTo(1);
        assertThat(recorder.soFar().counts().lost()).isEqualTo(1);
    }

    @Test
    void whatWasNeverAnsweredCountsAsTheTimeItWaitedAndFailuresAreApart() {
        LoadRecorder recorder = new LoadRecorder(START, SECOND, List.of("a", "b"));
        Outcome timeout = Outcome.of(new Unknown(Unknown.Cause.TIMEOUT, "no answer"));
        for (int i = 0; i < 420; i++) {
            long due = START + i * SECOND / 420;
            recorder.started(due, i % 2);
            if (i < 380) {
                recorder.ended(Outcome.RIGHT, i % 2, due, due, due + 50 * MS);
            } else if (i < 390) {
                recorder.ended(timeout, i % 2, due, due, due + 5 * SECOND);
            } else if (i < 410) {
                recorder.ended(Outcome.WRONG, i % 2, due, due, due + MS);
            }
        }
        recorder.startsUntil(START + SECOND);
        Recorded recorded = recorder.finish(START + 31 * SECOND);
        LoadResult result = LoadResult.of("a load", recorded, 30, 410, NOTHING);
        Map<String, Double> metrics = result.metrics();

        assertThat(metrics)
                .containsEntry("errors", 40.0)
                .containsEntry("lost", 10.0)
                .containsEntry("unanswered", 20.0)
                .containsEntry("failures", 20.0);
        assertThat(metrics.get("p90_ms")).isCloseTo(50, within(0.1));
        assertThat(metrics.get("p99_ms")).isCloseTo(30_000, within(30.0));
        assertThat(metrics.get("unanswered_min_ms")).isCloseTo(5_000, within(5.0));
        assertThat(metrics.get("failure_max_ms")).isCloseTo(1, within(0.01));
        assertThat(List.of("mean_ms", "p90_ms", "p99_ms", "max_ms"))
                .filteredOn(key -> LoadResult.isLowerBound(metrics, key))
                .containsExactly("mean_ms", "p99_ms", "max_ms");
        assertThat(result.validity().valid()).isTrue();
        ResultFile file = ResultFile.ofLoad("1", "c", 1, "x", Map.of("load", "open load"), result)
                .labelled(result.labels());
        assertThat(TableCheck.of(file)).isEmpty();
    }

    @Test
    void aWindowCanEndEarly() {
        LoadRecorder recorder = new LoadRecorder(START, 10 * SECOND, List.of());
        record(recorder, 100, 0);
        recorder.stopAt(START + 4 * SECOND);
        Recorded recorded = recorder.finish(START + 5 * SECOND);

        assertThat(recorded.windowSeconds()).isEqualTo(4);
        assertThat(recorded.tps()).isEqualTo(25);
        assertThat(recorded.slices()).isEmpty();
    }

    @Test
    void everyOfferedTransactionIsCountedOnce() {
        LoadRecorder recorder = new LoadRecorder(START, SECOND, List.of());
        for (int i = 0; i < 10; i++) {
            recorder.started(START, 0);
        }
        recorder.shed(START, 0);
        recorder.shed(START - 1, 0);
        recorder.ended(Outcome.of(new Rejected(Rejected.Cause.QUEUE, "waited")), 0, START, START, START);
        recorder.ended(Outcome.of(new IllegalStateException()), 0, START, START, START);

        assertThat(recorder.finish(0).counts())
                .isEqualTo(new Counts(
                        11,
                        0,
                        0,
                        1,
                        0,
                        1,
                        8,
                        1,
                        Map.of("rejected", Map.of("queue", 1L), "unknown", Map.of("error", 1L))));
    }

    @Test
    void aPercentileNeedsEnoughSamples() {
        assertThat(Latency.samplesFor(99)).isEqualTo(299);
        assertThat(Latency.samplesFor(99.9)).isEqualTo(2_995);

        assertThat(of(298).response().percentile(99)).isEmpty();
        assertThat(of(298).response().percentile(90)).isPresent();
        assertThat(of(299).response().percentile(99)).isPresent();
        assertThat(of(299).response().percentile(99.9)).isEmpty();
        assertThat(of(0).response().mean()).isEmpty();
        assertThat(of(0).response().max()).isEmpty();
    }

    @Test
    void percentilesAreOfAllSamples() {
        LoadRecorder recorder = new LoadRecorder(START, SECOND, List.of());
        for (int i = 1; i <= 1_000; i++) {
            recorder.started(START, 0);
            recorder.ended(Outcome.RIGHT, 0, START, START, START + i * MS);
        }

        Latency response = recorder.finish(0).response();
        assertThat(response.percentile(50).orElseThrow()).isCloseTo(500 * MS, within(MS));
        assertThat(response.percentile(99).orElseThrow()).isCloseTo(990 * MS, within(MS));
        assertThat(response.mean().orElseThrow()).isCloseTo(500 * MS + MS / 2, within(MS));
    }

    @Test
    void metricsThatCannotBeToldAreNotThere() {
        assertThat(result(298).metrics()).containsKey("p90_ms").doesNotContainKeys("p99_ms", "p999_ms");
        assertThat(result(0).metrics()).doesNotContainKeys("mean_ms", "cpu_us_per_tx");
        assertThat(result(10).metrics()).containsEntry("errors", 0.0).containsEntry("tps", 10.0);
    }

    @Test
    void slicesAreCutByWhenATransactionWasDue() {
        LoadRecorder recorder = new LoadRecorder(START + SECOND, 10 * SECOND, List.of());
        for (int second = 0; second <= 10; second++) {
            long at = START + second * SECOND;
            for (int i = 0; i < 300 + 10 * second; i++) {
                recorder.started(at, 0);
                recorder.ended(Outcome.RIGHT, 0, at, at, at + second * MS);
            }
        }
        ticker.advance(Duration.ofSeconds(5));
        long due = ticker.nanos();
        recorder.shed(due, 0);
        recorder.started(due, 0);
        recorder.ended(Outcome.WRONG, 0, due, due, due + 4 * SECOND);

        LoadResult result = LoadResult.of("a load", recorder.finish(0), 1, 1, NOTHING);
        assertThat(result.slices()).hasSize(LoadRecorder.SLICES);
        for (int slice = 0; slice < 10; slice++) {
            Map<String, Double> part = result.slices().get(slice);
            boolean odd = slice == 4;
            assertThat(part).containsEntry("count", 310.0 + 10 * slice + (odd ? 2 : 0));
            assertThat(part).containsEntry("tps", 310.0 + 10 * slice).containsEntry("shed", odd ? 1.0 : 0);
            assertThat(part).containsEntry("errors", odd ? 1.0 : 0).doesNotContainKey("p999_ms");
            assertThat(part.get("p50_ms")).isCloseTo(1.0 + slice, within(0.02));
            assertThat(part.get("p99_ms")).isCloseTo(1.0 + slice, within(0.02));
            assertThat(part.get("max_ms")).isCloseTo(1.0 + slice, within(0.02));
        }
        assertThat(sum(result, "count")).isEqualTo((double) result.counts().offered());
        assertThat(sum(result, "errors")).isEqualTo((double) result.counts().errors());
        assertThat(sum(result, "tps") / 10).isCloseTo(result.tps(), within(1e-9));
    }

    @Test
    void aWindowWithAnOpenEndHasNoSlices() {
        LoadRecorder recorder = new LoadRecorder(START, LoadRecorder.OPEN_END, List.of());
        record(recorder, 100, 0);

        assertThat(LoadResult.of("a load", recorder.finish(0), 1, 1, NOTHING).slices())
                .isEmpty();
    }

    @Test
    void theWholeIsTheSumOfItsSlices() {
        LoadRecorder recorder = new LoadRecorder(START, SECOND, List.of());
        for (int i = 0; i < 5_000; i++) {
            long due = START + i * SECOND / 5_000;
            recorder.started(due, 0);
            recorder.ended(Outcome.RIGHT, 0, due, due + i, due + i * 1_000L);
        }
        assertThat(recorder.soFar().slices()).isEmpty();
        Recorded recorded = recorder.finish(0);

        assertThat(recorded.response().count()).isEqualTo(5_000);
        assertThat(recorded.response().percentile(99.9).orElseThrow()).isCloseTo(4_995_000, within(10_000L));
        assertThat(recorder.soFar().response().histogram())
                .isEqualTo(recorded.response().histogram());
    }

    @Test
    void metricsTellWhatWasAllocatedAndWhatOthersUsed() {
        ProcessUse alone = new ProcessUse(0, 0, 0, 0, 1, 2_048_000, List.of());
        assertThat(with(alone).metrics())
                .containsEntry("alloc_kb_per_tx", 2.0)
                .doesNotContainKeys("child_cpu_us_per_tx", "child_rss_peak_mb");
        assertThat(with(NOTHING).metrics()).doesNotContainKey("alloc_kb_per_tx");

        ProcessUse beside = alone.beside(List.of(
                new ChildUse("a", 2, 3_000 * MS, 5L << 20, false), new ChildUse("b", 3, 1_000 * MS, 7L << 20, true)));
        assertThat(with(beside).metrics())
                .containsEntry("child_cpu_us_per_tx", 4_000.0)
                .containsEntry("child_rss_peak_mb", 12.0);
        assertThat(with(alone.beside(List.of(new ChildUse("a", 2, -1, -1, false))))
                        .metrics())
                .doesNotContainKeys("child_cpu_us_per_tx", "child_rss_peak_mb");
    }

    private static LoadResult with(ProcessUse use) {
        LoadRecorder recorder = new LoadRecorder(START, SECOND, List.of());
        record(recorder, 10, 0);
        return LoadResult.of("a load", recorder.finish(0), 1, 1_000, use);
    }

    private static double sum(LoadResult result, String key) {
        return result.slices().stream().mapToDouble(slice -> slice.get(key)).sum();
    }

    private static LoadResult result(int right) {
        return LoadResult.of("a load", of(right), 1, right, NOTHING);
    }

    @Test
    void labelsAddUpToTheWhole() {
        LoadRecorder recorder = new LoadRecorder(START + SECOND, 10 * SECOND, List.of("a", "b", "none"));
        for (int i = 0; i < 300; i++) {
            long due = START + i * SECOND / 30; // the first 30 in the warm-up
            int label = i % 3 == 0 ? 0 : 1;
            if (i % 50 == 49) {
                recorder.shed(due, label);
                continue;
            }
            recorder.started(due, label);
            if (i % 40 != 39) {
                Outcome outcome = i % 10 == 0 ? Outcome.WRONG : Outcome.RIGHT;
                recorder.ended(outcome, label, due, due + MS, due + (1 + label) * 100 * MS + i * MS);
            }
        }
        LoadResult result = LoadResult.of("a load", recorder.finish(0), 1, 300, NOTHING);
        Map<String, Map<String, Double>> labels = result.labels();

        assertThat(labels.keySet()).containsExactly("a", "b", "none");
        for (String key : List.of("count", "tps", "errors", "wrong", "lost", "shed")) {
            assertThat(labels.values().stream()
                            .mapToDouble(label -> label.getOrDefault(key, Double.NaN))
                            .sum())
                    .as(key)
                    .isCloseTo(result.metrics().getOrDefault(key, Double.NaN), within(1e-9))
                    .isPositive();
        }
        assertThat(labels.get("a")).containsEntry("min_ms", result.metrics().get("min_ms"));
        assertThat(labels.get("b")).containsEntry("max_ms", result.metrics().get("max_ms"));
        assertThat(labels.get("none")).containsEntry("count", 0.0).doesNotContainKey("mean_ms");
        assertThat(recorder.soFar().labels()).isEmpty();
    }

    @Test
    void aRecorderWithoutLabelsHasNone() {
        assertThat(of(10).labels()).isEmpty();
    }

    private static Recorded of(int samples) {
        LoadRecorder recorder = new LoadRecorder(START, SECOND, List.of());
        record(recorder, samples, 0);
        return recorder.finish(0);
    }

    private static void record(LoadRecorder recorder, int samples, long lag) {
        for (int i = 0; i < samples; i++) {
            recorder.started(START, 0);
            recorder.ended(Outcome.RIGHT, 0, START, START + lag, START + lag + 100 * MS);
        }
    }
}
