package dev.penstock.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Accounting;
import dev.penstock.Setting;
import dev.penstock.observe.WatchedFlow;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A flow with collapse, in front of a target that accepts single payments and batches. */
@Timeout(300)
class CollapseGatewayRealClockTest {
    /** Longer than sending all of them takes; a full batch is sent at once. */
    private static final String TOGETHER = "budget: 2s";

    /** Batches wait while the target is held. */
    private static final String PATIENT = "deadline: 120s\n    queue: { time: 60s }";

    @TempDir
    Path folder;

    private BatchPeer peer;

    @BeforeEach
    void open() throws IOException {
        peer = new BatchPeer();
    }

    @AfterEach
    void close() {
        peer.close();
    }

    @Test
    void poolOfTheTargetCanBePinned() throws Exception {
        try (Gateway gateway = gateway("max: 10")) {
            WatchedFlow flow = gateway.flows().getFirst();
            assertThat(flow.pin("pool.max", "7", "test").pin()).isEqualTo(Setting.Pin.ON);
            assertThat(flow.snapshot().settings())
                    .filteredOn(setting -> setting.name().equals("pool.max"))
                    .singleElement()
                    .satisfies(setting -> assertThat(setting.value()).isEqualTo("7"))
                    .satisfies(setting -> assertThat(setting.pin()).isEqualTo(Setting.Pin.ON));
            assertThat(flow.unpin("pool.max").pin()).isEqualTo(Setting.Pin.OFF);
        }
    }

    private Gateway gateway(String collapse, String... lines) throws Exception {
        return Running.gateway(
                folder, """
                admin: { port: 0 }
                shutdown: { drain: 60s }
                flows:
                  payments:
                    from: { http: { port: 0, path: /pay } }
                    to: { http: { url: "%s" } }
                    limit: 4
                    collapse: { url: "%s", %s }
                    %s
                """.formatted(peer.url("/pay"), peer.url("/batch"), collapse, String.join("\n    ", lines)));
    }

