package dev.penstock.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpServer;
import dev.penstock.BatchCounts;
import dev.penstock.jms.JmsBroker;
import dev.penstock.jms.JmsMessage;
import dev.penstock.jms.JmsTarget;
import dev.penstock.kit.StablePort;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Status;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Traces of a whole gateway, over OTLP. */
@Timeout(300)
class TelemetryArtemisTest {
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String CALLER = "b7ad6b7169203331";
    private static final String PARENT = "00-" + TRACE + "-" + CALLER + "-01";
    private static final String HOP = """
            flows:
              first:
                from: { http: { port: 0, path: /orders } }
                to: { jms: { url: embedded, queue: orders } }
                %s
              second:
                from: { jms: { url: embedded, queue: orders } }
                to: { http: { url: "%s" } }
            """;

    @TempDir
    Path folder;

    private final BlockingQueue<Headers> received = new LinkedBlockingQueue<>();
    private OtlpReceiver receiver;
    private HttpServer target;

    @BeforeEach
    void open() throws Exception {
        receiver = new OtlpReceiver();
        target = Running.target(exchange -> {
            try (exchange) {
                received.add(exchange.getRequestHeaders());
                exchange.getRequestBody().readAllBytes();
                exchange.sendResponseHeaders(204, -1);
            }
        });
    }

    @AfterEach
    void close() {
        receiver.close();
        target.stop(0);
    }

    private String targetUrl() {
        return "http://127.0.0.1:" + target.getAddress().getPort() + "/done";
    }

    private String telemetry() {
        return "telemetry: { otlp: \"" + receiver.url() + "\" }\n";
    }

