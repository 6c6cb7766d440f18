package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Accounting;
import dev.penstock.lab.measure.LoadRecorder;
import dev.penstock.lab.measure.LoadResult;
import dev.penstock.lab.measure.Outcome;
import dev.penstock.lab.measure.ProcessUse;
import dev.penstock.lab.simulate.SimulatorReport;
import dev.penstock.lab.simulate.SimulatorReport.Connections;
import dev.penstock.lab.simulate.SimulatorReport.Ids;
import dev.penstock.lab.simulate.SimulatorReport.Requests;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FleetReportTest {
    private static final long SECOND = 1_000_000_000L;

    @Test
    void allThatWasAcceptedHadOneEffect() {
        FleetReport report = report(400, 400, 0, null);
        assertThat(report.failure()).isNull();
        assertThat(report.text())
                .endsWith(
                        "OK: 400 payments offered, 400 accepted, none lost, none with two effects (3 repeats recognised),"
                                + " never more than 100 calls at the target at once, while gateways were killed 5 times.\n");
    }

    @Test
    void anAcceptedPaymentWithoutEffectFailsTheDemo() {
        assertThat(report(400, 399, 0, null).failure())
                .isEqualTo("400 payments were accepted, but the target received only 399");
    }

    @Test
    void aCallBeyondTheLimitFailsTheDemo() {
        assertThat(report(400, 400, 2, null).failure()).isEqualTo("the target refused 2 calls beyond 100 at once");
    }

    @Test
    void aGatewayThatDoesNotStartAgainFailsTheDemo() {
        assertThat(report(400, 400, 0, "a gateway does not start").text())
                .endsWith("FAILED: a gateway does not start\n");
    }

    private static FleetReport report(int accepted, long ids, long refused, @Nullable String broken) {
        LoadRecorder recorder = new LoadRecorder(0, 2 * SECOND, List.of());
        for (int payment = 0; payment < accepted; payment++) {
            recorder.started(0, 0);
            recorder.ended(Outcome.RIGHT, 0, 0, 0, SECOND);
        }
        LoadResult load =
                LoadResult.of("a load", recorder.finish(0), 1, accepted, new ProcessUse(0, 0, 0, 0, 1, -1, List.of()));
        SimulatorReport received = new SimulatorReport(
                new Connections(7, 0, Map.of(), 7, 0),
                new Requests(ids + 3 + refused, ids + 3, refused, 0, 0, 0, 0),
                new Ids(ids, 3, ids, 0, 0, 1_000),
                new SimulatorReport.Tls(0, 0, 0));
        Accounting account = new Accounting(accepted, accepted, 0, 0, 0, 0, Map.of());
        return new FleetReport(load, account, received, 5, broken, "http://127.0.0.1:1/");
    }
}
