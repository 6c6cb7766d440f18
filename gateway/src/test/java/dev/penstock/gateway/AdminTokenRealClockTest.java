package dev.penstock.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kit.program.NeedsProgram;
import dev.penstock.lab.kit.Chromium;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The admin port of a gateway with tokens and an audit file. */
@Timeout(300)
class AdminTokenRealClockTest extends GatewayFixture {
    private static final String TOKEN = "operate-0123456789";
    private static final String VIEW = "view-0123456789abc";
    private static final List<String> PAGES =
            List.of("", "metrics", "flows", "settings", "loggers", "schema", "events", "nothing");

    @Override
    Gateway start() throws Exception {
        return Running.gateway(folder, """
                admin: { port: 0, token: %s, view_token: %s, audit: audit.jsonl }
                flows:
                  payments:
                    from: { http: { port: 0, path: /pay } }
                    to: { http: { url: "%s" } }
                """.formatted(TOKEN, VIEW, target.url()));
    }

    private HttpResponse<String> send(String method, String path, String body, String... fields) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(gateway.adminAddress() + path))
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .header("Content-Type", "application/json");
        if (fields.length > 0) {
            request.headers(fields);
        }
        return Running.CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static String[] bearer(String token) {
        return new String[] {"Authorization", "Bearer " + token};
    }

    @Test
    void onlyProbesNeedNoToken() throws Exception {
        for (String page : PAGES) {
            HttpResponse<String> answer = send("GET", page, "");
            assertThat(answer.statusCode()).as(page).isEqualTo(401);
            assertThat(answer.headers().firstValue("WWW-Authenticate")).as(page).isPresent();
            assertThat(answer.body()).as(page).doesNotContain("payments", TOKEN, VIEW);
        }
        assertThat(send("GET", "health", "").statusCode()).isEqualTo(200);
        assertThat(send("GET", "ready", "").statusCode()).isEqualTo(200);
        assertThat(send("GET", "health", "", "Origin", "http://evil.example").statusCode())
                .isEqualTo(200);
        assertThat(send("GET", "flows", "", bearer(VIEW)).body()).contains("payments");
    }

    @Test
    void theViewTokenLooksAndTheOtherAlsoChangesWithALineInTheAuditFile() throws Exception {
        String path = "settings/payments/limit";
        Path audit = folder.resolve("audit.jsonl");
        assertThat(send("POST", path, "{\"value\": 9}").statusCode()).isEqualTo(401);
        assertThat(send("POST", path, "{\"value\": 9}", bearer(VIEW)).statusCode())
                .isEqualTo(403);
        assertThat(send("POST", path, "{\"value\": \"x\"}", bearer(TOKEN)).statusCode())
                .isEqualTo(400);
        assertThat(audit).isEmptyFile();

        assertThat(send("POST", path, "{\"value\": 9}", bearer(TOKEN)).statusCode())
                .isEqualTo(200);
        assertThat(send("DELETE", path, "", bearer(TOKEN)).statusCode()).isEqualTo(200);

        List<String> lines = Files.readAllLines(audit);
        assertThat(lines).hasSize(2).noneMatch(line -> line.contains(TOKEN));
        JsonNode pinned = JsonMapper.shared().readTree(lines.getFirst());
        assertThat(pinned.get("at").asString()).matches("\\d{4}-\\d\\d-\\d\\dT.*Z");
        assertThat(pinned.get("by").asString()).isEqualTo("127.0.0.1 with the token");
        assertThat(pinned.get("change").asString()).isEqualTo("pinned");
        assertThat(pinned.get("flow").asString()).isEqualTo("payments");
        assertThat(pinned.get("setting").asString()).isEqualTo("limit");
        assertThat(pinned.get("to").asString()).isEqualTo("9");
        assertThat(JsonMapper.shared().readTree(lines.get(1)).get("change").asString())
                .isEqualTo("unpinned");
    }

    @Test
    void theLevelOfALoggerChangesLikeASetting() throws Exception {
        String path = "loggers/dev.penstock";
        Path audit = folder.resolve("audit.jsonl");
        assertThat(send("POST", path, "{\"value\": \"DEBUG\"}").statusCode()).isEqualTo(401);
        assertThat(send("POST", path, "{\"value\": \"DEBUG\"}", bearer(VIEW)).statusCode())
                .isEqualTo(403);
        assertThat(send("POST", path, "{\"value\": \"LOUD\"}", bearer(TOKEN)).statusCode())
                .isEqualTo(400);
        assertThat(send("POST", "loggers/a%20b", "{\"value\": \"DEBUG\"}", bearer(TOKEN))
                        .statusCode())
                .isEqualTo(404);
        assertThat(send("PUT", path, "{\"value\": \"DEBUG\"}", bearer(TOKEN)).statusCode())
                .isEqualTo(405);
        assertThat(audit).isEmptyFile();

        String set = "{\"loggers\":{\"dev.penstock\":\"DEBUG\"}}";
        assertThat(send("POST", path, "{\"value\": \"DEBUG\"}", bearer(TOKEN)).body())
                .isEqualTo(set);
        assertThat(send("GET", "loggers", "", bearer(VIEW)).body()).isEqualTo(set);
        assertThat(send("DELETE", path, "", bearer(TOKEN)).body()).isEqualTo(set.replace("DEBUG", "INFO"));

        List<String> lines = Files.readAllLines(audit);
        assertThat(lines).hasSize(2);
        assertThat(lines.getFirst())
                .endsWith("\"by\":\"127.0.0.1 with the token\",\"change\":\"set\","
                        + "\"logger\":\"dev.penstock\",\"from\":\"INFO\",\"to\":\"DEBUG\"}");
        assertThat(lines.get(1)).contains("\"change\":\"reset\"");
    }

    @Test
    void anAuditFileThatIsMovedAwayBeginsAnew() throws Exception {
        Path audit = folder.resolve("audit.jsonl");
        send("POST", "settings/payments/limit", "{\"value\": 9}", bearer(TOKEN));
        Files.move(audit, folder.resolve("audit.1"));
        send("POST", "settings/payments/limit", "{\"value\": 10}", bearer(TOKEN));
        assertThat(Files.readAllLines(audit)).hasSize(1);
        Files.delete(audit);
        Files.createDirectory(audit);
        HttpResponse<String> answer = send("POST", "settings/payments/limit", "{\"value\": 11}", bearer(TOKEN));
        assertThat(answer.statusCode()).isEqualTo(500);
        assertThat(answer.body()).contains("the setting was pinned, but the audit file cannot be written");
    }

    @Test
    @NeedsProgram("chromium")
    void aBrowserThatKnowsThePasswordLooksAndPins() throws Exception {
        String address = String.valueOf(gateway.adminAddress());
        try (Chromium chromium = Chromium.start(Files.createDirectory(folder.resolve("profile")));
                Chromium.Tab tab = chromium.tab()) {
            tab.load(URI.create(address.replace("://", "://me:" + TOKEN + "@")));
            tab.load(URI.create(address)); // a page whose address has a password may not fetch
            String row = "document.querySelector('tr[data-name=\"limit\"]')";
            until(tab, row + "?.querySelector('[aria-label=\"Pin limit\"]')");
            tab.value(row + ".querySelector('[aria-label=\"Pin limit\"]').click()");
            tab.value("document.querySelector('tr.form input').value = '33'");
            tab.value("document.querySelector('tr.form form').requestSubmit()");
            until(tab, row + ".classList.contains('pinned')");
        }
        assertThat(Files.readAllLines(folder.resolve("audit.jsonl"))).hasSize(1);
    }

    private static void until(Chromium.Tab tab, String holds) throws Exception {
        String wait = "new Promise(done => { const end = Date.now() + 60000; const look = () => (" + holds
                + ") ? done(true) : Date.now() > end ? done(false) : setTimeout(look, 20); look(); })";
        assertThat(tab.value(wait).booleanValue()).as(holds).isTrue();
    }
}
