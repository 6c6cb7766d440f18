package dev.penstock.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Timeout(300)
class AdminRealClockTest extends GatewayFixture {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    @Override
    Gateway start() throws Exception {
        return Running.gateway(folder, target, "deadline: 60s", "limit: 7", "queue: { time: 500ms }");
    }

    private HttpResponse<String> get(String path) throws Exception {
        return Running.get(gateway.adminAddress() + path);
    }

    private JsonNode json(String path) throws Exception {
        HttpResponse<String> answer = get(path);
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/json");
        return JSON.readTree(answer.body());
    }

    @Test
    void healthAndReadyAnswer200UntilTheDrain() throws Exception {
        assertThat(get("health").statusCode()).isEqualTo(200);
        assertThat(get("health").body()).isEqualTo("{\"status\":\"ok\"}");
        assertThat(get("ready").statusCode()).isEqualTo(200);
        assertThat(get("ready").body()).isEqualTo("{\"status\":\"ready\"}");
        gateway.drain();
        assertThat(get("health").statusCode()).isEqualTo(503);
        assertThat(get("health").body()).isEqualTo("{\"status\":\"draining\"}");
        assertThat(get("ready").statusCode()).isEqualTo(503);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "text/plain; version=0.0.4",
                "application/openmetrics-text; version=1.0.0",
                "application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; encoding=delimited"
            })
    void metricsComeInTheFormatOfTheScraper(String format) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(gateway.adminAddress() + "metrics"))
                .header("Accept", format)
                .build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
            assertThat(answer.headers().firstValue("Content-Type").orElseThrow())
                    .startsWith(format.substring(0, format.indexOf(';')));
            assertThat(answer.body()).contains("penstock_stage_seconds");
        }
    }

    @Test
    void metricNamesAndLabelsAreUnchanged() throws Exception {
        Running.post(Running.url(gateway));
        HttpResponse<String> answer = get("metrics");
        assertThat(answer.headers().firstValue("Content-Type")).hasValue("text/plain; version=0.0.4; charset=utf-8");
        assertThat(answer.body().lines())
                .contains(
                        "# TYPE penstock_flow_transactions_total counter",
                        "penstock_flow_transactions_total{cause=\"none\",ending=\"answered\",flow=\"payments\"} 1.0",
                        "penstock_flow_transactions_total{cause=\"limit\",ending=\"rejected\",flow=\"payments\"} 0.0",
                        "penstock_flow_transactions_total{cause=\"timeout\",ending=\"unknown\",flow=\"payments\"} 0.0",
                        "penstock_flow_transactions_total{cause=\"connect\",ending=\"failed\",flow=\"payments\"} 0.0",
                        "# TYPE penstock_flow_in_flight gauge",
                        "penstock_flow_in_flight{flow=\"payments\"} 0.0",
                        "# TYPE penstock_stage_seconds histogram",
                        "penstock_stage_seconds_bucket{flow=\"payments\",stage=\"target\",le=\"+Inf\"} 1",
                        "penstock_stage_seconds_bucket{flow=\"payments\",stage=\"target\",le=\"60.0\"} 1",
                        "penstock_stage_seconds_count{flow=\"payments\",stage=\"flow\"} 1",
                        "penstock_setting{flow=\"payments\",name=\"deadline\"} 60.0",
                        "penstock_setting{flow=\"payments\",name=\"limit\"} 7.0",
                        "penstock_setting{flow=\"payments\",name=\"queue.time\"} 0.5",
                        "penstock_setting{flow=\"payments\",name=\"source.max_body\"} 1048576.0",
                        "penstock_connections{flow=\"payments\",state=\"idle\"} 1.0",
                        "penstock_connections{flow=\"payments\",state=\"opened\"} 1.0",
                        "penstock_exchange_seconds_total{flow=\"payments\",part=\"securing\"} 0.0");
        assertThat(answer.body())
                .contains(
                        "jvm_memory_used_bytes{",
                        "penstock_exchange_seconds_total{flow=\"payments\",part=\"answering\"} ");
    }

    @Test
    void flowsPageShowsTheAccountingWithCauses() throws Exception {
        Running.post(Running.url(gateway));
        target.close();
        Running.post(Running.url(gateway));
        JsonNode flow = json("flows").get("flows").get(0);
        assertThat(flow.get("name").asString()).isEqualTo("payments");
        assertThat(flow.get("from").asString()).isEqualTo(Running.url(gateway));
        assertThat(flow.get("to").asString()).isEqualTo(target.url());
        JsonNode account = flow.get("accounting");
        assertThat(account.get("offered").asLong()).isEqualTo(2);
        assertThat(account.get("answered").asLong()).isEqualTo(1);
        assertThat(account.get("in_flight").asLong()).isZero();
        assertThat(account.get("holds").asBoolean()).isTrue();
        assertThat(account.get("failed").asLong() + account.get("unknown").asLong())
                .isEqualTo(1);
        assertThat(account.get("causes").toString())
                .matches("\\{\"(failed\":\\{\"connect|unknown\":\\{\"closed)\":1}}");
        assertThat(flow.get("stages").findValuesAsString("stage"))
                .containsExactly("flow", "breaker", "queue", "target");
        assertThat(flow.get("stages").get(3).get("count").asLong()).isEqualTo(2);
    }

    @Test
    void settingsHaveReasonAndTime() throws Exception {
        JsonNode flow = json("settings").get("flows").get(0);
        assertThat(flow.get("name").asString()).isEqualTo("payments");
        JsonNode limit = named(flow, "limit");
        assertThat(limit.get("value").asString()).isEqualTo("7");
        assertThat(limit.get("range").asString()).isEqualTo("1..1000000");
        assertThat(limit.get("pinned").asBoolean()).isTrue();
        assertThat(limit.get("source").asString()).isEqualTo("pinned");
        assertThat(limit.get("since").asString()).matches("\\d{4}-\\d\\d-\\d\\dT.*Z");
        assertThat(named(flow, "queue.time").get("source").asString()).isEqualTo("pinned");
        // The value is adaptive and depends on whether the time of calls is known by now.
        assertThat(named(flow, "queue.length").get("source").asString()).isIn("default", "learned");
        assertThat(named(flow, "queue.length").get("reason").asString()).isNotBlank();
    }

    private static JsonNode named(JsonNode flow, String name) {
        for (JsonNode setting : flow.get("settings")) {
            if (setting.get("name").asString().equals(name)) {
                return setting;
            }
        }
        throw new AssertionError("no setting " + name);
    }

    @Test
    void pageRequestsNothingFromElsewhere() throws Exception {
        HttpResponse<String> page = get("");
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.headers().firstValue("Content-Type")).hasValue("text/html; charset=utf-8");
        assertThat(page.headers().firstValue("Content-Security-Policy").orElseThrow())
                .startsWith("default-src 'none'")
                .doesNotContain("unsafe");
        assertThat(page.body()).startsWith("<!doctype html>").doesNotContain("src=", "href=\"http", "url(", "@import");
    }

    @Test
    void answers404ToOtherPaths() throws Exception {
        for (String path : new String[] {"nothing", "flows/payments", "health/"}) {
            assertThat(get(path).statusCode()).as(path).isEqualTo(404);
        }
        assertThat(get("%2e%2e/etc/passwd").statusCode()).isEqualTo(400);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "health", "ready", "metrics", "flows", "settings"})
    void rejectsOtherMethodsThanGet(String path) throws Exception {
        for (String method : new String[] {"POST", "PUT", "DELETE"}) {
            HttpResponse<String> answer = Running.method(method, gateway.adminAddress() + path);
            assertThat(answer.statusCode()).as(method).isEqualTo(405);
            assertThat(answer.headers().firstValue("Allow")).hasValue("GET, HEAD");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "health", "ready", "metrics", "flows", "settings"})
    void answersHeadRequestsOfBalancers(String path) throws Exception {
        HttpResponse<String> answer = Running.method("HEAD", gateway.adminAddress() + path);
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEmpty();
    }

    private HttpResponse<String> pin(String method, String path, String body, String... fields) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(gateway.adminAddress() + "settings/" + path))
                .method(method, HttpRequest.BodyPublishers.ofString(body));
        if (fields.length > 0) {
            request.headers(fields);
        }
        return Running.CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<String> pin(String path, String body) throws Exception {
        return pin("POST", path, body, "Content-Type", "application/json");
    }

    @Test
    void pinsAndUnpinsSetting() throws Exception {
        assertThat(named(json("settings").get("flows").get(0), "limit")
                        .get("pin")
                        .asString())
                .isEqualTo("off");

        HttpResponse<String> answer = pin("payments/limit", "{\"value\": \"100\"}");

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        JsonNode limit = named(json("settings").get("flows").get(0), "limit");
        assertThat(JSON.readTree(answer.body())).isEqualTo(limit);
        assertThat(limit.get("value").asString()).isEqualTo("100");
        assertThat(limit.get("pinnable").asBoolean()).isTrue();
        assertThat(limit.get("pin").asString()).isEqualTo("on");
        assertThat(limit.get("reason").asString()).startsWith("pinned by 127.0.0.1 at ");
        assertThat(pin("payments/pool.max", "{\"value\": 5}").statusCode()).isEqualTo(200);
        assertThat(named(json("settings").get("flows").get(0), "pool.max")
                        .get("value")
                        .asString())
                .isEqualTo("5");

        assertThat(pin("DELETE", "payments/limit", "").statusCode()).isEqualTo(200);
        assertThat(pin("DELETE", "payments/pool.max", "").statusCode()).isEqualTo(200);
        JsonNode back = named(json("settings").get("flows").get(0), "limit");
        assertThat(back.get("value").asString()).isEqualTo("7");
        assertThat(back.get("pin").asString()).isEqualTo("off");
    }

    @Test
    void reportsUnpinnableSettingInOneLine() throws Exception {
        refuses(400, pin("payments/limit", "{\"value\": \"abc\"}"), "limit: give 1..1000000, not abc");
        refuses(400, pin("payments/limit", "{\"value\": null}"), "send the value as JSON");
        refuses(400, pin("payments/limit", "{"), "send the value as JSON");
        refuses(400, pin("payments/limit", ""), "send the value as JSON");
        refuses(400, pin("payments/deadline", "{\"value\": \"1s\"}"), "deadline cannot be pinned");
        refuses(400, pin("payments/limits", "{\"value\": 5}"), "no such setting: pin one of limit, ");
        refuses(404, pin("payment/limit", "{\"value\": 5}"), "no such flow");
        refuses(404, pin("payments", "{\"value\": 5}"), "no such flow");
        refuses(
                415,
                pin("POST", "payments/limit", "{\"value\": 5}", "Content-Type", "text/plain"),
                "send Content-Type");
        refuses(405, pin("PUT", "payments/limit", "{\"value\": 5}"), "POST changes it, DELETE takes that back");
        refuses(403, pin("DELETE", "payments/limit", "", "Origin", "http://evil.example"), "a page of another site");
        refuses(403, pin("DELETE", "payments/limit", "", "X-Forwarded-For", "10.0.0.1"), "without a token");
        assertThat(pin("payments/limit", "{\"value\": \"" + "1".repeat(5_000) + "\"}")
                        .statusCode())
                .isEqualTo(413);
        assertThat(named(json("settings").get("flows").get(0), "limit")
                        .get("value")
                        .asString())
                .isEqualTo("7");
    }

    private static void refuses(int status, HttpResponse<String> answer, String detail) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(JSON.readTree(answer.body()).get("detail").asString()).startsWith(detail);
    }

    @Test
    void eventStreamSendsASnapshotEachSecondAndNewEvents() throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(gateway.adminAddress() + "events"))
                .build();
        HttpResponse<InputStream> answer = Running.CLIENT.send(request, HttpResponse.BodyHandlers.ofInputStream());
        assertThat(answer.headers().firstValue("Content-Type")).hasValue("text/event-stream; charset=utf-8");
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8))) {
            JsonNode first = data(lines);
            assertThat(first.get("snapshot").get("flows").get(0).get("name").asString())
                    .isEqualTo("payments");
            assertThat(first.get("snapshot").get("status").asString()).isIn("starting", "ok");
            assertThat(first.get("events")).isEmpty();
            pin("payments/limit", "{\"value\": \"100\"}");
            JsonNode event = null;
            while (event == null) {
                event = data(lines).get("events").get(0);
            }
            assertThat(event.get("kind").asString()).isEqualTo("pin");
            assertThat(event.get("text").asString()).startsWith("limit is 100, pinned by 127.0.0.1 at ");
            // An open event stream does not prevent the gateway from closing, and ends properly: an aborted stream
            // would
            // throw here.
            gateway.close();
            assertThat(lines.lines().toList()).isNotNull();
            assertThat(lines.readLine()).isNull();
        }
    }

    private static JsonNode data(BufferedReader lines) throws IOException {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith("data: ")) {
                return JSON.readTree(line.substring(6));
            }
        }
        throw new EOFException("no more events");
    }

    @Test
    void limitsTheNumberOfEventStreams() throws Exception {
        List<InputStream> watching = new ArrayList<>();
        try {
            HttpRequest request = HttpRequest.newBuilder(URI.create(gateway.adminAddress() + "events"))
                    .build();
            for (int i = 0; i < 16; i++) {
                watching.add(Running.CLIENT
                        .send(request, HttpResponse.BodyHandlers.ofInputStream())
                        .body());
            }
            assertThat(get("events").statusCode()).isEqualTo(503);
            watching.removeFirst().close();
            // The next write detects it.
            Running.until(() -> {
                try {
                    HttpResponse<InputStream> one =
                            Running.CLIENT.send(request, HttpResponse.BodyHandlers.ofInputStream());
                    watching.add(one.body());
                    return one.statusCode() == 200;
                } catch (IOException | InterruptedException broken) {
                    throw new AssertionError(broken);
                }
            });
        } finally {
            for (InputStream each : watching) {
                each.close();
            }
        }
    }
}
