package dev.penstock.races.survive;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FaultPlanTest {
    @ParameterizedTest
    @EnumSource
    void seedDeterminesTheSchedule(Subject subject) {
        assertThat(FaultPlan.of(subject, 4711)).isEqualTo(FaultPlan.of(subject, 4711));
        assertThat(FaultPlan.of(subject, 4711)).isNotEqualTo(FaultPlan.of(subject, 4712));
    }

    @ParameterizedTest
    @EnumSource
    void consecutiveSeedsBeginWithDifferentFaults(Subject subject) {
        Set<Fault> seen = EnumSet.noneOf(Fault.class);
        for (int seed = 1; seed <= subject.faults().size(); seed++) {
            seen.add(FaultPlan.of(subject, seed).steps().getFirst().fault());
        }
        assertThat(seen).isEqualTo(subject.faults());
    }

    @Test
    void faultsDoNotOverlapAndEndBeforeTheLoad() {
        for (int seed = 0; seed < 1_000; seed++) {
            FaultPlan schedule = FaultPlan.of(Subject.HTTP, seed);
            int end = 0;
            for (FaultPlan.Step step : schedule.steps()) {
                assertThat(step.from()).isGreaterThanOrEqualTo(end);
                assertThat(step.until()).isGreaterThan(step.from());
                end = step.until();
            }
            assertThat(schedule.transactions()).isGreaterThan(end);
        }
    }

    @Test
    void commandNamesTheRemainingFaults() {
        FaultPlan drawn = withThreeFaults();
        FaultPlan.Step second = drawn.steps().get(1);
        assertThat(drawn.command()).endsWith("-Dsurvive.seed=" + drawn.seed());
        assertThat(drawn.without(second).command()).endsWith("-Dsurvive.steps=1,3");
        assertThat(drawn.only(Set.of(1, 3))).isEqualTo(drawn.without(second));
    }

    @Test
    void failingScheduleShrinksToTheFailingFault() throws Exception {
        FaultPlan drawn = withThreeFaults();
        FaultPlan.Step guilty = drawn.steps().get(1);
        Experiment.Result smallest = Shrinker.shrink(result(drawn, guilty), schedule -> result(schedule, guilty));
        assertThat(smallest.schedule().steps()).containsExactly(guilty);
        assertThat(smallest.failed()).isTrue();
    }

    private static FaultPlan withThreeFaults() {
        long seed = 1;
        while (FaultPlan.of(Subject.HTTP, seed).steps().size() < 3) {
            seed++;
        }
        return FaultPlan.of(Subject.HTTP, seed);
    }

    private static Experiment.Result result(FaultPlan schedule, FaultPlan.Step guilty) {
        return ExperimentRealClockTest.result(
                schedule,
                schedule.steps().contains(guilty)
                        ? List.of(new Oracle.Violation(Oracle.Rule.LOST, "by this fault"))
                        : List.of());
    }
}
