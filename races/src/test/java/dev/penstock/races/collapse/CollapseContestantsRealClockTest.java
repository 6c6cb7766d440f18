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
import dev.penstock.races.LoadTimes;
import dev.penstock.races.collapse.CollapseContestants.BatchingClient;
import dev.penstock.races.collapse.CollapseTraffic.CollapseCallers;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Each contestant gives every caller its own answer, and those that should collapse do. Real threads, short loads. */
@Timeout(120)
class CollapseContestantsRealClockTest {
    private static final int REQUESTS = 600;

    private static LoadResult load(CollapseCallers callers) throws InterruptedException {
        return ClosedLoad.of(50, Duration.ZERO).count(REQUESTS).run(callers, number -> number, Boolean::booleanValue);
    }

    @ParameterizedTest
    @EnumSource
    void everyCallerGetsItsOwnAnswerOnce(CollapseContestants contestant) throws Exception {
        SimulatedApi api = new SimulatedApi(SimulatedCallTime.ofMillis(2, 6), 1, Ticker.SYSTEM);
        api.measure(System.nanoTime(), Duration.ofHours(1).toNanos());
        try (BatchingClient batcher = contestant.before(api)) {
            LoadResult result = load(new CollapseCallers(batcher));

            assertThat(result.counts().right()).isEqualTo(REQUESTS);
            assertThat(result.counts().errors()).isZero();
            assertThat(api.received()).isEqualTo(REQUESTS);
            assertThat(api.metrics()).containsEntry("duplicates", 0.0);
        }
    }

    @ParameterizedTest
    @EnumSource(
            mode = Mode.MATCH_ANY,
            names = {"HYSTRIX_100?", "DATALOADER_10"})
    void timerCollapses(CollapseContestants contestant) throws Exception {
        SimulatedApi api = new SimulatedApi(SimulatedCallTime.ofMillis(1), 1, Ticker.SYSTEM);
        api.measure(System.nanoTime(), Duration.ofHours(1).toNanos());
        try (BatchingClient batcher = contestant.before(api)) {
            load(new CollapseCallers(batcher));

            assertThat(api.metrics().get("batch_mean")).isGreaterThan(2);
        }
    }

    @Test
    void singleCallsDoNotCollapse() throws Exception {
        SimulatedApi api = new SimulatedApi(SimulatedCallTime.ofMillis(1), 1, Ticker.SYSTEM);
        api.measure(System.nanoTime(), Duration.ofHours(1).toNanos());
        try (BatchingClient batcher = CollapseContestants.NONE.before(api)) {
            load(new CollapseCallers(batcher));

            assertThat(api.metrics()).containsEntry("batch_mean", 1.0);
        }
    }

    @Test
    void detectsAWrongAnswer() throws Exception {
        AtomicBoolean once = new AtomicBoolean();
        CollapseCallers callers = new CollapseCallers(
                item -> SimulatedApi.answerTo(item == 7 && once.compareAndSet(false, true) ? 8 : item));

        LoadResult result = load(callers);

        assertThat(result.counts().wrong()).isEqualTo(1);
        assertThat(result.counts().errors()).isEqualTo(1);
        assertThat(callers.asked()).isEqualTo(REQUESTS);
    }

    @ParameterizedTest
    @EnumSource(names = {"HYSTRIX_10", "DATALOADER_10", "DATALOADER_LOOP"})
    void callersGetTheFailureOfTheirCall(CollapseContestants contestant) throws Exception {
        SimulatedApi api = new SimulatedApi(SimulatedCallTime.ofMillis(0), 1, Ticker.SYSTEM);
        try (BatchingClient batcher = contestant.before(api)) {
            assertThatThrownBy(() -> batcher.call(-1L)).hasStackTraceContaining("an item must be 0 or more, not -1");
        }
    }

    @Test
    void blockHasAllShownMetrics() throws Exception {
        Course course = new CollapseCourse(
                "tiny",
                CollapseTraffic.Closed.of(20),
                SimulatedCallTime.ofMillis(5),
                0,
                false,
                LoadTimes.ofMillis(1_000, 1_000),
                LoadTimes.ofMillis(100, 600),
                1,
                CollapseContestants.waiting(),
                new CollapseGoals.Sound());

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
        assertThat(CollapseContestants.NONE.entry().role()).isEqualTo(Role.LIMIT);
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
