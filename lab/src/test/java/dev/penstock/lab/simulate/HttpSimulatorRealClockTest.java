package dev.penstock.lab.simulate;

import static dev.penstock.lab.simulate.RawClient.post;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.penstock.kit.ManualTicker;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Real sockets; the simulator's time is moved by hand. */
@SuppressWarnings("StringConcatToTextBlock") // as it goes over the wire
@Timeout(180)
class HttpSimulatorRealClockTest {
    private static final long SECOND = 1_000_000_000;
    private static final FaultSchedule TENTH = new FaultSchedule(Duration.ofSeconds(10), Duration.ofSeconds(1));
    private final ManualTicker ticker = new ManualTicker(Long.MAX_VALUE - 5 * SECOND); // readings overflow on the way

    @Test
    void answersOnOneConnectionAgainAndAgain() throws IOException {
        try (HttpSimulator simulator = start(plan());
                RawClient client = new RawClient(simulator.port())) {
            assertThat(client.send(post("a", "x")).answer())
                    .startsWith("HTTP/1.1 200 OK\r\n")
                    .contains("Content-Type: application/xml\r\n")
                    .endsWith("<answer><status>approved</status></answer>");
            assertThat(client.send(post("a", "x")).answer()).startsWith("HTTP/1.1 200 OK\r\n");

            SimulatorReport report = until(simulator, r -> r.requests().answered() == 2);
            assertThat(report.ids()).isEqualTo(new SimulatorReport.Ids(1, 1, 1, 0, 0, 2_000_000));
            assertThat(report.connections().accepted()).isEqualTo(1);
            assertThat(report.connections().open()).isEqualTo(1);
        }
    }

    @Test
    void answersAfterItsDelayAndNotBefore() throws IOException {
        try (HttpSimulator simulator = start(plan().delay(new Delay.Constant(Duration.ofSeconds(1))));
                RawClient client = new RawClient(simulator.port())) {
            client.send(post("a", "x"));
            answering(simulator);
            ticker.advance(Duration.ofNanos(SECOND - 1));
            assertThat(simulator.report().requests().answered()).isZero();
            ticker.advance(Duration.ofNanos(1));
            assertThat(client.answer()).startsWith("HTTP/1.1 200");
        }
    }

    @Test
    void answersPipelinedRequestsInOrderAndEchoes() throws IOException {
        try (HttpSimulator simulator = start(plan().echo(true));
                RawClient client = new RawClient(simulator.port())) {
            client.send(post("a", "first") + post("b", "second") + "POST / HTTP/1.1\r\nHost: a\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\n2\r\nth\r\n3\r\nird\r\n0\r\n\r\n");

            assertThat(client.answer()).endsWith("\r\n\r\nfirst");
            assertThat(client.answer()).endsWith("\r\n\r\nsecond");
            assertThat(client.answer()).endsWith("\r\n\r\nthird");
            assertThat(until(simulator, r -> r.requests().answered() == 3).ids().without())
                    .isEqualTo(1);
        }
    }

