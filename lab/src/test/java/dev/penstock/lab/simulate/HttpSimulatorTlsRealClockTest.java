package dev.penstock.lab.simulate;

import static dev.penstock.lab.simulate.HttpSimulatorRealClockTest.until;
import static dev.penstock.lab.simulate.RawClient.post;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.penstock.kit.ManualTicker;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Real sockets with TLS over them; the simulator's time is moved by hand. */
@Timeout(180)
class HttpSimulatorTlsRealClockTest {
    private static final FaultSchedule TENTH = new FaultSchedule(Duration.ofSeconds(10), Duration.ofSeconds(1));
    private static final String NEWEST = "TLSv1.3";
    /** The newest TLS hides what a record is behind that of data. */
    private static final byte DATA = 23;

    private final ManualTicker ticker = new ManualTicker();
    private final SSLContext trusting = trusting(SimulatorCertificate.trust());

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void answersAgainAndAgainAndResumesSessions(String version) throws IOException {
        try (HttpSimulator simulator = plan().start()) {
            assertThat(simulator.url()).isEqualTo("https://127.0.0.1:" + simulator.port());
            try (RawClient first = new RawClient(simulator.port());
                    RawClient second = new RawClient(simulator.port())) {
                assertThat(first.secure(trusting, "localhost", version)).isEqualTo(version);
                assertThat(first.send(post("a", "x")).answer()).startsWith("HTTP/1.1 200 OK");
                assertThat(first.send(post("b", "x".repeat(20_000))).answer()).startsWith("HTTP/1.1 200 OK");
                awaitTheNextMillisecond();
                second.secure(trusting, "localhost", version);
                assertThat(second.send(post("c", "x")).answer()).startsWith("HTTP/1.1 200 OK");
            }
            SimulatorReport report = until(simulator, r -> r.connections().closedByPeer() == 2);
            assertThat(report.tls()).isEqualTo(new SimulatorReport.Tls(2, 1, 0));
            assertThat(report.requests().answered()).isEqualTo(3);
            assertThat(report.lines()).contains("TLS: 2 sessions, 1 of them resumed, 0 handshakes failed");
        }
    }

    @Test
    void closesByHeaderWithAGoodbye() throws IOException {
        try (HttpSimulator simulator = plan().close(Closing.HEADER, TENTH).start();
                RawClient client = secured(simulator)) {
            ticker.advance(Duration.ofSeconds(10));
            assertThat(client.send(post("a", "x")).answer()).contains("Connection: close\r\n");
            assertGoodbye(client.rest());
            client.leave();
            assertClosed(simulator, Closing.HEADER);
        }
    }

    @Test
    void closesIdleConnectionsByFinWithAGoodbye() throws IOException {
        try (HttpSimulator simulator = plan().close(Closing.FIN, TENTH).start();
                RawClient client = secured(simulator)) {
            ticker.awaitParked(1);
            ticker.advance(Duration.ofSeconds(10));
            assertGoodbye(client.rest());
            assertClosed(simulator, Closing.FIN);
        }
    }

    @Test
    void closesIdleConnectionsByResetWithoutAnAlert() throws IOException {
        try (HttpSimulator simulator = plan().close(Closing.RST, TENTH).start();
                RawClient client = secured(simulator)) {
            ticker.awaitParked(1);
            ticker.advance(Duration.ofSeconds(10));
            assertThatExceptionOfType(SocketException.class)
                    .isThrownBy(client::rest)
                    .withMessageContaining("reset");
            assertClosed(simulator, Closing.RST);
        }
    }

    @Test
    void cutsWithoutAGoodbye() throws IOException {
        try (HttpSimulator simulator = plan().delay(new Delay.Constant(Duration.ofSeconds(1)))
                        .close(Closing.CUT, TENTH)
                        .plainUntilBegun(true)
                        .start();
                RawClient client = secured(simulator)) {
            simulator.begin();
            ticker.advance(Duration.ofSeconds(10));
            client.send(post("a", "x"));
            until(simulator, r -> r.requests().inFlight() == 1);
            ticker.awaitParked(2); // who watches for windows, and the request
            ticker.advance(Duration.ofMillis(500));
            assertThat(client.rest()).isEmpty();
            assertThat(assertClosed(simulator, Closing.CUT).ids().applied()).isEqualTo(2);
        }
    }