    private static int send(Gateway gateway) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(Running.url(gateway)))
                .header("traceparent", PARENT)
                .header("tracestate", "vendor=1")
                .header("baggage", "tenant=7")
                .POST(BodyPublishers.ofString("{}"))
                .build();
        return Running.CLIENT.send(request, BodyHandlers.discarding()).statusCode();
    }

    private Headers received() throws InterruptedException {
        return Objects.requireNonNull(received.poll(60, TimeUnit.SECONDS));
    }

    @Test
    void aTransactionThroughAQueueIsOneTrace() throws Exception {
        Headers headers;
        try (Gateway gateway = Running.gateway(folder, telemetry() + HOP.formatted("", targetUrl()))) {
            assertThat(send(gateway)).isEqualTo(202);
            headers = received();
            gateway.drain();
        }
        assertThat(receiver.services).containsOnly("penstock");
        assertThat(receiver.spans).extracting(OtlpReceiver::trace).containsOnly(TRACE);
        Span first = receiver.only("first");
        assertThat(OtlpReceiver.parent(first)).isEqualTo(CALLER);
        assertThat(first.getKind()).isEqualTo(Span.SpanKind.SPAN_KIND_SERVER);
        assertThat(OtlpReceiver.attribute(first, "http.request.method")).isEqualTo("POST");
        assertThat(OtlpReceiver.attribute(first, "url.path")).isEqualTo("/orders");
        assertThat(OtlpReceiver.attribute(first, "http.response.status_code")).isEqualTo("202");
        Span sending = receiver.only("first attempt");
        assertThat(OtlpReceiver.parent(sending)).isEqualTo(OtlpReceiver.id(first));
        assertThat(OtlpReceiver.attribute(sending, "messaging.system")).isEmpty();
        Span second = receiver.only("second");
        assertThat(OtlpReceiver.parent(second)).isEqualTo(OtlpReceiver.id(sending));
        assertThat(second.getKind()).isEqualTo(Span.SpanKind.SPAN_KIND_CONSUMER);
        Span attempt = receiver.only("second attempt");
        assertThat(OtlpReceiver.parent(attempt)).isEqualTo(OtlpReceiver.id(second));
        assertThat(attempt.getKind()).isEqualTo(Span.SpanKind.SPAN_KIND_CLIENT);
        assertThat(OtlpReceiver.attribute(attempt, "server.port"))
                .isEqualTo(Integer.toString(target.getAddress().getPort()));
        assertThat(OtlpReceiver.attribute(attempt, "url.full")).isEqualTo(targetUrl());
        assertThat(OtlpReceiver.attribute(attempt, "http.response.status_code")).isEqualTo("204");
        assertThat(headers.get("traceparent")).containsExactly("00-" + TRACE + "-" + OtlpReceiver.id(attempt) + "-01");
        assertThat(headers.get("tracestate")).containsExactly("vendor=1");
        assertThat(headers.get("baggage")).containsExactly("tenant=7");
    }

    @Test
    void aMessageThatIsSentInABatchContinuesTheTraceOfItsOwnTransaction() throws Exception {
        try (Gateway gateway =
                Running.gateway(folder, telemetry() + HOP.formatted("collapse: { max: 10 }", targetUrl()))) {
            assertThat(send(gateway)).isEqualTo(202);
            assertThat(received().getFirst("traceparent")).startsWith("00-" + TRACE);
            gateway.drain();
        }
        Span first = receiver.only("first");
        Span batch = receiver.only("first batch");
        assertThat(OtlpReceiver.parent(batch)).isEqualTo(OtlpReceiver.id(first));
        assertThat(batch.getLinksList()).extracting(Span.Link::getSpanId).containsExactly(first.getSpanId());
        assertThat(first.getLinksList()).extracting(Span.Link::getSpanId).containsExactly(batch.getSpanId());
        assertThat(OtlpReceiver.parent(receiver.only("second"))).isEqualTo(OtlpReceiver.id(first));
    }

    @Test
    void withoutTelemetryAllFieldsPassUnchanged() throws Exception {
        try (Gateway gateway = Running.gateway(folder, HOP.formatted("", targetUrl()))) {
            assertThat(send(gateway)).isEqualTo(202);
            Headers headers = received();
            assertThat(headers.get("traceparent")).containsExactly(PARENT);
            assertThat(headers.get("tracestate")).containsExactly("vendor=1");
            assertThat(headers.get("baggage")).containsExactly("tenant=7");
        }
        assertThat(receiver.spans).isEmpty();
    }

    @Test
    void aMessageOfAnotherProgramContinuesItsTrace() throws Exception {
        int port = StablePort.free();
        String yaml = telemetry() + """
                broker: { port: %d }
                flows:
                  second:
                    from: { jms: { url: embedded, queue: orders } }
                    to: { http: { url: "%s" } }
                """.formatted(port, targetUrl());
        try (Gateway gateway = Running.gateway(folder, yaml);
                JmsTarget queue = JmsTarget.at(JmsBroker.at("tcp://127.0.0.1:" + port))
                        .queue("orders")
                        .build()) {
            queue.call(JmsMessage.text("{}").withProperty("traceparent", PARENT));
            assertThat(received().getFirst("traceparent")).startsWith("00-" + TRACE);
            gateway.drain();
        }
        assertThat(OtlpReceiver.parent(receiver.only("second"))).isEqualTo(CALLER);
    }

    @Test
    void aBatchHasALinkToEachOfItsTransactions() throws Exception {
        try (BatchPeer peer = new BatchPeer()) {
            peer.hold();
            String yaml = telemetry() + """
                    flows:
                      payments:
                        from: { http: { port: 0, path: /pay } }
                        to: { http: { url: "%s" } }
                        deadline: 120s
                        limit: 1
                        queue: { time: 60s, length: 1000 }
                        collapse: { url: "%s", max: 200 }
                    """.formatted(peer.url("/pay"), peer.url("/batch"));
            try (Gateway gateway = Running.gateway(folder, yaml)) {
                List<CompletableFuture<HttpResponse<String>>> sent = new ArrayList<>();
                sent.add(pay(gateway, 0));
                Running.until(() -> peer.alone.size() + peer.batches.size() == 1);
                for (int amount = 100; amount < 300; amount++) {
                    sent.add(pay(gateway, amount));
                }
                Running.until(() -> waiting(gateway) == 200);
                peer.release();
                assertThat(sent)
                        .allSatisfy(call -> assertThat(call.join().statusCode()).isEqualTo(200));
                gateway.drain();
            }
        }
        List<Span> batches = receiver.named("payments batch").stream()
                .filter(span -> span.getLinksCount() == 200)
                .toList();
        assertThat(batches).hasSize(1);
        Span batch = batches.getFirst();
        assertThat(OtlpReceiver.attribute(batch, "penstock.batch.size")).isEqualTo("200");
        List<ByteString> linked = receiver.named("payments").stream()
                .filter(span -> span.getLinks(0).getSpanId().equals(batch.getSpanId()))
                .map(Span::getSpanId)
                .toList();
        assertThat(linked)
                .hasSize(200)
                .doesNotHaveDuplicates()
                .containsExactlyInAnyOrderElementsOf(
                        batch.getLinksList().stream().map(Span.Link::getSpanId).toList());
        assertThat(receiver.named("payments")).hasSize(201);
    }

    private static long waiting(Gateway gateway) {
        BatchCounts batches = gateway.flows().getFirst().snapshot().batches();
        return batches == null ? 0 : batches.waiting();
    }

    private static CompletableFuture<HttpResponse<String>> pay(Gateway gateway, int amount) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(Running.url(gateway)))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"amount\":" + amount + "}"))
                .build();
        return Running.CLIENT.sendAsync(request, BodyHandlers.ofString());
    }

    @Test
    void aDatabaseIsDescribed() throws Exception {
        String yaml = telemetry() + """
                flows:
                  prices:
                    from: { http: { port: 0, path: /prices } }
                    to: { jdbc: { url: embedded, statement: "select cast(:id as int) as id", reads: true } }
                """;
        try (Gateway gateway = Running.gateway(folder, yaml)) {
            HttpRequest request = HttpRequest.newBuilder(URI.create(Running.url(gateway) + "?id=7"))
                    .header("traceparent", PARENT)
                    .build();
            assertThat(Running.CLIENT.send(request, BodyHandlers.ofString()).body())
                    .contains("7");
            gateway.drain();
        }
        assertThat(OtlpReceiver.parent(receiver.only("prices"))).isEqualTo(CALLER);
        assertThat(receiver.spans)
                .filteredOn(span -> span.getKind() == Span.SpanKind.SPAN_KIND_CLIENT)
                .singleElement()
                .satisfies(span -> assertThat(OtlpReceiver.attribute(span, "db.system.name"))
                        .isEqualTo("h2database"));
    }

    @Test
    void aFlowDoesNotNeedItsReceiver() throws Exception {
        receiver.close();
        String yaml = telemetry() + """
                flows:
                  calls:
                    from: { http: { port: 0, path: / } }
                    to: { http: { url: "%s" } }
                """.formatted(targetUrl());
        try (Gateway gateway = Running.gateway(folder, yaml)) {
            for (int call = 0; call < 20; call++) {
                assertThat(send(gateway)).isEqualTo(204);
            }
            assertThat(Objects.requireNonNull(gateway.drain().get("calls")).answered())
                    .isEqualTo(20);
        }
    }

    @Test
    void anEndingWithoutAnAnswerIsAnError() throws Exception {
        String yaml = telemetry() + """
                flows:
                  calls:
                    from: { http: { port: 0, path: / } }
                    to: { http: { url: "http://127.0.0.1:1/" } }
                """;
        try (Gateway gateway = Running.gateway(folder, yaml)) {
            assertThat(send(gateway)).isEqualTo(502);
            gateway.drain();
        }
        Span calls = receiver.only("calls");
        assertThat(calls.getStatus().getCode()).isEqualTo(Status.StatusCode.STATUS_CODE_ERROR);
        assertThat(OtlpReceiver.attribute(calls, "penstock.ending")).isEqualTo("failed");
        assertThat(OtlpReceiver.attribute(calls, "penstock.cause")).isEqualTo("connect");
        assertThat(calls.getStatus().getMessage()).contains("127.0.0.1");
    }
}
