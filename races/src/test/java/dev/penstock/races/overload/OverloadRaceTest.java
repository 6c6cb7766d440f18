package dev.penstock.races.overload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.penstock.lab.race.Course;
import dev.penstock.lab.race.Effort;
import dev.penstock.lab.race.Entry;
import dev.penstock.lab.race.Race;
import dev.penstock.lab.report.Contestant.Role;
import dev.penstock.lab.report.Metric;
import dev.penstock.races.DeclaredCourses;
import dev.penstock.races.overload.BulkheadGate.Tuning;
import dev.penstock.races.overload.MachineCalibration.MeasuredScene;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

class OverloadRaceTest {
    private static final Race RACE = new OverloadRace();

    @Test
    void isFoundByNameWithItsCourses() {
        assertThat(ServiceLoader.load(Race.class))
                .filteredOn(race -> race.name().equals("overload"))
                .hasSize(1)
                .allSatisfy(race -> assertThat(race.courses())
                        .extracting(Course::name)
                        .containsExactly(
                                "open-0.5x",
                                "open-1x",
                                "open-1.5x",
                                "open-3x",
                                "open-10x",
                                "users-50",
                                "users-100",
                                "users-200",
                                "users-400",
                                "users-1600",
                                "trap",
                                "spike",
                                "fair-2",
                                "fair-8"));
    }

    @Test
    void everyCourseHasTheSameContestantsOfEveryRole() {
        List<Entry> entries = OverloadContestants.ALL.entries();
        assertThat(RACE.courses().subList(0, 10))
                .allSatisfy(course -> assertThat(course.entries()).isEqualTo(entries));
        assertThat(RACE.courses()).allSatisfy(course -> assertThat(entries).containsAll(course.entries()));
        assertThat(entries).extracting(Entry::name).doesNotHaveDuplicates().hasSize(10);
        assertThat(entries).extracting(Entry::role).contains(Role.values());
        assertThat(entries).filteredOn(entry -> entry.role() == Role.OURS).hasSize(1);
        assertThat(entries).filteredOn(entry -> entry.role() == Role.LIMIT).hasSize(1);
        assertThat(entries).allMatch(Entry::ownJvm);
        assertThat(entries)
                .allSatisfy(entry ->
                        assertThat(OverloadContestants.ALL.entry(entry.name())).isSameAs(entry));
    }

    @Test
    void unknownContestantIsAnError() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OverloadContestants.ALL.named("nobody"))
                .withMessageStartingWith("the race overload has no contestant nobody: use one of virtual-unlimited, ");
    }

    @Test
    void judgesGoodputFirstAndOnlyMetricsWithADirection() {
        assertThat(RACE.courses()).allSatisfy(course -> {
            assertThat(course.judged())
                    .startsWith("goodput")
                    .noneMatch(key -> Metric.of(key).better() == Metric.Better.NEITHER);
            assertThat(course.shown()).containsAll(course.judged()).doesNotHaveDuplicates();
        });
    }

    @Test
    void describesTheLoad() {
        assertThat(course("open-1.5x").workload(Effort.FULL))
                .isEqualTo(
                        "1.5 x the stage's capacity, open model (Poisson), for 9 s; each request waits 20 ms and uses"
                                + " 4 ms of CPU; an answer is useful within 1 s");
        assertThat(course("users-400").workload(Effort.QUICK))
                .startsWith(
                        "400 users (closed model) without think time, pausing 0.5 to 1.5 s after a rejection, for ");
    }

    @Test
    void onlyTheHeaviestLoadsHaveVerdictsByDefault() {
        assertThat(RACE.courses())
                .filteredOn(course -> course.rounds() >= 6)
                .extracting(Course::name)
                .containsExactly("open-3x", "open-10x");
    }

    @Test
    void fullRaceTakesFiveQuartersOfAnHourAndQuickRaceAThird() {
        assertThat(time(Effort.FULL)).isLessThanOrEqualTo(Duration.ofMinutes(75));
        assertThat(time(Effort.QUICK)).isLessThanOrEqualTo(Duration.ofMinutes(22));
    }

    @Test
    void oneCourseWithVerdictsTakesLessThanHalfAnHour() {
        assertThat(RACE.courses())
                .allSatisfy(course -> assertThat(course.blockTime(Effort.FULL)
                                .multipliedBy(6L * (course.entries().size() + 1)))
                        .isLessThan(Duration.ofMinutes(25)));
    }

    /**
     * The runner's total time: the rounds, one of ours twice if there are several, and the preliminary measurements.
     */
    private static Duration time(Effort effort) {
        Duration sum = MachineCalibration.TAKES;
        for (Course course : RACE.courses()) {
            int rounds = effort == Effort.QUICK ? 1 : course.rounds();
            int contestants = course.entries().size() + (rounds > 1 ? 1 : 0);
            sum = sum.plus(course.blockTime(effort).multipliedBy((long) rounds * contestants))
                    .plus(((OverloadCourse) course).sweep(effort).takes());
        }
        return sum;
    }

    @Test
    void measurementsReachTheContestant() {
        MachineCalibration.Measures measures =
                new MachineCalibration.Measures(0, new CpuWork(153), 485.25, new Tuning(200, Duration.ofMillis(250)));

        assertThat(MachineCalibration.Measures.of(
                        name -> Objects.requireNonNull(measures.parameters().get(name))))
                .isEqualTo(new MachineCalibration.Measures(0, measures.work(), 485.3, measures.tuning()));
    }

    @Test
    void sceneReportsTheWaitOnlyForTheTunedBulkhead() {
        MachineCalibration.Measures measures =
                new MachineCalibration.Measures(0, new CpuWork(1), 100, new Tuning(50, Duration.ofMillis(500)));

        assertThat(new MeasuredScene(measures, true).metrics()).isEqualTo(Map.of("capacity", 100.0, "wait_ms", 500.0));
        assertThat(new MeasuredScene(measures, false).metrics()).isEqualTo(Map.of("capacity", 100.0));
    }

    @Test
    void sweepTriesEverySettingOnce() {
        assertThat(Tuning.all()).hasSize(15).doesNotHaveDuplicates().contains(Tuning.DEFAULT);
    }

    private static Course course(String name) {
        return DeclaredCourses.course(RACE, name);
    }
}
