package dev.penstock.races.kafkaflow;

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

class KafkaFlowRaceTest {
    private static final Race RACE = new KafkaFlowRace();

    private static Course course(String name) {
        return DeclaredCourses.course(RACE, name);
    }

    @Test
    void isFoundByNameWithItsCourses() {
        DeclaredCourses.assertDeclared(RACE, "kafka-flow", "0ms", "20ms", "50-200ms", "rebalance", "slow-key");
        assertThat(course("20ms").entries())
                .extracting(Entry::role)
                .contains(Role.LIMIT, Role.BEFORE, Role.AFTER, Role.PEER, Role.OURS);
        assertThat(course("50-200ms").workload(Effort.FULL)).contains("ceiling 4,000/s", "3 partitions");
    }

    private static Contestant ran(String who, double tps, double ofCeiling) {
        return Contestant.of(
                who,
                KafkaFlowContestants.ALL.entry(who).role(),
                Map.of(),
                List.of(Map.of("tps", tps, "of_ceiling", ofCeiling)));
    }

    @Test
    void comparesOursWithTheCeilingAndThosePeersThatKeepTheOrder() {
        List<Contestant> contestants = List.of(
                ran("parallel-unordered", 9_000, 0.95),
                ran("parallel-key", 3_700, 0.93),
                ran(KafkaFlowContestants.PENSTOCK, 3_560, 0.89));

        assertThat(course("50-200ms").goals(contestants))
                .filteredOn(goal -> !goal.met())
                .extracting(Goal::what)
                .containsExactly(
                        "penstock: of ceiling at least 0.900 in every round",
                        "penstock: TPS at least 1 times that of parallel-key");
    }
}