    @Test
    void givesLeaveToSendABody() throws IOException {
        try (HttpSimulator simulator = start(plan().echo(true));
                RawClient client = new RawClient(simulator.port())) {
            client.send("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
            assertThat(client.answer()).isEqualTo("HTTP/1.1 100 Continue\r\n\r\n");
            assertThat(client.send("hi").answer()).endsWith("\r\n\r\nhi");
        }
    }

    @Test
    void closesByHeaderWithinTheWindow() throws IOException {
        try (HttpSimulator simulator = start(plan().close(Closing.HEADER, TENTH));
                RawClient client = new RawClient(simulator.port())) {
            assertThat(client.send(post("a", "x")).answer()).doesNotContain("Connection: close");
            ticker.advance(Duration.ofNanos(10 * SECOND));
            assertThat(client.send(post("b", "x")).answer()).contains("Connection: close\r\n");
            assertThat(client.end()).isEqualTo(-1);
            client.leave();

            SimulatorReport report = until(simulator, r -> r.connections().open() == 0);
            assertThat(report.connections().closedByFault()).containsEntry(Closing.HEADER, 1L);
            assertThat(report.requests().answered()).isEqualTo(2);
        }
    }

    @Test
    void closesIdleConnectionsByFinAndLetsBusyOnesFinishFirst() throws IOException {
        try (HttpSimulator simulator = start(
                        plan().delay(new Delay.Constant(Duration.ofMillis(500))).close(Closing.FIN, TENTH));
                RawClient idle = new RawClient(simulator.port());
                RawClient busy = new RawClient(simulator.port())) {
            until(simulator, r -> r.connections().accepted() == 2);
            ticker.advance(Duration.ofNanos(10 * SECOND - SECOND / 4));
            busy.send(post("a", "x"));
            answering(simulator);
            ticker.advance(Duration.ofNanos(SECOND / 4));
            assertThat(idle.end()).isEqualTo(-1);
            assertThat(simulator.report().connections().open()).isEqualTo(1);

            ticker.advance(Duration.ofNanos(SECOND / 4));
            assertThat(busy.answer()).startsWith("HTTP/1.1 200").doesNotContain("Connection: close");
            assertThat(busy.end()).isEqualTo(-1);
            SimulatorReport report = until(simulator, r -> r.connections().open() == 0);
            assertThat(report.connections().closedByFault()).containsEntry(Closing.FIN, 2L);
            assertThat(report.requests().cut()).isZero();
        }
    }

    @Test
    void aConnectionFromWithinTheWindowServesItsFirstRequest() throws IOException {
        try (HttpSimulator simulator = start(plan().close(Closing.FIN, TENTH))) {
            ticker.awaitParked(1);
            ticker.advance(Duration.ofNanos(10 * SECOND));
            ticker.awaitParked(1); // what was open when the window opened is closed by now
            try (RawClient late = new RawClient(simulator.port())) {
                assertThat(late.send(post("a", "x")).answer()).startsWith("HTTP/1.1 200");
                assertThat(late.end()).isEqualTo(-1);
            }
        }
    }

    @Test
    void closesIdleConnectionsByReset() throws IOException {
        try (HttpSimulator simulator = start(plan().close(Closing.RST, TENTH));
                RawClient client = new RawClient(simulator.port())) {
            assertThat(client.send(post("a", "x")).answer()).startsWith("HTTP/1.1 200");
            ticker.advance(Duration.ofNanos(10 * SECOND));

            assertThatExceptionOfType(SocketException.class)
                    .isThrownBy(client::end)
                    .withMessageContaining("reset");
            assertThat(until(simulator, r -> r.connections().open() == 0)
                            .connections()
                            .closedByFault())
                    .containsEntry(Closing.RST, 1L);
        }
    }

    @Test
    void closesInSeveralWaysInTurnAndCountsEachByItsWay() throws IOException {
        try (HttpSimulator simulator = start(plan().close(TENTH, Closing.HEADER, Closing.FIN, Closing.RST));
                RawClient first = new RawClient(simulator.port());
                RawClient second = new RawClient(simulator.port())) {
            until(simulator, r -> r.connections().accepted() == 2);
            ticker.advance(Duration.ofSeconds(10));
            assertThat(first.send(post("a", "x")).answer()).contains("Connection: close\r\n");
            first.leave();
            until(simulator, r -> r.connections().open() == 1);

            ticker.advance(Duration.ofSeconds(10));
            assertThat(second.end()).isEqualTo(-1);
            // Until it waits again, the simulator closes whatever it finds connected, the third too.
            ticker.awaitParked(1);
            ticker.advance(Duration.ofSeconds(5));
            try (RawClient third = new RawClient(simulator.port())) {
                until(simulator, r -> r.connections().open() == 1);
                ticker.advance(Duration.ofSeconds(5));
                assertThatExceptionOfType(SocketException.class).isThrownBy(third::end);
            }
            assertThat(until(simulator, r -> r.connections().open() == 0)
                            .connections()
                            .closedByFault())
                    .isEqualTo(Map.of(Closing.HEADER, 1L, Closing.FIN, 1L, Closing.RST, 1L, Closing.CUT, 0L));
            assertThat(simulator.toString()).endsWith(", close header, fin, rst in turn every 10 s for 1 s");
        }
    }

    @Test
    void beginsItsFaultsAnew() throws IOException {
        try (HttpSimulator simulator = start(plan().close(TENTH, Closing.HEADER, Closing.FIN));
                RawClient client = new RawClient(simulator.port())) {
            until(simulator, r -> r.connections().accepted() == 1);
            ticker.advance(Duration.ofSeconds(10));
            simulator.begin();
            assertThat(client.send(post("a", "x")).answer()).doesNotContain("Connection: close");

            ticker.advance(Duration.ofNanos(10 * SECOND - 1));
            assertThat(client.send(post("b", "x")).answer()).doesNotContain("Connection: close");
            ticker.advance(Duration.ofSeconds(10));
            assertThat(client.send(post("c", "x")).answer()).doesNotContain("Connection: close");
            ticker.advance(Duration.ofNanos(1));
            assertThat(client.end()).isEqualTo(-1);

            simulator.begin(); // windows that were done once are due again
            try (RawClient later = new RawClient(simulator.port())) {
                until(simulator, r -> r.connections().accepted() == 2);
                ticker.awaitParked(1);
                ticker.advance(Duration.ofSeconds(20));
                assertThat(later.end()).isEqualTo(-1);
            }
        }
    }

    @Test
    void isPlainUntilItBeginsWhereToldSo() throws IOException {
        try (HttpSimulator simulator = start(plan().delay(new Delay.Constant(Duration.ofSeconds(1)))
                        .close(Closing.FIN, TENTH)
                        .errors(1, 503)
                        .plainUntilBegun(true));
                RawClient client = new RawClient(simulator.port())) {
            ticker.awaitParked(1);
            ticker.advance(Duration.ofSeconds(10));
            assertThat(client.send(post("a", "x")).answer()).startsWith("HTTP/1.1 200");

            simulator.begin();
            client.send(post("b", "x"));
            answering(simulator);
            ticker.advance(Duration.ofSeconds(1));
            assertThat(client.answer()).startsWith("HTTP/1.1 503");
            ticker.advance(Duration.ofSeconds(9));
            assertThat(client.end()).isEqualTo(-1);
        }
    }

    @Test
    void cutsInTheMiddleOfATransactionThatWasReceived() throws IOException {
        try (HttpSimulator simulator = start(
                        plan().delay(new Delay.Constant(Duration.ofSeconds(1))).close(Closing.CUT, TENTH));
                RawClient client = new RawClient(simulator.port())) {
            ticker.advance(Duration.ofNanos(10 * SECOND));
            client.send(post("a", "x"));
            answering(simulator);
            ticker.advance(Duration.ofNanos(SECOND / 2));

            assertThatExceptionOfType(EOFException.class).isThrownBy(client::answer);
            SimulatorReport report = until(simulator, r -> r.requests().cut() == 1);
            assertThat(report.ids().applied()).isEqualTo(1);
            assertThat(report.connections().closedByFault()).containsEntry(Closing.CUT, 1L);

            ticker.advance(Duration.ofNanos(SECOND));
            try (RawClient again = new RawClient(simulator.port())) {
                again.send(post("a", "x"));
                answering(simulator);
                ticker.advance(Duration.ofNanos(SECOND));
                assertThat(again.answer()).startsWith("HTTP/1.1 200");
            }
            assertThat(until(simulator, r -> r.requests().answered() == 1).ids())
                    .isEqualTo(new SimulatorReport.Ids(1, 1, 1, 0, 0, 2_000_000));
        }
    }

    @Test
    void answersWithInjectedErrorsThatDoNotTakeEffect() throws IOException {
        try (HttpSimulator simulator = start(plan().errors(1, 503));
                RawClient client = new RawClient(simulator.port())) {
            assertThat(client.send(post("a", "x")).answer()).startsWith("HTTP/1.1 503 Service Unavailable\r\n");
            SimulatorReport report = until(simulator, r -> r.requests().errors() == 1);
            assertThat(report.ids().applied()).isZero();
            assertThat(report.ids().unique()).isEqualTo(1);
        }
    }

    @Test
    void refusesMalformedInputAndCloses() throws IOException {
        try (HttpSimulator simulator = start(plan());
                RawClient client = new RawClient(simulator.port())) {
            assertThat(client.send("NONSENSE\r\n\r\n").answer())
                    .startsWith("HTTP/1.1 400 Bad Request\r\n")
                    .contains("Connection: close\r\n");
            assertThat(client.end()).isEqualTo(-1);
            assertThat(until(simulator, r -> r.requests().malformed() == 1)
                            .requests()
                            .received())
                    .isZero();
        }
    }

    @Test
    void refusesARequestThatTakesTooLong() throws IOException {
        try (HttpSimulator simulator = HttpSimulator.builder()
                        .requestTime(Duration.ofMillis(50))
                        .start();
                RawClient client = new RawClient(simulator.port())) {
            assertThat(client.send("POST / HT").answer()).startsWith("HTTP/1.1 408 ");
        }
    }

    @Test
    void closesConnectionsBeyondItsBound() throws IOException {
        try (HttpSimulator simulator = start(plan().maxConnections(1));
                RawClient first = new RawClient(simulator.port())) {
            until(simulator, r -> r.connections().accepted() == 1);
            try (RawClient second = new RawClient(simulator.port())) {
                assertThat(second.end()).isEqualTo(-1);
            }
            assertThat(first.send(post("a", "x")).answer()).startsWith("HTTP/1.1 200");
        }
    }

    @Test
    void endsInFlightRequestsAsUndeliveredWhenItCloses() throws IOException {
        HttpSimulator simulator = start(plan().delay(new Delay.Constant(Duration.ofSeconds(1))));
        try (RawClient client = new RawClient(simulator.port())) {
            client.send(post("a", "x"));
            until(simulator, r -> r.requests().inFlight() == 1);
            simulator.close();
            SimulatorReport report = simulator.report();
            assertThat(report.requests().undelivered()).isEqualTo(1);
            assertThat(report.requests().inFlight()).isZero();
            assertThat(report.connections().open()).isZero();
        }
    }

    @Test
    void saysThatAPortIsInUse() throws IOException {
        try (HttpSimulator simulator = start(plan())) {
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> plan().port(simulator.port()).start())
                    .withMessageMatching(
                            "cannot listen on \\S+ port \\d+: the port is in use; choose another port, or 0 for any"
                                    + " free one");
        }
    }