    @Test
    void aHandshakeIsNotIdleAndItsConnectionServesOneRequestInTheWindow() throws IOException {
        try (HttpSimulator simulator = plan().close(Closing.FIN, TENTH).start();
                RawClient late = new RawClient(simulator.port());
                RawClient idle = secured(simulator)) {
            ticker.awaitParked(1);
            ticker.advance(Duration.ofSeconds(10));
            assertThat(idle.end()).isEqualTo(-1);

            late.secure(trusting, "127.0.0.1", NEWEST);
            assertThat(late.send(post("b", "x")).answer()).startsWith("HTTP/1.1 200 OK");
            assertThat(late.end()).isEqualTo(-1);
            until(simulator, r -> r.connections().closedByFaults() == 2);
        }
    }

    @Test
    void countsHandshakesThatFail() throws IOException {
        try (HttpSimulator simulator = plan().start();
                RawClient plain = new RawClient(simulator.port());
                RawClient distrusting = new RawClient(simulator.port())) {
            plain.send(post("a", "x"));
            until(simulator, r -> r.tls().failed() == 1);
            assertThatExceptionOfType(SSLHandshakeException.class)
                    .isThrownBy(() -> distrusting.secure(trusting(null), "localhost", NEWEST));
            SimulatorReport report = until(simulator, r -> r.connections().closedOtherwise() == 2);
            assertThat(report.tls()).isEqualTo(new SimulatorReport.Tls(0, 0, 2));
            assertThat(report.requests().received()).isZero();
        }
    }

    @Test
    void aHandshakeThatTakesTooLongIsGivenUp() throws IOException {
        try (HttpSimulator simulator = plan().requestTime(Duration.ofMillis(20)).start();
                RawClient silent = new RawClient(simulator.port())) {
            until(simulator, r -> r.connections().closedOtherwise() == 1);
            assertThatExceptionOfType(EOFException.class).isThrownBy(silent::answer);
        }
    }

    @Test
    void endsIdleBusyAndHalfOpenConnections() throws IOException {
        HttpSimulator simulator =
                plan().delay(new Delay.Constant(Duration.ofSeconds(1))).start();
        List<RawClient> clients = new ArrayList<>();
        try (RawClient silent = new RawClient(simulator.port())) {
            for (int i = 0; i < 20; i++) {
                RawClient client = new RawClient(simulator.port());
                clients.add(client);
                client.secure(trusting, "localhost", NEWEST);
            }
            clients.getFirst().send(post("a", "x"));
            until(
                    simulator,
                    r -> r.requests().inFlight() == 1 && r.connections().accepted() == 21);
            simulator.close();

            SimulatorReport report = simulator.report();
            assertThat(report.connections().open()).isZero();
            assertThat(report.requests().undelivered()).isEqualTo(1);
            assertThat(report.tls().failed()).as("a handshake ended by us").isZero();
            assertThatExceptionOfType(EOFException.class).isThrownBy(silent::answer);
        } finally {
            for (RawClient client : clients) {
                client.close();
            }
        }
    }

    /** A session that is resumed within the millisecond of its making is not seen to be. */
    private static void awaitTheNextMillisecond() {
        long made = System.currentTimeMillis();
        while (System.currentTimeMillis() == made) {
            Thread.onSpinWait();
        }
    }

    /** One record of TLS 1.3, its head of 5 bytes first (RFC 8446, 5.2), and nothing behind it. */
    private static void assertGoodbye(byte[] bytes) {
        assertThat(bytes).hasSizeBetween(24, 64);
        assertThat(bytes[0]).isEqualTo(DATA);
        assertThat(bytes).hasSize(5 + bytes[4]);
    }

    private static SimulatorReport assertClosed(HttpSimulator simulator, Closing how) {
        SimulatorReport report = until(simulator, r -> r.connections().open() == 0);
        assertThat(report.connections().closedByFault()).containsEntry(how, 1L);
        return report;
    }

    /** A client that has its first answer, and so has read what comes behind a handshake. */
    private RawClient secured(HttpSimulator simulator) throws IOException {
        RawClient client = new RawClient(simulator.port());
        client.secure(trusting, "localhost", NEWEST);
        assertThat(client.send(post("first", "x")).answer()).startsWith("HTTP/1.1 200 OK");
        return client;
    }

    private HttpSimulatorBuilder plan() {
        return HttpSimulator.builder().tls(SimulatorCertificate.serverContext()).ticker(ticker);
    }

    private static SSLContext trusting(@Nullable KeyStore trust) {
        try {
            TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trusted.init(trust);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trusted.getTrustManagers(), null);
            return context;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
