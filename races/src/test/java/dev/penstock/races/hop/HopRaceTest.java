package dev.penstock.races.hop;

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

class HopRaceTest {
    private static final Race RACE = new HopRace();

    private static Course course(String name) {
        return DeclaredCourses.course(RACE, name);
    }

    @Test
    void isFoundByNameWithItsCourses() {
        DeclaredCourses.assertDeclared(RACE, "hop", "full", "secure", "half", "half-own");
        assertThat(RACE.courses()).allSatisfy(course -> {
            assertThat(course.workload(Effort.FULL)).contains("1,024 bytes", "over loopback");
            assertThat(course.entries()).extracting(Entry::role).contains(Role.OURS);
        });
    }

    @Test
    void skipsUnavailableContestantsWithAReason() {
        Course full = course("full");
        assertThat(full.workload(Effort.FULL).contains("SKIPPED"))
                .isEqualTo(full.entries().size() < HopContestants.ALL.names().size());
    }

    private static Contestant ran(String who, Map<String, Double> figures) {
        return Contestant.of(who, HopContestants.ALL.entry(who).role(), Map.of(), List.of(figures));
    }

    private static List<String> missed(String course, Contestant... contestants) {
        return course(course).goals(List.of(contestants)).stream()
                .filter(goal -> !goal.met())
                .map(Goal::what)
                .toList();
    }

    @Test
    void comparesOursWithTheLimitAndThePeer() {
        Contestant[] contestants = {
            ran(HopContestants.HAPROXY, Map.of("per_cpu_second", 100_000.0)),
            ran(HopContestants.SPRING, Map.of("per_cpu_second", 17_400.0)),
            ran(HopContestants.PENSTOCK, Map.of("per_cpu_second", 34_900.0, "errors", 0.0, "child_rss_peak_mb", 250.0)),
            ran("penstock-bare", Map.of("per_cpu_second", 35_000.0, "errors", 1.0, "child_rss_peak_mb", 251.0))
        };

        assertThat(missed("full", contestants))
                .containsExactly(
                        "penstock-bare: no errors",
                        "penstock-bare: child MB at most 250 in every round",
                        "penstock: requests/CPU s at least 0.350 times that of haproxy");
    }

    @Test
    void comparesP99WithTheLimitAtHalfLoad() {
        Contestant[] contestants = {
            ran(HopContestants.HAPROXY, Map.of("service_p99_ms", 0.4, "p99_ms", 0.5)),
            ran(HopContestants.PENSTOCK, Map.of("service_p99_ms", 0.81, "p99_ms", 1.0)),
        };

        assertThat(missed("half", contestants))
                .containsExactly("penstock: service p99 ms at most 2 times the service p99 ms of haproxy");
        assertThat(missed("half-own", contestants)).isEmpty();
    }
}
