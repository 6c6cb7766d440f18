package dev.penstock.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The limits of {@code from.http} in the flow file take effect on its connections. */
@Timeout(300)
class SourceLimitsRealClockTest {
    /** Shorter than the default idle time, so that a key without effect fails. */
    private static final int PATIENCE_MS = 60_000;

    @TempDir
    Path folder;

    private SlowTarget target;

    @BeforeEach
    void open() throws IOException {
        target = new SlowTarget();
    }

    @AfterEach
    void close() {
        target.close();
    }

    private Gateway gateway(String limits) throws Exception {
        return Running.gateway(folder, """
                shutdown: { drain: 0s }
                flows:
                  payments:
                    from: { http: { port: 0, path: /pay, %s } }
                    to: { http: { url: "%s" } }
                """.formatted(limits, target.url()));
    }

    private static Socket connected(Gateway gateway) throws IOException {
        URI url = URI.create(Running.url(gateway));
        Socket socket = new Socket(url.getHost(), url.getPort());
        socket.setSoTimeout(PATIENCE_MS);
        return socket;
    }

    /** The status of a request with a header field of a length. */
    private static int call(Socket socket, int length) throws IOException {
        String request = "GET /pay HTTP/1.1\r\nHost: h\r\nX: " + "y".repeat(length) + "\r\n\r\n";
        socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
        InputStream in = socket.getInputStream();
        StringBuilder read = new StringBuilder();
        while (read.indexOf("\r\n\r\n") < 0) {
            read.append((char) in.read());
        }
        String body = read.toString().replaceFirst("(?is).*content-length: (\\d+).*", "$1");
        in.readNBytes(Integer.parseInt(body));
        return Integer.parseInt(read.substring(9, 12));
    }

    private static boolean isClosed(Socket socket) throws IOException {
        try {
            return socket.getInputStream().read() < 0;
        } catch (SocketException reset) {
            return true;
        }
    }

    @Test
    void idleTimeClosesAConnectionAfterItsAnswer() throws Exception {
        try (Gateway gateway = gateway("idle_time: 300ms");
                Socket client = connected(gateway)) {
            long asked = System.nanoTime();
            assertThat(call(client, 1)).isEqualTo(200);
            assertThat(isClosed(client)).isTrue();
            assertThat(Duration.ofNanos(System.nanoTime() - asked)).isGreaterThan(Duration.ofMillis(200));
        }
    }

    @Test
    void maxConnectionsClosesAnIdleOneForANewOne() throws Exception {
        try (Gateway gateway = gateway("max_connections: 2");
                Socket first = connected(gateway);
                Socket second = connected(gateway)) {
            assertThat(call(first, 1)).isEqualTo(200);
            assertThat(call(second, 1)).isEqualTo(200);
            assertThat(gateway.flows().getFirst().snapshot().settings())
                    .anyMatch(setting -> setting.name().equals("source.max_connections")
                            && setting.value().equals("2"));
            try (Socket third = connected(gateway)) {
                assertThat(call(third, 1)).isEqualTo(200);
                assertThat(isClosed(first)).isTrue();
                assertThat(call(second, 1)).isEqualTo(200);
            }
        }
    }
}
