package dev.penstock.races.collapse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.Ticker;
import dev.penstock.lab.load.ClosedLoad;
import dev.penstock.lab.measure.LoadResult;
import dev.penstock.lab.measure.Progress;
import dev.penstock.lab.race.Block;
import dev.penstock.lab.race.BlockResult;
import dev.penstock.lab.race.Course;
import dev.penstock.lab.race.Cue;
import dev.penstock.lab.race.Effort;
import dev.penstock.lab.report.Contestant.Role;
import dev.penstock.races.Callers;
import dev.penstock.races.LoadTimes;
import dev.penstock.races.collapse.CollapseContestants.BatchingClient;
import dev.penstock.races.collapse.CollapseCourse.CheckedAnswers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each contestant gives every caller its own answer, and those that should collapse do. Real threads, short loads. */
@Timeout(120)
class CollapseContestantsRealClockTest {
    private static final int REQUESTS = 600;

    private static LoadResult load(CheckedAnswers callers) throws InterruptedException {
        return ClosedLoad.of(50, Duration.ZERO).count(REQUESTS).run(callers, number -> number, Boolean::booleanValue);
    }

    static List<String> all() {
        return CollapseContestants.ALL.names();
    }

    private static BatchingClient create(String contestant, SimulatedApi api) {
        return CollapseContestants.ALL.named(contestant).apply(api);
    }

    @ParameterizedTest
    @MethodSource("all")
    void everyCallerGetsItsOwnAnswerOnce(String contestant) throws Exception {
        SimulatedApi api = new SimulatedApi(SimulatedCallTime.ofMillis(2, 6), 1, Ticker.SYSTEM);
        api.measure(System.nanoTime(), Duration.ofHours(1).toNanos());
        try (BatchingClient batcher = create(contestant, api)) {
            LoadResult result = load(new CheckedAnswers(batcher));

            assertThat(result.counts().right()).isEqualTo(REQUESTS);
            assertThat(result.counts().errors()).isZero();
            assertThat(api.received()).isEqualTo(REQUESTS);
            assertThat(api.metrics()).containsEntry("duplicates", 0.0);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"hystrix-100ms", "hystrix-10ms", "dataloader-10ms"})
    void timerCollapses(String contestant) throws Exception {
        SimulatedApi api = new SimulatedApi(SimulatedCallTime.ofMillis(1), 1, Ticker.SYSTEM);
        api.measure(System.nanoTime(), Duration.ofHours(1).toNanos());
        try (BatchingClient batcher = create(contestant, api)) {
            load(new CheckedAnswers(batcher));

            assertThat(api.metrics().get("batch_mean")).isGreaterThan(2);
        }
    }

    @Test
    void singleCallsDoNotCollapse() throws Exception {
        SimulatedApi api = new SimulatedApi(SimulatedCallTime.ofMillis(1), 1, Ticker.SYSTEM);
        api.measure(System.nanoTime(), Duration.ofHours(1).toNanos());
        try (BatchingClient batcher = create(CollapseContestants.NONE, api)) {
            load(new CheckedAnswers(batcher));

            assertThat(api.metrics()).containsEntry("batch_mean", 1.0);
        }
    }

    @Test
    void detectsAWrongAnswer() throws Exception {
        AtomicBoolean once = new AtomicBoolean();
        CheckedAnswers callers = new CheckedAnswers(
                item -> SimulatedApi.answerTo(item == 7 && once.compareAndSet(false, true) ? 8 : item));

        LoadResult result = load(callers);

        assertThat(result.counts().wrong()).isEqualTo(1);
        assertThat(result.counts().errors()).isEqualTo(1);
        assertThat(callers.asked()).isEqualTo(REQUESTS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"hystrix-10ms", "dataloader-10ms", "dataloader-loop"})
    void callersGetTheFailureOfTheirCall(String contestant) throws Exception {
        SimulatedApi api = new SimulatedApi(SimulatedCallTime.ofMillis(0), 1, Ticker.SYSTEM);
        try (BatchingClient batcher = create(contestant, api)) {
            assertThatThrownBy(() -> batcher.call(-1L)).hasStackTraceContaining("an item must be 0 or more, not -1");
        }
    }

    @Test
    void blockHasAllShownMetrics() throws Exception {
        Course course = new CollapseCourse(
                        "tiny",
                        CollapseRace.waiting(),
                        Callers.closed(20, Duration.ofMillis(5)),
                        SimulatedCallTime.ofMillis(5),
                        0,
                        false)
                .lasting(LoadTimes.ofMillis(1_000, 1_000), LoadTimes.ofMillis(100, 600));

        BlockResult result = course.run(new Block("none", Effort.QUICK, 1, 1), new NoCue());

        assertThat(result.whyInvalid()).isNull();
        assertThat(result.metrics().keySet())
                .containsAll(course.shown().stream()
                        .filter(key -> !key.equals("added_ms"))
                        .toList());
        assertThat(result.metrics())
                .containsEntry("errors", 0.0)
                .containsEntry("lost", 0.0)
                .containsEntry("duplicates", 0.0)
                .containsEntry("batch_mean", 1.0);
        assertThat(result.metrics().get("mean_ms")).isGreaterThanOrEqualTo(5);
        assertThat(CollapseContestants.ALL.entry(CollapseContestants.NONE).role())
                .isEqualTo(Role.LIMIT);
    }

    private static final class NoCue implements Cue {
        @Override
        public Map<String, String> parameters() {
            return Map.of();
        }

        @Override
        public void ready() {}

        @Override
        public void progress(Progress progress) {}
    }
}
