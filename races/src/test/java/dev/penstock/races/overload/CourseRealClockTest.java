package dev.penstock.races.overload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Ticker;
import dev.penstock.lab.measure.Counts;
import dev.penstock.lab.measure.LoadResult;
import dev.penstock.lab.measure.Progress;
import dev.penstock.lab.race.Block;
import dev.penstock.lab.race.BlockResult;
import dev.penstock.lab.race.Course;
import dev.penstock.lab.race.Cue;
import dev.penstock.lab.race.Effort;
import dev.penstock.races.LoadTimes;
import dev.penstock.races.overload.BulkheadGate.Tuning;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whole loads, but short. Asserts nothing about the speed of the machine. */
@Timeout(120)
class CourseRealClockTest {
    private static final MachineCalibration.Measures TINY =
            new MachineCalibration.Measures(0, new CpuWork(1), 300, new Tuning(50, Duration.ZERO));

    private static final Counts NOTHING = new Counts(0, 0, 0, 0, 0, 0, 0, 0, Map.of());

    @Test
    void workTakesAboutItsCpuTime() {
        assertThat(CpuWork.lasting(Duration.ofMillis(4)).pieces())
                .isBetween(
                        CpuWork.lasting(Duration.ofMillis(1)).pieces(),
                        CpuWork.lasting(Duration.ofMillis(40)).pieces());
    }

    @Test
    void blockHasAllShownMetrics() throws Exception {
        Course course = new OverloadRace().courses().getFirst();

        BlockResult result = course.run(new Block("bulkhead-default", Effort.QUICK, 1, 1), new TinyCue());

        assertThat(result.whyInvalid()).isNull();
        assertThat(result.metrics().keySet())
                .contains("goodput", "tps", "p50_ms", "rejected", "late", "errors", "in_flight_max", "permits");
        assertThat(result.metrics()).containsEntry("permits", 25.0).containsEntry("errors", 0.0);
        assertThat(result.metrics().get("goodput")).isPositive();
        assertThat(result.timeLine()).isNotNull();
    }

    @Test
    void countsRequestsThatWereNeverTaken() throws Exception {
        OverloadTraffic traffic = OverloadTraffic.Open.steady(2);
        LoadTimes times = LoadTimes.ofMillis(100, 200);
        GoodputCounter tally = new GoodputCounter(OverloadCourse.USEFUL_WITHIN, times);
        OverloadTraffic.Plan plan = new OverloadTraffic.Plan(times, TINY.capacity(), 1, tally, _ -> {});
        Stage stage = TINY.stage();
        try (LimitedStage doorway = OverloadContestants.ALL
                .named(OverloadContestants.VIRTUAL_UNLIMITED)
                .before(stage, TINY.tuning(), 1)) {
            Counts counts = traffic.on(doorway, stage, plan).counts();

            assertThat(counts.offered()).isBetween(60L, 180L);
            assertThat(traffic.neverAccepted(counts, plan)).isZero();
            assertThat(traffic.neverAccepted(NOTHING, plan)).isEqualTo(counts.offered());
            assertThat(new OverloadTraffic.Users(5).neverAccepted(NOTHING, plan))
                    .isZero();
        }
    }

    @Test
    void rejectedUsersPause() throws Exception {
        Stage stage = new CpuStage(new CpuWork(1), Duration.ofMillis(20), Ticker.SYSTEM);
        LoadTimes times = LoadTimes.ofMillis(100, 600);
        GoodputCounter tally = new GoodputCounter(OverloadCourse.USEFUL_WITHIN, times);
        OverloadTraffic.Plan plan = new OverloadTraffic.Plan(times, TINY.capacity(), 1, tally, _ -> {});
        try (LimitedStage doorway = BulkheadGate.around(stage, new Tuning(1, Duration.ZERO))) {
            LoadResult load = new OverloadTraffic.Users(20).on(doorway, stage, plan);

            assertThat(load.counts().rejected())
                    .as("at most one or two of each")
                    .isLessThanOrEqualTo(40);
            assertThat(load.counts().right()).isPositive();
        }
    }

    @Test
    void sweepReturnsOneOfItsSettings() throws Exception {
        Sweep sweep = new Sweep(OverloadTraffic.Open.steady(1), LoadTimes.ofMillis(20, 60), 1);

        assertThat(sweep.best(TINY)).isIn(Tuning.all());
        assertThat(sweep.takes()).isGreaterThan(Duration.ofMillis(15 * 80));
    }

    private static final class TinyCue implements Cue {
        @Override
        public Map<String, String> parameters() {
            return TINY.parameters();
        }

        @Override
        public void ready() {}

        @Override
        public void progress(Progress progress) {}
    }
}