    /** Waits until a request waits for the time of its answer, beside who watches for the windows of faults. */
    private void answering(HttpSimulator simulator) {
        until(simulator, r -> r.requests().inFlight() == 1);
        ticker.awaitParked(2);
    }

    private HttpSimulatorBuilder plan() {
        return HttpSimulator.builder().ticker(ticker);
    }

    private static HttpSimulator start(HttpSimulatorBuilder plan) throws IOException {
        return plan.start();
    }

    /** Waits until the simulator reports the expected counts; every intermediate report must satisfy the invariants. */
    static SimulatorReport until(HttpSimulator simulator, Predicate<SimulatorReport> wanted) {
        long giveUp = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (true) {
            SimulatorReport report = simulator.report();
            SimulatorReport.Requests r = report.requests();
            SimulatorReport.Connections c = report.connections();
            assertThat(r.answered() + r.cut() + r.undelivered() + r.inFlight()).isEqualTo(r.received());
            assertThat(c.open() + c.closedByFaults() + c.closedByPeer() + c.closedOtherwise())
                    .isEqualTo(c.accepted());
            if (wanted.test(report)) {
                return report;
            }
            assertThat(System.nanoTime() - giveUp).as("waited 60 s: " + report).isNegative();
            LockSupport.parkNanos(200_000);
        }
    }
}
