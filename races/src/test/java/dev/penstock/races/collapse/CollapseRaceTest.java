package dev.penstock.races.collapse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.penstock.lab.race.Course;
import dev.penstock.lab.race.Effort;
import dev.penstock.lab.race.Entry;
import dev.penstock.lab.race.Race;
import dev.penstock.lab.report.Contestant;
import dev.penstock.lab.report.Contestant.Role;
import dev.penstock.lab.report.Goal;
import dev.penstock.lab.report.Metric;
import dev.penstock.races.DeclaredCourses;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

class CollapseRaceTest {
    private static final Race RACE = new CollapseRace();

    private static Course course(String name) {
        return DeclaredCourses.course(RACE, name);
    }

    @Test
    void isFoundByNameWithItsCourses() {
        assertThat(ServiceLoader.load(Race.class))
                .filteredOn(race -> race.name().equals("collapse"))
                .hasSize(1)
                .allSatisfy(race -> assertThat(race.courses())
                        .extracting(Course::name)
                        .containsExactly(
                                "cost",
                                "cost-closed-50",
                                "cost-closed-200",
                                "cold",
                                "closed-100-500ms",
                                "closed-100-500ms-spread",
                                "open-200",
                                "open-2000",
                                "machinery",
                                "closed-10-500ms",
                                "closed-1000-500ms",
                                "closed-100-500ms-together",
                                "closed-100-500ms-think",
                                "closed-100-5ms",
                                "closed-100-5ms-spread",
                                "closed-10-5ms",
                                "closed-1000-5ms"));
    }

