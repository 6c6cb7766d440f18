package dev.penstock.http.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.header.Headers;
import dev.penstock.kit.StablePort;
import dev.penstock.kit.program.NeedsProgram;
import dev.penstock.kit.program.Nginx;
import dev.penstock.kit.program.Programs;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A source behind programs that send HTTP/1.0: nginx with its default settings, and ab. */
@Timeout(120)
@NeedsProgram({"ab", "nginx"})
class HttpSourcePeersRealClockTest {
    private static final int PATIENCE_SECONDS = 60;

    @TempDir
    Path folder;

    private final List<HttpCall> calls = new CopyOnWriteArrayList<>();
    private HttpSource source;

    @BeforeEach
    void open() throws Exception {
        source = HttpSource.on(0)
                .route("/pay", "payments", call -> {
                    calls.add(call);
                    return HttpAnswer.of(200, Headers.none(), call.body());
                })
                .build();
        source.start();
    }

    @AfterEach
    void close() {
        source.close();
    }

    @Test
    void answersThroughNginxWithItsDefaultSettings() throws Exception {
        int port = StablePort.free();
        String head = "POST /pay HTTP/1.1\r\nHost: h\r\nConnection: close\r\n";
        String server = "server { listen 127.0.0.1:%d; location / { proxy_pass http://127.0.0.1:%d; } }";
        try (Nginx _ = Nginx.start(folder, port, server.formatted(port, source.port()))) {
            for (String body :
                    List.of("Content-Length: 2\r\n\r\nhi", "Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n")) {
                assertThat(ask(port, head + body)).startsWith("HTTP/1.1 200 ").endsWith("\r\n\r\nhi");
            }
        }
        assertThat(calls)
                .hasSize(2)
                .allSatisfy(call -> assertThat(call.headers().first("Via")).startsWith("1.0 penstock-"));
    }

    @Test
    void answersAbOverOneConnectionForEachRequest() throws Exception {
        assertThat(ab("-n", "100", "-c", "4"))
                .containsPattern("Complete requests: +100\n")
                .containsPattern("Failed requests: +0\n")
                .doesNotContain("Non-2xx");
        assertThat(calls).hasSize(100);
    }

    @Test
    void answersAbOverConnectionsThatLast() throws Exception {
        assertThat(ab("-k", "-n", "200", "-c", "4"))
                .containsPattern("Complete requests: +200\n")
                .containsPattern("Failed requests: +0\n")
                .containsPattern("Keep-Alive requests: +200\n")
                .doesNotContain("Non-2xx");
        assertThat(calls)
                .hasSize(200)
                .allSatisfy(call -> assertThat(call.body()).asString().isEqualTo("hi"));
    }

    private String ab(String... options) throws Exception {
        String program = Programs.path("ab");
        Path body = Files.writeString(folder.resolve("body"), "hi");
        List<String> command = new ArrayList<>(List.of(program, "-q", "-p", body.toString(), "-T", "text/plain"));
        command.addAll(List.of(options));
        command.add("http://127.0.0.1:" + source.port() + "/pay");
        Path output = folder.resolve("ab.txt");
        Process ab = Programs.started(command, output);
        assertThat(ab.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        return Files.readString(output);
    }

    private static String ask(int port, String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }
}
