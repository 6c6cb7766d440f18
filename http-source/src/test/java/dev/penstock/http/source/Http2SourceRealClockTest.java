package dev.penstock.http.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.Calls;
import dev.penstock.http.FrameClient;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.header.Header;
import dev.penstock.http.header.Headers;
import dev.penstock.kit.program.NeedsProgram;
import dev.penstock.kit.program.Programs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hc.core5.http2.frame.FrameType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** HTTP/2 with prior knowledge, as curl speaks it. */
@Timeout(60)
@NeedsProgram("curl")
class Http2SourceRealClockTest {
    private static final int CANCEL = 8;

    @TempDir
    Path folder;

    private final List<HttpCall> calls = new CopyOnWriteArrayList<>();
    private final CountDownLatch arrived = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private HttpSource source;

    @BeforeEach
    void open() throws Exception {
        source = HttpSource.on(0)
                .route("/pay", "payments", RequestGate.open(this::echo), 100_000, List.of(), List.of())
                .route("/wait", "wait", call -> {
                    arrived.countDown();
                    goOn.await();
                    return HttpAnswer.of(200, "waited");
                })
                .build();
        source.start();
    }

    @AfterEach
    void close() {
        goOn.countDown();
        source.close();
    }

    private HttpAnswer echo(HttpCall call) {
        calls.add(call);
        return HttpAnswer.of(
                200, Headers.of(List.of(new Header("Connection", "X-Hop"), new Header("X-Hop", "1"))), call.body());
    }

    private Process start(Path answer, String path, String... options) throws Exception {
        List<String> command = new ArrayList<>(List.of(Programs.path("curl"), "-s", "-i", "--http2-prior-knowledge"));
        command.addAll(List.of(options));
        command.add("http://127.0.0.1:" + source.port() + path);
        return Programs.started(command, answer);
    }

    private String curl(String path, String... options) throws Exception {
        Path answer = Files.createTempFile(folder, "answer", ".txt");
        assertThat(start(answer, path, options).waitFor(50, TimeUnit.SECONDS)).isTrue();
        return Files.readString(answer);
    }

    @Test
    void bringsTheRequestToTheFlowAndTheAnswerBackUnchanged() throws Exception {
        String body = "x".repeat(90_000);
        Path file = Files.writeString(folder.resolve("body"), body);
        assertThat(curl("/pay/1?a=b", "-H", "Idempotency-Key: k", "--data-binary", "@" + file))
                .startsWith("HTTP/2 200")
                .contains("penstock-ending: answered")
                .doesNotContain("x-hop", "connection:")
                .endsWith("\r\n\r\n" + body);
        HttpCall call = calls.getFirst();
        assertThat(call.method()).isEqualTo("POST");
        assertThat(call.path()).isEqualTo("/pay/1?a=b");
        assertThat(call.key("Idempotency-Key")).isEqualTo("k");
        assertThat(call.headers().first("Host")).isEqualTo("127.0.0.1:" + source.port());
        assertThat(call.headers().first("Via")).startsWith("2.0 penstock-");
        assertThat(call.body()).asString().isEqualTo(body);
    }

    @Test
    void refusesByTheSameRules() throws Exception {
        Path large = Files.writeString(folder.resolve("large"), "x".repeat(100_001));
        assertThat(curl("/nothing")).startsWith("HTTP/2 404").contains("penstock-ending: none");
        assertThat(curl("/pay", "--data-binary", "@" + large)).startsWith("HTTP/2 413");
        assertThat(curl("/pay", "-X", "TRACE")).startsWith("HTTP/2 405");
        assertThat(curl("/pay/%2e%2e/admin", "--path-as-is")).startsWith("HTTP/2 400");
        assertThat(calls).isEmpty();
        assertThat(curl("/pay", "-I")).startsWith("HTTP/2 200").doesNotContain("content-length");
    }

    @Test
    void aRequestThatEndsEarlyLeavesTheOthersOfItsConnection() throws Exception {
        byte[] tooLong = FrameClient.block(
                ":method", "POST", ":scheme", "http", ":path", "/pay", ":authority", "h", "content-length", "100001");
        try (FrameClient client = new FrameClient(source.port())) {
            client.send(FrameClient.head(FrameClient.END_STREAM, 1, "GET", "/wait"));
            arrived.await();
            client.send(FrameClient.head(0, 3, "POST", "/pay"))
                    .send(FrameClient.numbered(FrameType.RST_STREAM, 3, CANCEL));
            client.send(FrameClient.frame(FrameType.HEADERS, FrameClient.END_HEADERS, 5, tooLong));
            assertThat(client.answer(5)).isEqualTo("413");
            client.send(FrameClient.head(FrameClient.END_STREAM, 7, "GET", "/pay"));
            assertThat(client.answer(7)).isEqualTo("200");
            goOn.countDown();
            assertThat(client.answer(1)).isEqualTo("200");
        }
    }

    @Test
    void aClientMayCancelAHundredRequestsASecond() throws Exception {
        try (FrameClient client = new FrameClient(source.port())) {
            for (int stream = 1; stream < 200; stream += 2) {
                client.send(FrameClient.head(0, stream, "POST", "/pay"))
                        .send(FrameClient.numbered(FrameType.RST_STREAM, stream, CANCEL));
            }
            client.send(FrameClient.head(FrameClient.END_STREAM, 201, "GET", "/pay"));
            assertThat(client.answer(201)).isEqualTo("200");
        }
    }

    @Test
    void cookiesBecomeOneField() throws Exception {
        byte[] block = FrameClient.block(
                ":method", "GET", ":scheme", "http", ":path", "/pay", "cookie", "a=1", "cookie", "b=2");
        try (FrameClient client = new FrameClient(source.port())) {
            client.send(
                    FrameClient.frame(FrameType.HEADERS, FrameClient.END_HEADERS | FrameClient.END_STREAM, 1, block));
            assertThat(client.answer(1)).isEqualTo("200");
        }
        assertThat(calls.getFirst().headers().all("Cookie")).containsExactly("a=1; b=2");
    }

    @Test
    void aDrainEndsTheConnectionAfterItsAnswer() throws Exception {
        Path answer = folder.resolve("waited.txt");
        Process waiting = start(answer, "/wait");
        arrived.await();
        source.stopAccepting();
        goOn.countDown();
        assertThat(waiting.waitFor(50, TimeUnit.SECONDS)).isTrue();
        assertThat(Files.readString(answer)).startsWith("HTTP/2 200").endsWith("waited");
        Calls.until(() -> source.connections() == 0);
    }
}
