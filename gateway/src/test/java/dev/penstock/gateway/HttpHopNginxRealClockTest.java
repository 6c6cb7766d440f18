package dev.penstock.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kit.StablePort;
import dev.penstock.kit.program.NeedsProgram;
import dev.penstock.kit.program.Nginx;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two gateways with a real nginx behind them, which leads back to them, or answers itself. */
@Timeout(120)
@NeedsProgram("nginx")
class HttpHopNginxRealClockTest {
    @TempDir
    Path folder;

    private int one;

    private Nginx nginx;

    private Gateway first;

    private Gateway second;

    @BeforeEach
    void start() throws Exception {
        one = StablePort.free();
        int two = StablePort.free();
        int port = StablePort.free();
        Files.writeString(folder.resolve("file"), "content");
        nginx = Nginx.start(folder, port, """
                log_format request '$request_uri';
                server {
                  listen 127.0.0.1:%2$d;
                  access_log %1$s/requests.log request;
                  root %1$s;
                  location /self { proxy_pass http://127.0.0.1:%3$d; }
                  location /cross { proxy_pass http://127.0.0.1:%4$d; }
                  location /none { return 204; }
                }
                """.formatted(folder, port, one, two));
        String flow = "    from: { http: { port: %d, path: %s } }\n    to: { http: \"http://127.0.0.1:%d%s\" }\n";
        first = Running.gateway(
                folder,
                "flows:\n  all:\n" + flow.formatted(one, "/", port, "/") + "  none:\n"
                        + flow.formatted(one, "/empty", port, "/none"));
        second = Running.gateway(folder, "flows:\n  back:\n" + flow.formatted(two, "/cross", one, "/cross"));
    }

    @AfterEach
    void close() {
        nginx.close();
        first.close();
        second.close();
    }

    private String answer(String request, String fields) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), one)) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream()
                    .write((request + " HTTP/1.1\r\nHost: h\r\nConnection: close\r\n" + fields + "\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/self", "/cross"})
    void aRequestThatComesBackIsSentOnce(String path) throws Exception {
        assertThat(answer("POST " + path, "Content-Length: 0\r\n"))
                .startsWith("HTTP/1.1 508 ")
                .contains("\"cause\":\"loop\"");
        assertThat(nginx.logged("requests.log", 1)).containsExactly(path);
        assertThat(first.flows().getFirst().snapshot().account().offered()).isEqualTo(1);
    }

    @Test
    void answersWithoutContentHaveTheLengthOfNginxOrNone() throws Exception {
        String whole = answer("GET /file", "");
        assertThat(whole).contains("\r\nContent-Length: 7\r\n").endsWith("\r\n\r\ncontent");
        assertThat(answer("HEAD /file", ""))
                .contains("\r\nContent-Length: 7\r\n")
                .endsWith("\r\n\r\n");
        String tag = whole.replaceFirst("(?s).*\r\nETag: ([^\r]*)\r\n.*", "$1");
        assertThat(answer("GET /file", "If-None-Match: " + tag + "\r\n"))
                .startsWith("HTTP/1.1 304 ")
                .doesNotContain("Content-Length");
        assertThat(answer("POST /empty", "Content-Length: 0\r\n"))
                .startsWith("HTTP/1.1 204 ")
                .doesNotContain("Content-Length");
    }
}