    private static CompletableFuture<HttpResponse<String>> pay(
            Gateway gateway, String path, int amount, String... header) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(Running.url(gateway) + path))
                .timeout(Duration.ofSeconds(60))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{\"amount\":" + amount + ",\"ref\":\"k" + amount + "\"}"));
        if (header.length > 0) {
            request.headers(header);
        }
        return Running.CLIENT.sendAsync(request.build(), BodyHandlers.ofString());
    }

    private static List<HttpResponse<String>> pay(Gateway gateway, int from, int to) {
        return joined(sent(gateway, from, to));
    }

    private static List<CompletableFuture<HttpResponse<String>>> sent(Gateway gateway, int from, int to) {
        List<CompletableFuture<HttpResponse<String>>> sent = new ArrayList<>();
        for (int amount = from; amount < to; amount++) {
            sent.add(pay(gateway, "", amount));
        }
        return sent;
    }

    private static List<HttpResponse<String>> joined(List<CompletableFuture<HttpResponse<String>>> sent) {
        return sent.stream().map(CompletableFuture::join).toList();
    }

    /** Lets the target answer once all have arrived: with four calls out, the others must share batches. */
    private void releaseWhenThere(Gateway gateway, int count) {
        Running.until(() -> account(gateway).inFlight() == count);
        peer.release();
    }

    private static Accounting account(Gateway gateway) {
        return gateway.flows().getFirst().snapshot().account();
    }

    @Test
    void sendsConcurrentPaymentsInFewCallsAndAnswersEach() throws Exception {
        peer.hold();
        try (Gateway gateway = gateway("max: 20, " + TOGETHER, PATIENT)) {
            List<CompletableFuture<HttpResponse<String>>> sent = sent(gateway, 100, 200);
            releaseWhenThere(gateway, 100);
            List<HttpResponse<String>> answers = joined(sent);
            for (int place = 0; place < answers.size(); place++) {
                assertThat(answers.get(place).statusCode()).isEqualTo(200);
                int amount = 100 + place;
                assertThat(answers.get(place).body())
                        .isEqualTo("{\"took\":" + amount + ",\"ref\":\"k" + amount + "\"}");
            }
            int carried = peer.batches.stream().mapToInt(Integer::intValue).sum() + peer.alone.size();
            assertThat(carried).isEqualTo(100);
            assertThat(peer.batches.size() + peer.alone.size()).isLessThan(40);
            assertThat(peer.batches).allMatch(size -> size >= 2 && size <= 20);
            assertThat(account(gateway).answered()).isEqualTo(100);
        }
    }

    @Test
    void manyGetsBecomeOneUrlOfIds() throws Exception {
        peer.hold();
        try (Gateway gateway = Running.gateway(
                folder, """
                shutdown: { drain: 60s }
                flows:
                  articles:
                    from: { http: { port: 0, path: /articles } }
                    to: { http: { url: "%s" } }
                    deadline: 120s
                    queue: { time: 60s }
                    limit: 1
                    collapse: { get: "%s", join: "%%7C", key: id, %s }
                """.formatted(peer.url("/v1/articles"), peer.url("/v1/list?ids={id}"), TOGETHER))) {
            List<CompletableFuture<HttpResponse<String>>> sent = new ArrayList<>();
            for (int id = 0; id < 20; id++) {
                String path = id % 2 == 0 ? "/" + id : "?id=" + id;
                sent.add(Running.CLIENT.sendAsync(
                        HttpRequest.newBuilder(URI.create(Running.url(gateway) + path))
                                .build(),
                        BodyHandlers.ofString()));
            }
            releaseWhenThere(gateway, 20);
            for (int id = 0; id < 20; id++) {
                assertThat(sent.get(id).join().body()).isEqualTo("{\"id\":" + id + "}");
            }
            assertThat(peer.alone.size() + peer.batches.size()).isLessThan(10);
            assertThat(peer.batches).isNotEmpty();
        }
    }

    @Test
    void metricsCountBatchesByTriggerAndSize() throws Exception {
        try (Gateway gateway = gateway("max: 10, " + TOGETHER)) {
            pay(gateway, 100, 120);
            String metrics = Running.get(gateway.adminAddress() + "metrics").body();
            assertThat(metrics)
                    .contains("penstock_batches_total{flow=\"payments\",left=\"drain\"} 0.0")
                    .containsPattern("penstock_batches_total\\{flow=\"payments\",left=\"[a-z]+\"} [1-9]")
                    .contains("penstock_batch_size_sum{flow=\"payments\"} 20.0")
                    .containsPattern("penstock_batch_size_bucket\\{flow=\"payments\",le=\"10.0\"} [1-9]");
        }
    }

    @Test
    void answerListOfAnotherLengthMakesAllUnknown() throws Exception {
        peer.twist = list -> list.replaceFirst("\\[\\{[^}]*},", "[");
        peer.hold();
        try (Gateway gateway = gateway("max: 10, " + TOGETHER, PATIENT)) {
            List<CompletableFuture<HttpResponse<String>>> sent = sent(gateway, 100, 110);
            releaseWhenThere(gateway, 10);
            List<HttpResponse<String>> answers = joined(sent);
            assertThat(peer.alone.size()).isLessThan(10);
            assertThat(answers.stream().filter(answer -> answer.statusCode() == 504))
                    .hasSize(10 - peer.alone.size())
                    .allMatch(answer -> answer.headers()
                            .firstValue("Penstock-Ending")
                            .orElseThrow()
                            .equals("unknown"));
            assertThat(account(gateway).unknown()).isEqualTo(10L - peer.alone.size());
        }
    }

    @Test
    void findsTheRefusedRequestAndSendsTheOthers() throws Exception {
        try (Gateway gateway = gateway("max: 16, " + TOGETHER)) {
            List<HttpResponse<String>> answers = pay(gateway, 5, 21);
            for (int place = 0; place < answers.size(); place++) {
                boolean unlucky = 5 + place == 13;
                assertThat(answers.get(place).statusCode()).isEqualTo(unlucky ? 422 : 200);
                assertThat(answers.get(place).body()).contains(unlucky ? "{\"no\":true}" : "\"took\":" + (5 + place));
            }
            assertThat(account(gateway).answered()).isEqualTo(16);
        }
    }

    @Test
    void neverSendsAPaymentWithCredentialsOfAnotherClient() throws Exception {
        try (Gateway gateway = gateway("max: 10, budget: 200ms")) {
            List<CompletableFuture<HttpResponse<String>>> sent = new ArrayList<>();
            for (int amount = 100; amount < 120; amount++) {
                sent.add(pay(gateway, "", amount, "Authorization", "user " + amount % 2));
            }
            assertThat(sent).allMatch(answer -> answer.join().statusCode() == 200);
            assertThat(peer.authorizations).isNotEmpty().allMatch(one -> one.equals("user 0") || one.equals("user 1"));
            assertThat(peer.batches).allMatch(size -> size <= 10);
        }
    }

    @Test
    void sendsUnbatchableRequestAloneAndUnchanged() throws Exception {
        try (Gateway gateway = gateway("max: 10, " + TOGETHER)) {
            assertThat(pay(gateway, "", 7, "Idempotency-Key", "once").join().body())
                    .contains("\"took\":7");
            assertThat(pay(gateway, "/below", 8).join().body()).contains("\"took\":8");
            assertThat(pay(gateway, "?x=1", 9).join().body()).contains("\"took\":9");
            assertThat(Running.post(Running.url(gateway)).body()).isEqualTo("x");
            assertThat(peer.alone).hasSize(4).startsWith("once").endsWith("x");
            assertThat(peer.batches).isEmpty();
        }
    }

    @Test
    void batchesRequestWhoseBodyContainsItsKey() throws Exception {
        peer.hold();
        try (Gateway gateway =
                gateway("max: 10, in_body: ref, " + TOGETHER, "retry: { key: Idempotency-Key }", PATIENT)) {
            List<CompletableFuture<HttpResponse<String>>> sent = new ArrayList<>();
            for (int amount = 100; amount < 110; amount++) {
                sent.add(pay(gateway, "", amount, "Idempotency-Key", "k" + amount));
            }
            releaseWhenThere(gateway, 10);
            for (int place = 0; place < 10; place++) {
                assertThat(sent.get(place).join().body()).contains("\"took\":" + (100 + place));
            }
            assertThat(peer.batches).isNotEmpty();
        }
    }

    @Test
    void batchTargetOnTheSameHostSharesConnections() throws Exception {
        try (Gateway gateway = gateway("max: 10, " + TOGETHER)) {
            pay(gateway, 100, 110);
            pay(gateway, "/below", 8).join();
            assertThat(gateway.flows().getFirst().snapshot().connections().get("opened"))
                    .isBetween(1L, 6L);
            assertThat(gateway.flows().getFirst().snapshot().settings())
                    .anyMatch(setting -> setting.name().equals("collapse.budget"))
                    .anyMatch(setting -> setting.name().equals("pool.max"))
                    .noneMatch(setting -> setting.name().equals("collapse.pool.max"));
        }
    }
}
