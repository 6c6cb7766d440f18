package dev.penstock.races.jdbcidle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.lab.race.Course;
import dev.penstock.lab.race.Effort;
import dev.penstock.lab.race.Entry;
import dev.penstock.lab.race.Race;
import dev.penstock.lab.report.Contestant;
import dev.penstock.lab.report.Contestant.Role;
import dev.penstock.lab.report.Goal;
import dev.penstock.lab.report.Metric;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class JdbcIdleRaceTest {
    private static final Race RACE = new JdbcIdleRace();

    @Test
    void isFoundByNameWithContestantsOfEveryRole() {
        assertThat(ServiceLoader.load(Race.class))
                .filteredOn(race -> race.name().equals("jdbc-idle"))
                .hasSize(1);
        assertThat(RACE.courses()).extracting(Course::name).containsExactly("blackhole", "rst", "long-gaps");
        assertThat(RACE.courses()).allSatisfy(course -> {
            assertThat(course.entries()).extracting(Entry::name).doesNotHaveDuplicates();
            assertThat(course.entries()).extracting(Entry::role).contains(Role.values());
            assertThat(course.entries()).allMatch(Entry::ownJvm);
            assertThat(course.judged()).noneMatch(key -> Metric.of(key).better() == Metric.Better.NEITHER);
            assertThat(course.shown()).containsAll(course.judged()).doesNotHaveDuplicates();
            assertThat(course.blockTime(Effort.QUICK)).isLessThan(Duration.ofMinutes(2));
        });
    }

    @Test
    void describesTheLoad() {
        assertThat(RACE.courses().getFirst().workload(Effort.FULL))
                .isEqualTo(
                        "10 bursts of 20 concurrent transactions with gaps of 3 s, 7 s, 12 s in rotation; connections idle"
                                + " for 5 s are killed by blackhole");
    }

    private static BurstTimes burst(int errors, long... millis) {
        return new BurstTimes(
                LongStream.of(millis).mapToObj(time -> time * 1_000_000).toList(), errors);
    }

    @Test
    void settledTimesBeginAfterTheFirstBurstWithDeadConnections() {
        Map<String, Double> metrics = BurstTimes.metrics(
                List.of(burst(0, 90, 150), burst(0, 3, 4), burst(1, 10_000, 120), burst(0, 5, 6)), 2);

        assertThat(metrics)
                .containsEntry("count", 8.0)
                .containsEntry("worst_ms", 10_000.0)
                .containsEntry("opening_worst_ms", 150.0)
                .containsEntry("settled_worst_ms", 6.0)
                .containsEntry("over_100ms", 3.0)
                .containsEntry("settled_over_100ms", 0.0)
                .containsEntry("errors", 1.0)
                .containsEntry("p50_ms", 6.0)
                .doesNotContainKeys("p90_ms", "p99_ms");
        assertThat(BurstTimes.metrics(List.of(burst(0, 1)), 0)).doesNotContainKey("settled_worst_ms");
    }

    @Test
    void burstsStartWhenDue() {
        Bursts bursts = Bursts.of(2, 3, 7);

        assertThat(bursts.lasting()).isEqualTo(Duration.ofSeconds(21));
        assertThat(bursts.at())
                .containsExactly(
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(4),
                        Duration.ofSeconds(11),
                        Duration.ofSeconds(14),
                        Duration.ofSeconds(21));
    }

    private static Contestant ran(JdbcIdleContestants who, double worst, double settled, double over, double looks) {
        return Contestant.of(
                who.entry().name(),
                who.entry().role(),
                Map.of(),
                Collections.nCopies(
                        2,
                        Map.of(
                                "worst_ms", worst,
                                "settled_worst_ms", settled,
                                "over_100ms", over,
                                "settled_over_100ms", 0.0,
                                "errors", 0.0,
                                "validations_per_min", looks)));
    }

    @Test
    void goalsAllowOneSlowBurstOnTheFirstStartOnly() {
        List<Contestant> contestants = List.of(
                ran(JdbcIdleContestants.INFORMED, 40, 30, 0, 600),
                ran(JdbcIdleContestants.HIKARI_FLOOR, 2_000, 2_000, 60, 400),
                ran(JdbcIdleContestants.PENSTOCK, 240, 44, 20, 90),
                ran(JdbcIdleContestants.PENSTOCK_SECOND_START, 61, 44, 0, 110));

        assertThat(RACE.courses().getFirst().goals(contestants))
                .filteredOn(goal -> !goal.met())
                .extracting(Goal::what)
                .containsExactly(
                        "penstock-second-start: worst ms at most 1.50 times the worst ms of informed",
                        "penstock-second-start: validations/min at most 0.250 times the validations/min of hikari-floor");
        assertThat(RACE.courses().getFirst().goals(contestants)).hasSize(9);
    }
}
