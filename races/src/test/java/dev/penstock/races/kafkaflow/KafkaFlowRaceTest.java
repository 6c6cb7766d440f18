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
        DeclaredCourses.assertDeclared(RACE, "kafka-flow", "0ms", "20ms", "50-200ms", "rebalance", "slow-key", "kill");
        assertThat(course("20ms").entries())
                .extracting(Entry::role)
                .contains(Role.LIMIT, Role.BEFORE, Role.AFTER, Role.PEER, Role.OURS);
        assertThat(course("50-200ms").workload(Effort.FULL)).contains("ceiling 4,000/s", "3 partitions");
        assertThat(course("slow-key").entries()).extracting(Entry::name).contains(KafkaFlowContestants.PENSTOCK_SHARED);
        assertThat(course("rebalance").entries())
                .extracting(Entry::name)
                .doesNotContain(KafkaFlowContestants.PENSTOCK_SHARED);
        assertThat(course("kill").entries()).noneMatch(Entry::ownJvm);
        assertThat(course("kill").workload(Effort.FULL)).contains("40 kills in all", "50 to 200 ms");
    }

    private static Contestant ran(String who, double tps, double ofCeiling) {
        return ran(who, Map.of("tps", tps, "of_ceiling", ofCeiling));
    }

    private static Contestant ran(String who, Map<String, Double> metrics) {
        return Contestant.of(who, KafkaFlowContestants.ALL.entry(who).role(), Map.of(), List.of(metrics));
    }

    @Test
    void comparesOursWithTheCeilingAndThosePeersThatKeepTheOrder() {
        List<Contestant> contestants = List.of(
                ran("parallel-unordered", 9_000, 0.95),
                ran(KafkaFlowContestants.PARALLEL_KEY, 3_700, 0.93),
                ran(KafkaFlowContestants.SPRING_SHARED, 400, 0.1),
                ran(KafkaFlowContestants.PENSTOCK, 3_560, 0.89),
                ran(KafkaFlowContestants.PENSTOCK_SHARED, 1_100, 0.27));

        assertThat(course("50-200ms").goals(contestants))
                .filteredOn(goal -> !goal.met())
                .extracting(Goal::what)
                .containsExactly(
                        "penstock: of ceiling at least 0.900 in every round",
                        "penstock: TPS at least 1 times that of parallel-key",
                        "penstock-share: TPS at least 3 times that of spring-share");
    }

    @Test
    void aKillLosesAndRepeatsNothing() {
        assertThat(course("kill")
                        .goals(List.of(
                                ran(
                                        KafkaFlowContestants.SPRING,
                                        Map.of("lost", 0.0, "duplicates", 90.0, "beyond_in_flight", 90.0)),
                                ran(
                                        KafkaFlowContestants.PENSTOCK,
                                        Map.of("lost", 0.0, "duplicates", 0.0, "beyond_in_flight", 0.0)),
                                ran(
                                        KafkaFlowContestants.PENSTOCK_SHARED,
                                        Map.of("lost", 0.0, "duplicates", 1.0, "beyond_in_flight", 0.0)))))
                .extracting(Goal::met)
                .containsExactly(true, false);
    }
}
