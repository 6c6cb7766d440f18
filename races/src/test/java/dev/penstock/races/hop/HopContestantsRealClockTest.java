package dev.penstock.races.hop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.kit.program.NeedsProgram;
import dev.penstock.lab.load.EndListener;
import dev.penstock.lab.measure.LoadResult;
import dev.penstock.races.machine.Cores;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Contestants pass the origin's body on, and their work is counted. The peer starts too slowly for this test. */
@Timeout(90)
@NeedsProgram({"haproxy", "nginx", "wrk"})
class HopContestantsRealClockTest {
    private static final Duration SHORT = Duration.ofSeconds(1);

    @ParameterizedTest
    @ValueSource(strings = {HopContestants.HAPROXY, HopContestants.PENSTOCK})
    void passesTheBodyOnAndCountsIt(String contestant) throws Exception {
        try (Relay relay = Relay.start(contestant, HopContestants.ALL.named(contestant), Cores.here())) {
            assertThat(relay.answer().bytes()).isGreaterThan(HopTraffic.BODY.length());
            assertThat(relay.fullFor(SHORT))
                    .containsEntry("errors", 0.0)
                    .containsEntry("wrong", 0.0)
                    .containsKeys("per_cpu_second", "p99_ms", "child_rss_peak_mb");

            LoadResult open = HopCallers.run(relay, 200, SHORT, SHORT, 1, EndListener.NOBODY);
            assertThat(open.counts().errors()).isZero();
            assertThat(open.counts().right()).isPositive();
        }
    }

    @ParameterizedTest
    @NeedsProgram("openssl")
    @ValueSource(strings = {HopContestants.HAPROXY, HopContestants.PENSTOCK})
    void knowsCallersByTheirKeys(String contestant) throws Exception {
        try (Relay relay = Relay.start(contestant, HopContestants.SECURE.named(contestant), Cores.here())) {
            assertThat(relay.fullFor(SHORT)).containsEntry("errors", 0.0).containsEntry("wrong", 0.0);
            assertThatThrownBy(() -> Answer.of(HopClient.PLAIN, relay.port())).isInstanceOf(IOException.class);
        }
    }

    @Test
    void rejectsAHopWithAnotherAnswer() throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> {
                try (Socket client = socket.accept();
                        OutputStream out = client.getOutputStream()) {
                    int _ = client.getInputStream().read();
                    out.write("HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                } catch (IOException e) {
                    // The client closed the connection.
                }
            });
            assertThatThrownBy(() -> Answer.of(HopClient.PLAIN, socket.getLocalPort()))
                    .isInstanceOf(IOException.class)
                    .hasMessage("unexpected answer: HTTP/1.1 503 Busy");
        }
    }
}
