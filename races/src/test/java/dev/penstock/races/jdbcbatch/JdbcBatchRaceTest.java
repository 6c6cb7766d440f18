package dev.penstock.races.jdbcbatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.lab.race.Course;
import dev.penstock.lab.race.Effort;
import dev.penstock.lab.race.Entry;
import dev.penstock.lab.race.Race;
import dev.penstock.lab.report.Contestant;
import dev.penstock.lab.report.Contestant.Role;
import dev.penstock.lab.report.Goal;
import dev.penstock.races.DeclaredCourses;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JdbcBatchRaceTest {
    private static final Race RACE = new JdbcBatchRace();

    private static Course course(String name) {
        return DeclaredCourses.course(RACE, name);
    }

    @Test
    void isFoundByNameWithItsCourses() {
        DeclaredCourses.assertDeclared(RACE, "jdbc-batch", "closed-200", "open-5000", "slow-disk", "kill");
        assertThat(RACE.courses()).allSatisfy(course -> {
            assertThat(course.entries())
                    .extracting(Entry::role)
                    .contains(Role.LIMIT, Role.BEFORE, Role.PEER, Role.OURS);
            assertThat(course.entries()).allMatch(Entry::ownJvm);
        });
        assertThat(course("kill").workload(Effort.FULL)).contains("killed (kill -9) after 10 s");
        assertThat(course("slow-disk").workload(Effort.FULL)).contains("5 ms (commit_delay)");
    }

    private static Contestant ran(String who, double tps, double p99, double commit, double lost) {
        return Contestant.of(
                who,
                JdbcBatchContestants.ALL.entry(who).role(),
                Map.of(),
                List.of(Map.of("tps", tps, "p99_ms", p99, "commit_ms", commit, "errors", 0.0, "lost", lost)));
    }

    @Test
    void comparesOursWithPlainAndByHandAndItsOwnCommit() {
        List<Contestant> contestants = List.of(
                ran(JdbcBatchContestants.PLAIN, 1_000, 9, 3, 0),
                ran(JdbcBatchContestants.BY_HAND, 12_000, 9, 3, 0),
                ran("penstock", 8_100, 6.5, 3, 0));

        assertThat(missed("closed-200", contestants))
                .containsExactly(
                        "penstock: TPS at least 0.700 times that of batch-by-hand",
                        "penstock: p99 ms at most 2 times the commit ms of penstock");
        assertThat(missed("open-5000", contestants))
                .containsExactly("penstock: p99 ms at most 2 times the commit ms of penstock");
        assertThat(missed("kill", contestants)).isEmpty();
        assertThat(missed("kill", List.of(ran("penstock", 8_100, 5, 3, 1))))
                .containsExactly("penstock: no lost, duplicates, denied_present");
    }

    private static List<String> missed(String course, List<Contestant> contestants) {
        return course(course).goals(contestants).stream()
                .filter(goal -> !goal.met())
                .map(Goal::what)
                .toList();
    }
}
