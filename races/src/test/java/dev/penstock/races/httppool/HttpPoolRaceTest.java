package dev.penstock.races.httppool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.penstock.lab.measure.TimeLine.Fault;
import dev.penstock.lab.race.Block;
import dev.penstock.lab.race.Course;
import dev.penstock.lab.race.Effort;
import dev.penstock.lab.race.Entry;
import dev.penstock.lab.race.Race;
import dev.penstock.lab.race.Scene;
import dev.penstock.lab.report.Contestant.Role;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

class HttpPoolRaceTest {
    @Test
    void isFoundByName() {
        assertThat(ServiceLoader.load(Race.class))
                .filteredOn(race -> race.name().equals("http-pool"))
                .hasSize(1)
                .allSatisfy(race -> assertThat(race.courses())
                        .extracting(Course::name)
                        .containsExactly("closings", "cuts", "speed", "closings-tls", "speed-tls"));
    }

    @Test
    void contestantsHaveUniqueNamesAndEveryRole() {
        assertThat(ClosingsCourse.ofConnections().entries())
                .extracting(Entry::name)
                .doesNotHaveDuplicates()
                .containsExactlyElementsOf(HttpPoolContestants.ALL.names());
        assertThat(ClosingsCourse.ofConnections().entries())
                .extracting(Entry::role)
                .contains(Role.values());
        assertThat(SpeedCourse.plain().entries())
                .containsExactlyElementsOf(HttpPoolContestants.ALL.without(HttpPoolContestants.NO_KEY));
    }

    @Test
    void oneContestantOfEachKindRacesOverTls() {
        assertThat(ClosingsCourse.overTls().entries())
                .isEqualTo(HttpPoolContestants.overTls())
                .doesNotHaveDuplicates();
        assertThat(SpeedCourse.overTls().entries())
                .hasSizeLessThan(SpeedCourse.plain().entries().size())
                .isSubsetOf(SpeedCourse.plain().entries());
    }

    @Test
    void tlsAddsTwelveMinutesToAFullRaceAndTwoToAQuickOne() {
        assertThat(time(Effort.FULL)).isLessThanOrEqualTo(Duration.ofMinutes(12));
        assertThat(time(Effort.QUICK)).isLessThanOrEqualTo(Duration.ofMinutes(2));
    }

    /** The runner's total time for both TLS courses: the rounds, one of ours twice, and one preliminary block. */
    private static Duration time(Effort effort) {
        Duration sum = Duration.ZERO;
        for (Course course : List.of(ClosingsCourse.overTls(), SpeedCourse.overTls())) {
            int contestants = course.entries().size();
            int blocks = effort == Effort.QUICK ? contestants : course.rounds() * (contestants + 1);
            sum = sum.plus(course.blockTime(effort).multipliedBy(blocks)).plus(course.blockTime(Effort.QUICK));
        }
        return sum;
    }

    @Test
    void tlsSceneProvidesAndDeletesATrustStore() throws Exception {
        Block block = new Block("penstock", Effort.QUICK, 1, 1);
        Path trusted;
        try (Scene scene = ClosingsCourse.overTls().open(block)) {
            assertThat(scene.parameters().get("url")).startsWith("https://127.0.0.1:");
            trusted = Path.of(Objects.requireNonNull(scene.parameters().get("trust_store")));
            assertThat(trusted).isNotEmptyFile();
            assertThat(scene.metrics()).containsEntry("resumed", 0.0);
        }
        assertThat(trusted).doesNotExist();
    }

    @Test
    void unknownContestantIsAnError() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HttpPoolContestants.ALL.named("nobody"))
                .withMessageStartingWith("the race http-pool has no contestant nobody: use one of bare-loop, ");
    }

    @Test
    void roundsRotateTheWaysOfClosing() throws Exception {
        Course closings = ClosingsCourse.ofConnections();
        assertThat(faults(closings, Effort.FULL, 1)).containsExactly(new Fault("header", 10, 11));
        assertThat(faults(closings, Effort.FULL, 2)).containsExactly(new Fault("fin", 10, 11));
        assertThat(faults(closings, Effort.FULL, 6)).containsExactly(new Fault("rst", 10, 11));
    }

    @Test
    void quickBlockHasAllWaysOfClosing() throws Exception {
        assertThat(faults(ClosingsCourse.ofConnections(), Effort.QUICK, 1))
                .containsExactly(new Fault("header", 3, 3.3), new Fault("fin", 6, 6.3), new Fault("rst", 9, 9.3));
    }

    @Test
    void tlsBlockHasTheSameWaysInLessTime() throws Exception {
        assertThat(faults(ClosingsCourse.overTls(), Effort.FULL, 2)).containsExactly(new Fault("fin", 2, 2.5));
        assertThat(faults(ClosingsCourse.overTls(), Effort.QUICK, 1))
                .containsExactly(new Fault("header", 1.5, 1.8), new Fault("fin", 3, 3.3), new Fault("rst", 4.5, 4.8));
    }

    @Test
    void cutsHaveTheirOwnCourse() throws Exception {
        assertThat(faults(ClosingsCourse.inTheMiddle(), Effort.FULL, 4)).containsExactly(new Fault("cut", 5, 6));
        assertThat(faults(ClosingsCourse.inTheMiddle(), Effort.QUICK, 1)).containsExactly(new Fault("cut", 3, 3.3));
    }

    private static List<Fault> faults(Course course, Effort effort, int round) throws Exception {
        try (Scene scene = course.open(new Block("penstock", effort, round, 1))) {
            return scene.faults();
        }
    }
}
