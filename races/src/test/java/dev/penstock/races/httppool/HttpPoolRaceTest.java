package dev.penstock.races.httppool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.penstock.lab.load.PaymentXml;
import dev.penstock.lab.measure.TimeLine.Fault;
import dev.penstock.lab.race.Block;
import dev.penstock.lab.race.Course;
import dev.penstock.lab.race.Effort;
import dev.penstock.lab.race.Entry;
import dev.penstock.lab.race.Race;
import dev.penstock.lab.race.Scene;
import dev.penstock.lab.report.Contestant.Role;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

class HttpPoolRaceTest {
    @Test
    void isFoundByItsName() {
        assertThat(ServiceLoader.load(Race.class))
                .filteredOn(race -> race.name().equals("http-pool"))
                .hasSize(1)
                .allSatisfy(race -> assertThat(race.courses())
                        .extracting(Course::name)
                        .containsExactly("closings", "cuts", "speed"));
    }

    @Test
    void everyContestantHasItsOwnNameAndEveryRoleIsThere() {
        assertThat(ClosingsCourse.ofConnections().entries())
                .extracting(Entry::name)
                .doesNotHaveDuplicates()
                .hasSize(13);
        assertThat(ClosingsCourse.ofConnections().entries())
                .extracting(Entry::role)
                .contains(Role.values());
        assertThat(new SpeedCourse().entries())
                .extracting(Entry::name)
                .doesNotContain("penstock-no-key")
                .hasSize(12);
    }

    @Test
    void anUnknownContestantIsAnError() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Contestants.named("nobody"))
                .withMessage("http-pool has no contestant nobody");
    }

    @Test
    void roundsTakeTurnsWithTheWaysOfClosing() throws Exception {
        Course closings = ClosingsCourse.ofConnections();
        assertThat(faults(closings, Effort.FULL, 1)).containsExactly(new Fault("header", 10, 11));
        assertThat(faults(closings, Effort.FULL, 2)).containsExactly(new Fault("fin", 10, 11));
        assertThat(faults(closings, Effort.FULL, 6)).containsExactly(new Fault("rst", 10, 11));
    }

    @Test
    void aQuickBlockHasAllWays() throws Exception {
        assertThat(faults(ClosingsCourse.ofConnections(), Effort.QUICK, 1))
                .containsExactly(new Fault("header", 3, 3.3), new Fault("fin", 6, 6.3), new Fault("rst", 9, 9.3));
    }

    @Test
    void cutsHaveACourseOfTheirOwn() throws Exception {
        assertThat(faults(ClosingsCourse.inTheMiddle(), Effort.FULL, 4)).containsExactly(new Fault("cut", 5, 6));
        assertThat(faults(ClosingsCourse.inTheMiddle(), Effort.QUICK, 1)).containsExactly(new Fault("cut", 3, 3.3));
    }

    private static List<Fault> faults(Course course, Effort effort, int round) throws Exception {
        try (Scene scene = course.open(new Block("penstock", effort, round, 1))) {
            return scene.faults();
        }
    }

    @Test
    void thePaymentSdkIsGivenWhatIsInThePayment() {
        PaymentXml.Payment payment = new PaymentXml(1).apply(0);

        Map<String, String> fields = PaymentSdk.fields(payment);

        assertThat(fields).containsEntry("merchantTransactionIdentifier", payment.id());
        assertThat(fields.values()).anyMatch(value -> value.matches("M\\d{9}"));
        assertThat(fields.values().stream().mapToInt(String::length).sum()).isBetween(500, 2_000);
    }
}
