package dev.penstock.http.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.HttpAnswer;
import dev.penstock.kit.StablePort;
import dev.penstock.kit.program.NeedsProgram;
import dev.penstock.kit.program.Programs;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A source behind load balancers that name the client of each connection. */
@Timeout(120)
class ProxyProtocolRealClockTest {
    private static final String HEAD = "GET /pay HTTP/1.1\r\nHost: h\r\n";
    private static final String CLOSE = "Connection: close\r\n\r\n";
    private static final byte[] SIGNATURE = "\r\n\r\n\0\r\nQUIT\n".getBytes(StandardCharsets.US_ASCII);

    @TempDir
    Path folder;

    private HttpSource source =
            HttpSource.on(0).route("/", "none", call -> HttpAnswer.of(200, "")).build();

    @AfterEach
    void close() {
        source.close();
    }

    /** Answers with the address of the client. */
    private void start(String balancer, Duration headerTime) throws IOException {
        RequestGate gate = (headers, peer) -> new RequestGate.Admitted(
                headers, call -> HttpAnswer.of(200, peer.address().getHostAddress()));
        source = HttpSource.on(0)
                .route("/pay", "payments", gate, 1_000, List.of(), List.of())
                .proxyProtocol(List.of(balancer))
                .headerTime(headerTime)
                .build();
        source.start();
    }

    private static String ask(int port, byte[] bytes) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write(bytes);
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        } catch (SocketException reset) {
            return "";
        }
    }

    private String ask(String text) throws IOException {
        return ask(source.port(), text.getBytes(StandardCharsets.ISO_8859_1));
    }

    @Test
    void theAddressOfTheConnectionIsThatOfTheClient() throws Exception {
        start("127.0.0.1", Duration.ofMinutes(1));
        assertThat(ask("PROXY TCP4 192.0.2.7 127.0.0.1 4711 80\r\n" + HEAD + CLOSE))
                .startsWith("HTTP/1.1 200 ")
                .endsWith("\r\n\r\n192.0.2.7");
        assertThat(ask("PROXY TCP6 2001:db8::1 ::1 4711 80\r\n" + HEAD + CLOSE)).endsWith("2001:db8:0:0:0:0:0:1");
        assertThat(ask("PROXY TCP4 somewhere 127.0.0.1 4711 80\r\n" + HEAD + CLOSE))
                .endsWith("0.0.0.0");
        assertThat(ask("PROXY UNKNOWN\r\n" + HEAD + CLOSE)).endsWith("127.0.0.1");
        assertThat(ask("PROXY TCP4 192.0.2.7 127.0.0.1 4711 80\r\n" + HEAD + "X-Forwarded-For: 192.0.2.8\r\n" + CLOSE))
                .as("what the client says about itself")
                .endsWith("192.0.2.7");
    }

    @Test
    void version2IsUnderstood() throws Exception {
        start("127.0.0.0/8", Duration.ofMinutes(1));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(SIGNATURE);
        bytes.write(new byte[] {0x21, 0x11, 0, 12, (byte) 192, 0, 2, 9, 127, 0, 0, 1, 0x12, 0x34, 0, 80});
        bytes.write((HEAD + CLOSE).getBytes(StandardCharsets.US_ASCII));
        assertThat(ask(source.port(), bytes.toByteArray())).endsWith("192.0.2.9");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                HEAD + CLOSE,
                "PROXY TCP4 192.0.2.7 127.0.0.1 4711\r\n" + HEAD + CLOSE,
                "PROXY TCP4 192.0.2.7 127.0.0.1 4711 80",
                "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
                ""
            })
    void aConnectionThatBeginsOtherwiseIsClosed(String bytes) throws Exception {
        start("127.0.0.1", Duration.ofMillis(200));
        assertThat(ask(bytes)).doesNotContain("200");
    }

    @Test
    void nobodyElseMayConnect() throws Exception {
        start("192.0.2.1", Duration.ofMinutes(1));
        assertThat(ask("PROXY TCP4 192.0.2.7 127.0.0.1 4711 80\r\n" + HEAD + CLOSE))
                .isEmpty();
    }

    @ParameterizedTest
    @NeedsProgram("haproxy")
    @ValueSource(strings = {"send-proxy", "send-proxy-v2"})
    void haproxyNamesItsClients(String option) throws Exception {
        start("127.0.0.1", Duration.ofMinutes(1));
        int port = StablePort.free();
        Path file = Files.writeString(folder.resolve("haproxy.cfg"), """
                defaults
                  mode tcp
                  timeout connect 10s
                  timeout client 60s
                  timeout server 60s
                frontend in
                  bind 127.0.0.1:%d
                  default_backend gateway
                backend gateway
                  source 127.0.0.1
                  server one 127.0.0.1:%d %s
                """.formatted(port, source.port(), option));
        Process haproxy = Programs.started(
                List.of(Programs.path("haproxy"), "-db", "-f", file.toString()), folder.resolve("out"));
        try {
            assertThat(asked(port, haproxy)).startsWith("HTTP/1.1 200 ").endsWith("\r\n\r\n127.0.0.2");
        } finally {
            haproxy.destroyForcibly().waitFor();
        }
    }

    /** As a client at 127.0.0.2. */
    private static String asked(int port, Process haproxy) throws IOException {
        InetAddress client = InetAddress.ofLiteral("127.0.0.2");
        while (true) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port, client, 0)) {
                socket.getOutputStream().write((HEAD + CLOSE).getBytes(StandardCharsets.US_ASCII));
                return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
            } catch (ConnectException notYet) {
                assertThat(haproxy.isAlive()).isTrue();
                Thread.onSpinWait();
            }
        }
    }
}
