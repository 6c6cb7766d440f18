package dev.penstock.observe.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.flow.Flow;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The dashboard of a program over a real socket. */
@Timeout(60)
class PenstockPageRealClockTest {
    private final Flow<String, String> flow =
            Flow.named("payments").adaptiveConcurrency().to(call -> "done");
    private final HttpClient client = HttpClient.newHttpClient();
    private PenstockPage page;

    @BeforeEach
    void serve() throws Exception {
        page = PenstockPage.serve(0, flow);
    }

    @AfterEach
    void close() {
        page.close();
        client.close();
    }

    private HttpResponse<String> send(String method, String path) throws Exception {
        URI uri = page.address().resolve(path);
        return client.send(
                HttpRequest.newBuilder(uri)
                        .method(method, HttpRequest.BodyPublishers.noBody())
                        .build(),
                BodyHandlers.ofString());
    }

    @Test
    void showsTheFlow() throws Exception {
        flow.call("");
        HttpResponse<String> html = send("GET", "/");
        assertThat(html.body()).contains("<body data-view>", "uPlot");
        assertThat(html.headers().firstValue("Content-Security-Policy").orElseThrow())
                .contains("default-src 'none'");
        assertThat(send("GET", "/flows?x").body())
                .contains("\"name\":\"payments\"", "\"answered\":1", "\"holds\":true");
        assertThat(send("GET", "/settings").body()).contains("\"name\":\"limit\"");
        assertThat(send("GET", "/transactions?q=x").body()).isEqualTo("{\"on\":false,\"records\":[],\"stored\":[]}");
        page.add("/metrics", "text/plain", () -> "up 1\n");
        assertThat(send("GET", "/metrics").body()).isEqualTo("up 1\n");
        assertThat(send("HEAD", "/ready").statusCode()).isEqualTo(200);
        assertThat(send("GET", "/none").statusCode()).isEqualTo(404);
        assertThat(send("POST", "/settings/payments/limit").statusCode()).isEqualTo(405);
    }

    @Test
    void healthFollowsTheDrain() throws Exception {
        assertThat(send("GET", "/health").body()).isEqualTo("{\"status\":\"ok\"}");
        assertThat(send("GET", "/ready").body()).isEqualTo("{\"status\":\"ready\"}");
        flow.drain(Duration.ZERO);
        assertThat(send("GET", "/health").statusCode()).isEqualTo(503);
        assertThat(send("GET", "/ready").body()).isEqualTo("{\"status\":\"draining\"}");
    }

    @Test
    void streamsSnapshots() throws Exception {
        try (BufferedReader events = open("/events", "127.0.0.1")) {
            assertThat(events.lines().filter(line -> line.startsWith("data: ")).limit(2))
                    .allMatch(line -> line.contains("\"snapshot\":{\"at\":") && line.contains("\"payments\""));
        }
    }

    /** The page of another site can let a browser connect, but the browser then sends the name of that site. */
    @Test
    void anotherHostIsRefused() throws Exception {
        try (BufferedReader answer = open("/flows", "evil.example")) {
            assertThat(answer.readLine()).contains("403");
        }
    }

    private BufferedReader open(String path, String host) throws Exception {
        Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), page.address().getPort());
        socket.getOutputStream()
                .write("GET %s HTTP/1.1\r\nHost: %s\r\n\r\n"
                        .formatted(path, host)
                        .getBytes(StandardCharsets.UTF_8));
        return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    }

    @Test
    void threadsDoNotKeepTheProgramAlive() throws Exception {
        send("GET", "/");
        assertThat(Thread.getAllStackTraces().keySet())
                .filteredOn(thread -> thread.getName().startsWith("HTTP-Dispatcher"))
                .isNotEmpty()
                .allMatch(Thread::isDaemon);
    }
}
