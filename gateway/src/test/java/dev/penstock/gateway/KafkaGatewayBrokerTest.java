package dev.penstock.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.penstock.gateway.config.BadConfig;
import dev.penstock.gateway.file.FlowFile;
import dev.penstock.kafka.kit.KafkaBroker;
import dev.penstock.kit.StablePort;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** From HTTP to a topic of a real broker, and from there to HTTP. */
@Timeout(300)
class KafkaGatewayBrokerTest {
    private static KafkaBroker broker;

    @TempDir
    Path folder;

    @BeforeAll
    static void startBroker() throws Exception {
        broker = KafkaBroker.start();
    }

    @AfterAll
    static void stopBroker() throws Exception {
        broker.close();
    }

    private Gateway gateway(String topic) throws Exception {
        return Running.gateway(folder, """
                admin: { port: 0 }
                flows:
                  orders:
                    from: { http: { port: 0, path: /orders } }
                    to: { kafka: { url: "%s", topic: %s, key: customer-id, properties: { compression.type: gzip } } }
                    deadline: 20s
                """.formatted(broker.servers(), topic));
    }

    private static CompletableFuture<HttpResponse<String>> put(Gateway gateway, int number) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(Running.url(gateway) + "/" + number + "?x=1"))
                .header("customer-id", "c" + number % 7)
                .header("IDEMPOTENCY-KEY", "k" + number)
                .PUT(BodyPublishers.ofString("{\"number\": " + number + "}"))
                .build();
        return Running.CLIENT.sendAsync(request, BodyHandlers.ofString());
    }

    private static List<ConsumerRecord<String, String>> read(String topic, int count) {
        Map<String, Object> settings =
                Map.of("bootstrap.servers", broker.servers(), "isolation.level", "read_committed");
        try (var consumer = new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
            consumer.assign(IntStream.range(0, 3)
                    .mapToObj(n -> new TopicPartition(topic, n))
                    .toList());
            consumer.seekToBeginning(consumer.assignment());
            List<ConsumerRecord<String, String>> all = new ArrayList<>();
            Running.until(() -> {
                consumer.poll(Duration.ofMillis(100)).forEach(all::add);
                return all.size() >= count;
            });
            return all;
        }
    }

    private static Map<String, String> headers(ConsumerRecord<String, String> record) {
        Map<String, String> headers = new HashMap<>();
        for (Header header : record.headers()) {
            headers.put(header.key(), new String(header.value(), StandardCharsets.UTF_8));
        }
        return headers;
    }

    @Test
    void answersWith202WhenTheRecordIsInTheTopic() throws Exception {
        broker.createTopic("orders", 3, Map.of());
        try (Gateway gateway = gateway("orders")) {
            List<CompletableFuture<HttpResponse<String>>> sent =
                    IntStream.range(0, 100).mapToObj(n -> put(gateway, n)).toList();
            Set<String> ids = new HashSet<>();
            for (CompletableFuture<HttpResponse<String>> one : sent) {
                HttpResponse<String> answer = one.get();
                assertThat(answer.statusCode()).as(answer.body()).isEqualTo(202);
                assertThat(answer.headers().firstValue("Location")).isEmpty();
                ids.add(answer.body().replaceFirst(".*\"id\":\"([^\"]*)\".*", "$1"));
            }
            assertThat(ids).hasSize(100);
            List<ConsumerRecord<String, String>> records = read("orders", 100);
            assertThat(records).hasSize(100);
            for (ConsumerRecord<String, String> record : records) {
                Map<String, String> headers = headers(record);
                int number = Integer.parseInt(record.value().replaceAll("\\D", ""));
                assertThat(record.key()).isEqualTo("c" + number % 7);
                assertThat(headers)
                        .containsEntry("Idempotency-Key", "k" + number)
                        .containsEntry("Customer-Id", "c" + number % 7)
                        .containsEntry("penstock_method", "PUT")
                        .containsEntry("penstock_path", "/" + number + "?x=1")
                        .doesNotContainKeys("Host", "Content-Length", "Penstock-Id");
                assertThat(ids.remove(headers.get("penstock_id"))).isTrue();
            }
            assertThat(gateway.flows().getFirst().snapshot().account().answered())
                    .isEqualTo(100);
            assertThat(Running.get(gateway.adminAddress() + "metrics").body())
                    .contains(
                            "penstock_flow_transactions_total{cause=\"none\",ending=\"answered\",flow=\"orders\"} 100.0");
            assertThat(Running.get(gateway.adminAddress() + "settings").body())
                    .contains("orders")
                    .contains("records are sent to this topic");
        }
    }

    @Test
    void refusesWhatTheClusterRefuses() throws Exception {
        try (Gateway gateway = gateway("missing")) {
            HttpResponse<String> answer = put(gateway, 1).get();
            assertThat(answer.statusCode()).isEqualTo(502);
            assertThat(gateway.flows().getFirst().snapshot().account().failed()).isEqualTo(1);
        }
    }

    @Test
    void answersAgainAfterTheBrokerWasKilled() throws Exception {
        broker.createTopic("restarted", 3, Map.of());
        try (Gateway gateway = gateway("restarted")) {
            assertThat(put(gateway, 1).get().statusCode()).isEqualTo(202);
            broker.kill();
            HttpResponse<String> lost = put(gateway, 2).get();
            assertThat(lost.statusCode()).as(lost.body()).isBetween(500, 504);
            broker.restart();
            Running.until(() -> put(gateway, 3).join().statusCode() == 202);
            assertThat(read("restarted", 2))
                    .extracting(ConsumerRecord::value)
                    .contains("{\"number\": 1}", "{\"number\": 3}");
        }
    }

    private Gateway carrier(String topic, String target, String more) throws Exception {
        return Running.gateway(folder, """
                admin: { port: 0 }
                shutdown: { drain: 0s }
                flows:
                  accept:
                    from: { http: { port: 0, path: /orders } }
                    to: { kafka: { url: "%1$s", topic: %2$s, key: customer-id } }
                  carry:
                    from: { kafka: { url: "%1$s", topic: %2$s, group: carriers%3$s } }
                    to: { http: { url: "%4$s" } }
                """.formatted(broker.servers(), topic, more, target));
    }

    private static long messages(Gateway gateway, String what) {
        return gateway.flows().get(1).snapshot().counters("messages").getOrDefault(what, -1L);
    }

    @Test
    void carriesRecordsInTheOrderOfTheirKeys() throws Exception {
        broker.createTopic("carried", 3, Map.of());
        broker.createTopic("carried.DLQ", 3, Map.of());
        Map<String, List<String>> ofCustomer = new ConcurrentHashMap<>();
        HttpServer target = Running.target(exchange -> {
            exchange.getRequestBody().readAllBytes();
            String path = exchange.getRequestURI().toString();
            ofCustomer
                    .computeIfAbsent(
                            exchange.getRequestHeaders().getFirst("Customer-Id"),
                            _ -> Collections.synchronizedList(new ArrayList<>()))
                    .add(exchange.getRequestHeaders().getFirst("Idempotency-Key") + exchange.getRequestMethod() + path);
            try (exchange) {
                exchange.sendResponseHeaders(path.equals("/t/8?x=1") ? 500 : 200, -1);
            }
        });
        try (Gateway gateway =
                carrier("carried", "http://127.0.0.1:" + target.getAddress().getPort() + "/t", "")) {
            Map<String, List<String>> sent = new HashMap<>();
            for (int number = 0; number < 70; number++) {
                assertThat(put(gateway, number).get().statusCode()).isEqualTo(202);
                sent.computeIfAbsent("c" + number % 7, _ -> new ArrayList<>())
                        .add("k" + number + "PUT/t/" + number + "?x=1");
            }
            Running.until(() -> messages(gateway, "completed") == 70);
            assertThat(ofCustomer).isEqualTo(sent);
            assertThat(messages(gateway, "dead_letters")).isEqualTo(1);
            assertThat(headers(read("carried.DLQ", 1).getFirst()))
                    .containsEntry("penstock_ending", "unknown")
                    .containsEntry("Idempotency-Key", "k8");
            // Asked for every few seconds; the offsets of the last records are committed a little later, so it may rise
            // once more.
            Running.until(() -> messages(gateway, "lag") == 0);
            assertThat(Running.get(gateway.adminAddress() + "metrics").body())
                    .contains("penstock_messages_total{flow=\"carry\",result=\"completed\"} 70.0")
                    .contains("penstock_messages_in_hand{flow=\"carry\"} 0.0")
                    .contains("penstock_messages_lag{flow=\"carry\"} ");
            assertThat(Running.get(gateway.adminAddress() + "settings").body())
                    .contains("records with the same key are processed in order, in the consumer group carriers");
        } finally {
            target.stop(0);
        }
    }

    @Test
    void continuesWhereAnEarlierGatewayEnded() throws Exception {
        broker.createTopic("continued", 3, Map.of());
        try (SlowTarget target = new SlowTarget()) {
            target.hold();
            try (Gateway gateway = carrier("continued", target.url(), ", key: penstock_id, in_flight: 2")) {
                for (int number = 0; number < 20; number++) {
                    assertThat(put(gateway, number).get().statusCode()).isEqualTo(202);
                }
                Running.until(() -> target.received.get() == 2 && messages(gateway, "lag") == 20);
                assertThat(Objects.requireNonNull(gateway.drain().get("carry")).isSettled())
                        .isTrue();
            }
            target.release();
            try (Gateway gateway = carrier("continued", target.url(), ", key: penstock_id")) {
                Running.until(() -> messages(gateway, "completed") == 20);
                assertThat(messages(gateway, "dead_letters")).isZero();
                assertThat(target.received.get()).isEqualTo(22);
            }
        }
    }

    @Test
    void carriesRecordsOfAShareGroup() throws Exception {
        broker.createTopic("shared", 3, Map.of());
        broker.createTopic("shared.DLQ", 3, Map.of());
        broker.configureGroup("carriers-shared", Map.of("share.auto.offset.reset", "earliest"));
        Set<String> received = ConcurrentHashMap.newKeySet();
        HttpServer target = Running.target(exchange -> {
            exchange.getRequestBody().readAllBytes();
            String path = exchange.getRequestURI().toString();
            boolean isNew = received.add(exchange.getRequestHeaders().getFirst("Idempotency-Key") + path);
            try (exchange) { // 7 is tried again, 8 never succeeds
                exchange.sendResponseHeaders(path.equals("/8?x=1") || (path.equals("/7?x=1") && isNew) ? 500 : 200, -1);
            }
        });
        String url = "http://127.0.0.1:" + target.getAddress().getPort();
        try (Gateway gateway = carrier("shared", url, "-shared, by: share, key: penstock_id")) {
            for (int number = 0; number < 70; number++) {
                assertThat(put(gateway, number).get().statusCode()).isEqualTo(202);
            }
            Running.until(
                    () -> messages(gateway, "completed") == 70 && messages(gateway, "lag") == 0,
                    () -> gateway.flows().get(1).snapshot().counters("messages").toString());
            assertThat(received)
                    .containsExactlyInAnyOrderElementsOf(IntStream.range(0, 70)
                            .mapToObj(number -> "k" + number + "/" + number + "?x=1")
                            .toList());
            assertThat(messages(gateway, "dead_letters")).isEqualTo(1);
            assertThat(messages(gateway, "tried_again")).isEqualTo(5); // 1 of 7, 4 of 8
            assertThat(headers(read("shared.DLQ", 1).getFirst()))
                    .containsEntry("penstock_ending", "unknown")
                    .containsEntry("Idempotency-Key", "k8");
            assertThat(Running.get(gateway.adminAddress() + "settings").body())
                    .contains("in no order, in the share group carriers-shared");
        } finally {
            target.stop(0);
        }
    }

    @Test
    void checkReportsWhatTheBrokerLacks() throws Exception {
        broker.createTopic("asked", 3, Map.of());
        Path file = Files.writeString(folder.resolve("asked.yaml"), """
                flows:
                  carry:
                    from: { kafka: { url: "%1$s", topic: asked, group: asking, by: share, key: penstock_id } }
                    to: { kafka: { url: "%1$s", topic: absent } }
                """.formatted(broker.servers()));
        FlowFile flows = FlowFile.read(file);
        assertThatThrownBy(() -> flows.ask(file))
                .isInstanceOf(BadConfig.class)
                .hasMessageContaining(": topic asked.DLQ does not exist at " + broker.servers())
                .hasMessageContaining(": topic absent does not exist")
                .hasMessageNotContaining("topic asked ")
                .hasMessageNotContaining("share");
        broker.createTopic("asked.DLQ", 1, Map.of());
        broker.createTopic("absent", 1, Map.of());
        flows.ask(file);
        String nowhere = Files.readString(file).replace(broker.servers(), "127.0.0.1:" + StablePort.free());
        Path other = Files.writeString(folder.resolve("nowhere.yaml"), nowhere);
        assertThatThrownBy(() -> FlowFile.read(other).ask(other))
                .hasMessageContaining("no broker accepted a connection");
    }

    @Test
    void sendsOnInTransactions() throws Exception {
        broker.createTopic("forwarded", 3, Map.of());
        broker.createTopic("forwarded-eu", 3, Map.of());
        try (Gateway gateway = Running.gateway(folder, """
                admin: { port: 0 }
                flows:
                  accept:
                    from: { http: { port: 0, path: /orders } }
                    to: { kafka: { url: "%1$s", topic: forwarded, key: customer-id } }
                  forward:
                    from: { kafka: { url: "%1$s", topic: forwarded, group: forward, transactional: true } }
                    to: { kafka: { url: "%1$s", topic: forwarded-eu, key: customer-id } }
                """.formatted(broker.servers()))) {
            Map<String, List<String>> sent = new HashMap<>();
            for (int number = 0; number < 70; number++) {
                assertThat(put(gateway, number).get().statusCode()).isEqualTo(202);
                sent.computeIfAbsent("c" + number % 7, _ -> new ArrayList<>()).add("{\"number\": " + number + "}");
            }
            Map<String, List<String>> received = new HashMap<>();
            read("forwarded-eu", 70)
                    .forEach(record -> received.computeIfAbsent(record.key(), _ -> new ArrayList<>())
                            .add(record.value()));
            assertThat(received).isEqualTo(sent);
            Running.until(() -> messages(gateway, "completed") == 70);
            assertThat(messages(gateway, "rolled_back")).isZero();
        }
    }
}
