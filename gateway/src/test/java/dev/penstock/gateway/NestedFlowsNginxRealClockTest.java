package dev.penstock.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kit.StablePort;
import dev.penstock.kit.program.NeedsProgram;
import dev.penstock.kit.program.Nginx;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A flow with dedupe below one without, in front of a real nginx: a key is paid once for any spelling of its path. */
@Timeout(120)
@NeedsProgram("nginx")
class NestedFlowsNginxRealClockTest {
    /** Spellings that a server may read as a path of the inner flow. */
    private static final List<String> REFUSED = List.of(
            "/api/%2fpayments",
            "/api/x/../payments",
            "/api/x/%2E%2e/payments",
            "/api/x%2f..%2fpayments",
            "/api/./payments",
            "/api/x%252f%252e%252e%252fpayments",
            "/api/%2570ayments",
            "/api;a/payments",
            "/api/payments;a=1",
            "/api/payments%3ba=1",
            "/api/;a/payments",
            "/api\\payments",
            "/api/%5cpayments",
            "/api/PAYMENTS",
            "/api/payments%00",
            "/api/payments%00.json",
            "/api/payments.json",
            "/api/payments%20",
            "/api/payment%",
            "/api/payment%7",
            "/api/payment%7x");

    @TempDir
    Path folder;

    private int port;

    private Nginx nginx;

    @BeforeEach
    void startNginx() throws IOException {
        port = StablePort.free();
        nginx = Nginx.start(folder, port, """
                log_format request '$request_uri';
                server {
                  listen 127.0.0.1:%2$d;
                  location ~ ^/api/payments(/|$) { access_log %1$s/paid.log request; return 200 paid; }
                  location / { access_log %1$s/other.log request; return 200 other; }
                }
                """.formatted(folder, port));
    }

    @AfterEach
    void stopNginx() {
        nginx.close();
    }

    private Gateway gateway() throws Exception {
        return Running.gateway(folder, """
                flows:
                  api:
                    from: { http: { port: %1$d, path: /api } }
                    to: { http: { url: "http://127.0.0.1:%2$d/api" } }
                  payments:
                    from: { http: { port: %1$d, path: /api/payments } }
                    to: { http: { url: "http://127.0.0.1:%2$d/api/payments" } }
                    dedupe: Idempotency-Key
                """.formatted(StablePort.free(), port));
    }

    private static String post(Gateway gateway, String target) throws IOException {
        URI source = URI.create(gateway.flows().getFirst().snapshot().from());
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), source.getPort())) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream()
                    .write(("POST " + target + " HTTP/1.1\r\nHost: h\r\nIdempotency-Key: k-1\r\nContent-Length: 1\r\n"
                                    + "Connection: close\r\n\r\nx")
                            .getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    @Test
    void requestsWithEqualKeyArePaidOnceForAnySpellingOfThePath() throws Exception {
        try (Gateway gateway = gateway()) {
            Map<String, String> answers = new LinkedHashMap<>();
            for (String path : List.of(
                    "/api/payments",
                    "/api/%70ayments",
                    "/api//payments",
                    "//api///payments",
                    "/%61pi/paymen%74s",
                    "http://h/api//payments",
                    "HTTP://h//api/%70ayments")) {
                answers.put(path, post(gateway, path));
            }
            answers.forEach((path, answer) ->
                    assertThat(answer).as(path).startsWith("HTTP/1.1 200 ").endsWith("paid"));
            // In parallel, because the source reads on for a second after a refused request.
            Map<String, Future<String>> refused = new LinkedHashMap<>();
            try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
                REFUSED.forEach(path -> refused.put(path, callers.submit(() -> post(gateway, path))));
            }
            refused.forEach(
                    (path, answer) -> assertThat(answer.resultNow()).as(path).containsPattern("^HTTP/1.1 40[04] "));
            assertThat(nginx.logged("paid.log", 1)).containsExactly("/api/payments");
            assertThat(nginx.logged("other.log", 0)).isEmpty();
        }
    }

    @Test
    void doesNotRewriteEncodedCharactersAndQuery() throws Exception {
        try (Gateway gateway = gateway()) {
            List<String> paths = List.of(
                    "/api/items/a%2Fb",
                    "/api/items/a%2Fpayments",
                    "/api/items;v=1/a",
                    "/api/items/https://h//payments",
                    "/api/items/%E2%82%AC%20%25",
                    "/api/items.json",
                    "/api/payments-old",
                    "/api/Items?to=//api/%70ayments/../%2f&p=10%25",
                    "/api/");
            for (String path : paths) {
                assertThat(post(gateway, path)).as(path).endsWith("other");
            }
            assertThat(nginx.logged("other.log", paths.size())).containsExactlyElementsOf(paths);
            assertThat(nginx.logged("paid.log", 0)).isEmpty();
        }
    }
}