    @Test
    void coursesHaveContestantsOfEveryRole() {
        assertThat(RACE.courses()).allSatisfy(course -> {
            assertThat(course.entries())
                    .extracting(Entry::name)
                    .doesNotHaveDuplicates()
                    .contains("none", "hystrix-10ms", "dataloader-10ms", "penstock");
            assertThat(course.entries()).extracting(Entry::role).contains(Role.LIMIT, Role.AFTER, Role.PEER, Role.OURS);
            assertThat(course.entries()).allMatch(Entry::ownJvm);
            assertThat(course.entries())
                    .allSatisfy(entry -> assertThat(CollapseContestants.ALL.entry(entry.name()))
                            .isSameAs(entry));
        });
        assertThat(course("open-200").entries())
                .filteredOn(entry -> entry.role() == Role.OURS)
                .extracting(Entry::name)
                .containsExactly("penstock", "penstock-2%", "penstock-20%");
        assertThat(course("machinery").entries()).extracting(Entry::name).contains("hystrix-1ms", "dataloader-loop");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CollapseContestants.ALL.named("nobody"))
                .withMessageStartingWith("the race collapse has no contestant nobody: use one of none, ");
    }

    @Test
    void judgesOnlyMetricsWithADirection() {
        assertThat(RACE.courses()).allSatisfy(course -> {
            assertThat(course.judged()).noneMatch(key -> Metric.of(key).better() == Metric.Better.NEITHER);
            assertThat(course.shown()).containsAll(course.judged()).doesNotHaveDuplicates();
            assertThat(course.rehearses()).isFalse();
        });
        assertThat(RACE.courses())
                .filteredOn(course -> course.rounds() >= 6)
                .extracting(Course::name)
                .containsExactly(
                        "cost",
                        "cost-closed-50",
                        "cost-closed-200",
                        "cold",
                        "closed-100-500ms",
                        "closed-100-500ms-spread",
                        "open-200",
                        "open-2000",
                        "machinery");
    }

    @Test
    void describesTheLoad() {
        assertThat(course("closed-100-500ms-think").workload(Effort.FULL))
                .isEqualTo("100 callers (closed model) with think time up to 20 ms, for 32 s;"
                        + " a call takes 500 ms, independent of its size");
        assertThat(course("open-2000").workload(Effort.QUICK))
                .isEqualTo(
                        "2,000 requests/s (open model, Poisson arrivals), for 12 s; a call takes 500 ms, independent of its"
                                + " size");
        assertThat(course("machinery").workload(Effort.FULL)).endsWith("a call takes no time, independent of its size");
    }

    @Test
    void addedTimeIsRelativeToSingleCallsOfTheSameRound() {
        Map<String, Map<String, Double>> round = Map.of(
                "none", Map.of("mean_ms", 500.5, "downstream_calls_per_s", 200.0),
                "penstock again", Map.of("mean_ms", 527.5, "downstream_calls_per_s", 1 / 0.055));

        Map<String, Map<String, Double>> related = course("open-200").related(round);

        assertThat(related.get("none")).isEqualTo(Map.of("added_ms", 0.0, "curve_ms", 0.0));
        Map<String, Double> ours = Objects.requireNonNull(related.get("penstock again"));
        assertThat(ours.get("added_ms")).isCloseTo(27, within(1e-9));
        assertThat(ours.get("curve_ms")).isCloseTo(25, within(1e-9));
        assertThat(ours.get("curve_ratio")).isCloseTo(1.08, within(1e-9));
        assertThat(course("closed-10-5ms").related(round).get("penstock again")).containsOnlyKeys("added_ms");
        assertThat(course("open-200").related(Map.of("penstock", Map.of("mean_ms", 1.0))))
                .as("none has failed")
                .isEmpty();
        assertThat(course("open-200").tradeoff()).isPresent();
        assertThat(course("machinery").tradeoff()).isEmpty();
    }

    private static Contestant ran(String who, Map<String, Double>... rounds) {
        return Contestant.of(who, CollapseContestants.ALL.entry(who).role(), Map.of(), List.of(rounds));
    }

    private static Map<String, Double> closed(double tps, double calls) {
        return Map.of("tps", tps, "mean_ms", 501.0, "p99_ms", 505.0, "downstream_calls_per_s", calls, "errors", 0.0);
    }

    @Test
    @SuppressWarnings("unchecked")
    void everyRoundMustMeetAGoal() {
        Contestant good = ran("penstock", closed(199.2, 4), closed(199.9, 5));
        Contestant bad = ran("penstock", closed(199.2, 4), closed(198.9, 9));

        assertThat(course("closed-100-500ms").goals(List.of(good))).hasSize(5).allMatch(Goal::met);
        assertThat(course("closed-100-500ms").goals(List.of(bad)))
                .filteredOn(goal -> !goal.met())
                .extracting(Goal::what)
                .containsExactly(
                        "penstock: TPS at least 199 in every round", "penstock: calls/s at most 5 in every round");
        assertThat(course("closed-100-500ms-spread").goals(List.of(bad)))
                .filteredOn(goal -> !goal.met())
                .hasSize(1);
        assertThat(course("closed-100-500ms").goals(List.of())).isEmpty();
    }

    @Test
    @SuppressWarnings("unchecked")
    void openCoursesHaveGoalsPerBudgetAndPeer() {
        List<Contestant> contestants = List.of(
                ran("none", Map.of("cpu_us_per_tx", 10.0)),
                ran("hystrix-10ms", Map.of("cpu_us_per_tx", 90.0)),
                ran("dataloader-10ms", Map.of("cpu_us_per_tx", 60.0)),
                ran("penstock", Map.of("cpu_us_per_tx", 50.0, "curve_ratio", 1.05)),
                ran("penstock-2%", Map.of("cpu_us_per_tx", 70.0, "curve_ratio", 1.2)),
                ran("penstock-20%", Map.of("curve_ms", 0.0)));

        assertThat(course("open-200").goals(contestants))
                .containsExactly(
                        new Goal("penstock: added / predicted at most 1.10", "1.05, rounds 1.05", true),
                        new Goal("penstock: CPU us/tx lower than all others", "50 to 60 (dataloader-10ms)", true),
                        new Goal("penstock-2%: added / predicted at most 1.10", "1.20, rounds 1.20", false),
                        new Goal("penstock-2%: CPU us/tx lower than all others", "70 to 60 (dataloader-10ms)", false),
                        new Goal("penstock-20%: added / predicted at most 1.10", "about one call per request", false));
    }

    @Test
    @SuppressWarnings("unchecked")
    void comparesTheMachineryWithTheFastestPeers() {
        List<Contestant> contestants = List.of(
                ran("hystrix-10ms", Map.of("tps", 6_000.0)),
                ran("hystrix-1ms", Map.of("tps", 12_000.0)),
                ran("dataloader-loop", Map.of("tps", 100_000.0)),
                ran("penstock", Map.of("tps", 120_000.0, "lost", 1.0)));

        assertThat(course("machinery").goals(contestants)).extracting(Goal::met).containsExactly(false, true, false);
    }

    @Test
    void fullRaceTakesThreeAndAHalfHoursAndQuickRaceLessThanOne() {
        assertThat(time(Effort.FULL)).isLessThanOrEqualTo(Duration.ofMinutes(210));
        assertThat(time(Effort.QUICK)).isLessThanOrEqualTo(Duration.ofMinutes(40));
    }

    private static Duration time(Effort effort) {
        Duration sum = Duration.ZERO;
        for (Course course : RACE.courses()) {
            int rounds = effort == Effort.QUICK ? 1 : course.rounds();
            int contestants = course.entries().size() + (rounds > 1 ? 1 : 0);
            sum = sum.plus(course.blockTime(effort).multipliedBy((long) rounds * contestants));
        }
        return sum;
    }
}
