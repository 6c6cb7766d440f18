package dev.penstock.races.jmsflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.lab.race.Course;
import dev.penstock.lab.race.Effort;
import dev.penstock.lab.race.Entry;
import dev.penstock.lab.race.Race;
import dev.penstock.lab.report.Contestant;
import dev.penstock.lab.report.Contestant.Role;
import dev.penstock.lab.report.Goal;
import dev.penstock.races.DeclaredCourses;
import dev.penstock.races.messages.ConsumeCourse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JmsFlowRaceTest {
    private static final Race RACE = new JmsFlowRace();

    private static Course course(String name) {
        return DeclaredCourses.course(RACE, name);
    }

    @Test
    void isFoundByNameWithItsCourses() {
        DeclaredCourses.assertDeclared(
                RACE,
                "jms-flow",
                "0ms",
                "0ms-persistent",
                "20ms",
                "20ms-persistent",
                "50-200ms",
                "50-200ms-persistent",
                "backlog");
        assertThat(course("20ms").entries())
                .extracting(Entry::role)
                .contains(Role.LIMIT, Role.BEFORE, Role.AFTER, Role.PEER, Role.OURS);
        assertThat(course("20ms").workload(Effort.FULL)).contains("ceiling 25,000/s", "share the cores");
        assertThat(course("backlog").jvmOptions()).contains("-Xmx100m");
    }

    private static Contestant ran(String who, double tps, double ofCeiling, double inFlight, double lost) {
        return Contestant.of(
                who,
                JmsFlowContestants.ALL.entry(who).role(),
                Map.of(),
                List.of(Map.of("tps", tps, "of_ceiling", ofCeiling, "in_flight_max", inFlight, "lost", lost)));
    }

    @Test
    void comparesOursWithTheLimitTheCeilingAndThePeers() {
        List<Contestant> contestants = List.of(
                ran(ConsumeCourse.UNTHROTTLED, 10_000, 2, 3_000, 0),
                ran(JmsFlowContestants.STOP_START, 8_000, 0.8, 600, 0),
                ran("dmlc-fixed", 3_000, 0.7, 500, 0),
                ran(JmsFlowContestants.PENSTOCK, 9_200, 0.94, 501, 1));

        assertThat(missed("0ms", contestants))
                .containsExactly(
                        "penstock: no lost, duplicates",
                        "penstock: in flight at most 500 in every round",
                        "penstock: TPS at least 0.950 times that of unthrottled",
                        "penstock: TPS at least 1.20 times that of stop-start");
        assertThat(missed("0ms-persistent", contestants)).hasSize(3);
        assertThat(missed("20ms", contestants)).contains("penstock: of ceiling at least 0.950 in every round");
    }

    private static List<String> missed(String course, List<Contestant> contestants) {
        return course(course).goals(contestants).stream()
                .filter(goal -> !goal.met())
                .map(Goal::what)
                .toList();
    }
}
