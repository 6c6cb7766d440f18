package dev.penstock.lab.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.lab.simulate.SimulatorTally.Closer;
import dev.penstock.lab.simulate.SimulatorTally.End;
import org.junit.jupiter.api.Test;

class SimulatorTallyTest {
    @Test
    void aRetriedTransactionAppliesOnceAndCountsAsDuplicate() {
        SimulatorTally tally = new SimulatorTally(10);
        tally.received("a", true);
        tally.ended(End.CUT);
        tally.received("a", true);
        tally.ended(End.ANSWERED);

        SimulatorReport report = tally.report();
        assertThat(report.ids()).isEqualTo(new SimulatorReport.Ids(1, 1, 1, 0, 0, 10));
        assertThat(report.requests()).isEqualTo(new SimulatorReport.Requests(2, 1, 0, 1, 0, 0, 0));
    }

    @Test
    void requestsWithoutAnIdApplyEachTimeAndAreCountedApart() {
        SimulatorTally tally = new SimulatorTally(10);
        tally.received(null, true);
        tally.received("", true);
        tally.received(null, false);

        assertThat(tally.report().ids()).isEqualTo(new SimulatorReport.Ids(0, 0, 2, 3, 0, 10));
    }

    @Test
    void whatHasNoEndYetIsInFlight() {
        SimulatorTally tally = new SimulatorTally(10);
        tally.received("a", true);
        tally.received("b", true);
        tally.ended(End.UNDELIVERED);

        SimulatorReport.Requests requests = tally.report().requests();
        assertThat(requests.inFlight()).isEqualTo(1);
        assertThat(requests.undelivered()).isEqualTo(1);
    }

    @Test
    void saysThatItsNumbersAreNotExactOnceIdsAreForgotten() {
        SimulatorTally tally = new SimulatorTally(1);
        tally.received("a", true);
        tally.received("b", true);

        SimulatorReport report = tally.report();
        assertThat(report.ids().exact()).isFalse();
        assertThat(report.lines())
                .anyMatch(line -> line.startsWith("not exact: 1 requests had ids beyond the maximum of 1"));
    }

    @Test
    void connectionsAreOpenUntilSomeoneClosesThem() {
        SimulatorTally tally = new SimulatorTally(1);
        for (int i = 0; i < 4; i++) {
            tally.accepted();
        }
        tally.closedByFault(Closing.RST);
        tally.closed(Closer.PEER);
        tally.closed(Closer.OTHER);

        SimulatorReport.Connections connections = tally.report().connections();
        assertThat(connections.open()).isEqualTo(1);
        assertThat(connections.closedByFault()).containsEntry(Closing.RST, 1L).containsEntry(Closing.FIN, 0L);
        assertThat(tally.report().lines())
                .contains("connections: accepted 4, open 1, closed by faults 1 (rst 1), by peers 1, otherwise 1");
    }
}
