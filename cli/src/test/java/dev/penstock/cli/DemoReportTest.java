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
import org.junit.jupiter.api.Test;

class DemoReportTest {
    private static final long SECOND = 1_000_000_000L;
    private static final Accounting ALL_ANSWERED = new Accounting(400, 400, 0, 0, 0, 0, Map.of());

    @Test
    void allAnsweredOnceIsSuccess() {
        DemoReport report = report(400, 0, ALL_ANSWERED, 400, 0);
        assertThat(report.failure()).isNull();
        assertThat(report.text())
                .contains(
                        "flow:     offered 400 = answered 400",
                        "flow:     the target takes 99 % of the time",
                        "flow:     opened 7 connections",
                        "400 ids, 0 duplicates")
                .endsWith("OK: 400 payments offered, all answered, none without an ending,"
                        + " none received twice by the gateway. Accounting balanced.\n");
    }

    @Test
    void unbalancedAccountingFailsTheDemo() {
        DemoReport report = report(400, 0, new Accounting(400, 401, 0, 0, 0, -1, Map.of()), 400, 0);
        assertThat(report.failure()).startsWith("accounting not balanced: offered 400 = answered 401");
        assertThat(report.text()).contains("\nFAILED: accounting not balanced");
    }

    @Test
    void transactionWithoutEndingFailsTheDemo() {
        assertThat(report(399, 0, new Accounting(400, 399, 0, 0, 0, 1, Map.of()), 400, 0)
                        .failure())
                .startsWith("accounting not balanced");
    }

    @Test
    void paymentWithoutEndingFailsTheDemo() {
        assertThat(report(399, 1, ALL_ANSWERED, 400, 0).failure())
                .isEqualTo("1 payments never ended for their callers");
    }

    @Test
    void moreAnswersThanPaymentsFailTheDemo() {
        assertThat(report(401, 0, ALL_ANSWERED, 400, 0).failure())
                .isEqualTo("callers received 401 answers to 400 payments");
    }

    @Test
    void answerToAnUnreceivedPaymentFailsTheDemo() {
        assertThat(report(400, 0, ALL_ANSWERED, 399, 0).failure())
                .isEqualTo("the flow answered 400 payments, but the gateway received only 399");
    }

    @Test
    void paymentReceivedTwiceFailsTheDemo() {
        assertThat(report(400, 0, ALL_ANSWERED, 400, 1).failure()).isEqualTo("the gateway received 1 payments twice");
    }

    private static DemoReport report(int right, int lost, Accounting account, long ids, long duplicates) {
        LoadRecorder recorder = new LoadRecorder(0, 2 * SECOND, List.of());
        for (int payment = 0; payment < right + lost; payment++) {
            recorder.started(0, 0);
        }
        for (int payment = 0; payment < right; payment++) {
            recorder.ended(Outcome.RIGHT, 0, 0, 0, SECOND);
        }
        LoadResult load =
                LoadResult.of("a load", recorder.finish(0), 1, right, new ProcessUse(0, 0, 0, 0, 1, -1, List.of()));
        SimulatorReport received = new SimulatorReport(
                new Connections(7, 0, Map.of(), 7, 0),
                new Requests(ids + duplicates, ids + duplicates, 0, 0, 0, 0, 0),
                new Ids(ids, duplicates, ids, 0, 0, 1_000),
                new SimulatorReport.Tls(0, 0, 0));
        return new DemoReport(
                load,
                account,
                "the target takes 99 % of the time",
                received,
                Map.of("opened", 7L),
                "http://127.0.0.1:1/v1/payments");
    }
}
