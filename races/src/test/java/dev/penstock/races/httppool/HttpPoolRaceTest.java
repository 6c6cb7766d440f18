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
                .allSatisfy(race ->
                        assertThat(race.courses()).extracting(Course::name).containsExactly("closings", "speed"));
    }

    @Test
    void everyContestantHasItsOwnNameAndEveryRoleIsThere() {
        assertThat(new ClosingsCourse().entries())
                .extracting(Entry::name)
                .doesNotHaveDuplicates()
                .hasSize(13);
        assertThat(new ClosingsCourse().entries()).extracting(Entry::role).contains(Role.values());
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
        assertThat(faults(Effort.FULL, 1)).containsExactly(new Fault("header", 10, 11), new Fault("fin", 20, 21));
        assertThat(faults(Effort.FULL, 2)).containsExactly(new Fault("rst", 10, 11), new Fault("cut", 20, 21));
        assertThat(faults(Effort.FULL, 5)).isEqualTo(faults(Effort.FULL, 1));
        assertThat(faults(Effort.FULL, 6)).isEqualTo(faults(Effort.FULL, 2));
    }

    @Test
    void aQuickBlockHasAllWays() throws Exception {
        assertThat(faults(Effort.QUICK, 1))
                .containsExactly(
                        new Fault("header", 3, 3.3),
                        new Fault("fin", 6, 6.3),
                        new Fault("rst", 9, 9.3),
                        new Fault("cut", 12, 12.3));
    }

    private static List<Fault> faults(Effort effort, int round) throws Exception {
        try (Scene scene = new ClosingsCourse().open(new Block("penstock", effort, round, 1))) {
            return scene.faults();
        }
    }

    @Test
    void duplicatesOfBlocksThatCutNothingHaveANameOfTheirOwn() throws Exception {
        try (Scene scene = new ClosingsCourse().open(new Block("penstock", Effort.FULL, 1, 1))) {
            assertThat(scene.metrics()).containsKey("duplicates_uncut").doesNotContainKeys("duplicates", "cut");
        }
        try (Scene scene = new ClosingsCourse().open(new Block("penstock", Effort.FULL, 2, 1))) {
            assertThat(scene.metrics()).containsKeys("duplicates", "cut").doesNotContainKey("duplicates_uncut");
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
