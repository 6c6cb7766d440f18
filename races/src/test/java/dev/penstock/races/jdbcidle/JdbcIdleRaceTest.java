package dev.penstock.races.jdbcidle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.lab.race.Effort;
import dev.penstock.lab.race.Entry;
import dev.penstock.lab.race.Race;
import dev.penstock.lab.report.Contestant;
import dev.penstock.lab.report.Contestant.Role;
import dev.penstock.lab.report.Goal;
import dev.penstock.races.DeclaredCourses;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class JdbcIdleRaceTest {
    private static final Race RACE = new JdbcIdleRace();

    @Test
    void isFoundByNameWithContestantsOfEveryRole() {
        DeclaredCourses.assertDeclared(RACE, "jdbc-idle", "kill-60s", "kill-240s", "lost-path", "kill-20s");
        assertThat(RACE.courses()).allSatisfy(course -> {
            assertThat(course.entries()).extracting(Entry::name).doesNotHaveDuplicates();
            assertThat(course.entries())
                    .extracting(Entry::role)
                    .contains(Role.BEFORE, Role.AFTER, Role.PEER, Role.OURS);
            assertThat(course.entries()).allMatch(Entry::ownJvm);
            assertThat(course.blockTime(Effort.QUICK)).isLessThan(Duration.ofMinutes(3));
        });
    }

    @Test
    void describesTheLoad() {
        assertThat(RACE.courses().getFirst().workload(Effort.FULL))
                .isEqualTo(
                        "4 bursts of 10 concurrent transactions with gaps of 75 s; connections idle for 60 s are silently"
                                + " dropped; contestants run side by side, their bursts 2 s apart");
        assertThat(RACE.courses().get(2).workload(Effort.QUICK))
                .isEqualTo(
                        "3 bursts of 10 concurrent transactions with gaps of 15 s; all connections are silently lost 1 s"
                                + " before each; contestants run side by side, their bursts 2 s apart");
    }

    @Test
    void contestantsOfARoundHaveTheirBurstsApart() {
        assertThat(RACE.courses()).allSatisfy(course -> {
            Duration starts = course.stagger().multipliedBy(course.entries().size() + 1);
            assertThat(course.stagger()).isGreaterThanOrEqualTo(Duration.ofMillis(1_500));
            assertThat(starts).isLessThanOrEqualTo(Duration.ofSeconds(15));
        });
    }

    private static BurstTimes burst(int errors, long... millis) {
        return new BurstTimes(
                LongStream.of(millis).mapToObj(time -> time * 1_000_000).toList(), errors);
    }

    @Test
    void openingBurstCountsByItself() {
        Map<String, Double> metrics =
                BurstTimes.metrics(List.of(burst(0, 90, 950), burst(1, 3, 4_000), burst(0, 120, 7), burst(0, 5, 6)));

        assertThat(metrics)
                .containsEntry("count", 6.0)
                .containsEntry("opening_worst_ms", 950.0)
                .containsEntry("worst_ms", 4_000.0)
                .containsEntry("first_worst_ms", 4_000.0)
                .containsEntry("settled_worst_ms", 120.0)
                .containsEntry("over_100ms", 2.0)
                .containsEntry("errors", 1.0)
                .doesNotContainKeys("p90_ms", "p99_ms");
    }

    @Test
    void burstsStartWhenDue() {
        Bursts bursts = Bursts.of(2, Duration.ofSeconds(75));

        assertThat(bursts.lasting()).isEqualTo(Duration.ofSeconds(151));
        assertThat(bursts.at()).containsExactly(Duration.ofSeconds(1), Duration.ofSeconds(76), Duration.ofSeconds(151));
    }

    private static Contestant ran(double first, double settled) {
        return Contestant.of(
                "penstock",
                Role.OURS,
                Map.of(),
                Collections.nCopies(2, Map.of("first_worst_ms", first, "settled_worst_ms", settled, "errors", 0.0)));
    }

    @Test
    void goalsAllowMoreForTheFirstBurstAndForALostPath() {
        assertThat(RACE.courses().getFirst().goals(List.of(ran(190, 60))))
                .filteredOn(goal -> !goal.met())
                .hasSize(1);
        assertThat(RACE.courses().get(2).goals(List.of(ran(190, 60)))).allMatch(Goal::met);
    }
}
