package dev.penstock.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Accounting;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A flow to a database. */
@Timeout(300)
class JdbcGatewayRealClockTest {
    private static final String INSERT = "insert into payment(id, amount, note) values (:id, :amount, :note)";

    @TempDir
    Path folder;

    private final String url = "jdbc:h2:mem:" + UUID.randomUUID();
    private Connection database;

    @BeforeEach
    void open() throws Exception {
        database = DriverManager.getConnection(url);
        database.createStatement()
                .execute(
                        "create table payment(id varchar(40) primary key, amount int check (amount > 0), note varchar)");
    }

    @AfterEach
    void close() throws Exception {
        database.close();
    }

    private Gateway gateway(String statement, String more, String... lines) throws Exception {
        return Running.gateway(folder, """
                shutdown: { drain: 60s }
                flows:
                  payments:
                    from: { http: { port: 0, path: /pay } }
                    to: { jdbc: { url: "%s", statement: "%s"%s } }
                    %s
                """.formatted(url, statement, more, String.join("\n    ", lines)));
    }

    private static CompletableFuture<HttpResponse<String>> post(Gateway gateway, String body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(Running.url(gateway)))
                .timeout(Duration.ofSeconds(60))
                .POST(HttpRequest.BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return Running.CLIENT.sendAsync(request.build(), BodyHandlers.ofString());
    }

    private static Accounting account(Gateway gateway) {
        return gateway.flows().getFirst().snapshot().account();
    }

    private String rows() throws Exception {
        try (var rows = database.createStatement()
                .executeQuery(
                        "select listagg(id || '=' || amount || '=' || note, ' ') within group (order by id) from payment")) {
            rows.next();
            return String.valueOf(rows.getString(1));
        }
    }

    @Test
    void requestBecomesARow() throws Exception {
        String from = ", parameters: { note: { json: /more/note }, id: { header: Order-Id } }";
        try (Gateway gateway = gateway(INSERT, from)) {
            HttpResponse<String> answer = post(
                            gateway, "{\"amount\": 5, \"more\": {\"note\": \"x\"}}", "Order-Id", "o1")
                    .join();
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo("{\"updated\":1}");
            assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/json");
            assertThat(answer.headers().firstValue("Penstock-Ending")).hasValue("answered");
            assertThat(rows()).isEqualTo("o1=5=x");

            HttpResponse<String> again = post(gateway, "{\"amount\": 5, \"more\": {\"note\": null}}", "Order-Id", "o1")
                    .join();
            assertThat(again.statusCode()).isEqualTo(409);
            assertThat(again.headers().firstValue("Penstock-Ending")).hasValue("failed");
            assertThat(again.body())
                    .contains("\"ending\":\"failed\",\"cause\":\"refused\"", "duplicate")
                    .doesNotContain("Unique");
            assertThat(account(gateway).failed()).isEqualTo(1);
        }
    }

    /** Balancers take 5xx for a broken gateway. */
    @Test
    void refusedDataIsTheFaultOfTheClient() throws Exception {
        try (Gateway gateway = gateway(INSERT, "")) {
            assertThat(post(gateway, "{\"id\": \"a\", \"amount\": 1, \"note\": null}")
                            .join()
                            .statusCode())
                    .isEqualTo(200);
            for (String[] each : new String[][] {
                {"\"a\"", "1", "409"},
                {"\"b\"", "-1", "409"},
                {"null", "1", "409"},
                {"\"b\"", "\"x\"", "422"},
                {"\"b\"", "99999999999", "422"},
                {"\"" + "b".repeat(41) + "\"", "1", "422"},
            }) {
                HttpResponse<String> answer = post(
                                gateway, "{\"id\": %s, \"amount\": %s, \"note\": null}".formatted(each[0], each[1]))
                        .join();
                assertThat(answer.statusCode() + "").as(each[0] + " " + each[1]).isEqualTo(each[2]);
                assertThat(answer.headers().firstValue("Penstock-Ending")).hasValue("failed");
            }
            assertThat(account(gateway).failed()).isEqualTo(6);
            assertThat(rows()).isEqualTo("null");
        }
        try (Gateway gateway = gateway("insert into missing values (:id)", "")) {
            assertThat(post(gateway, "{\"id\": 1}").join().statusCode()).isEqualTo(502);
        }
    }

    /** A client or a proxy may repeat the other methods, and a GET executes nothing. */
    @Test
    void statementThatWritesTakesOnlyPosts() throws Exception {
        try (Gateway gateway = gateway("insert into payment(id, amount) values (:id, 1)", "")) {
            for (String method : List.of("GET", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH")) {
                for (String path : List.of("", "/below")) {
                    HttpResponse<String> answer = Running.CLIENT.send(
                            HttpRequest.newBuilder(URI.create(Running.url(gateway) + path))
                                    .header("id", "x")
                                    .method(method, HttpRequest.BodyPublishers.noBody())
                                    .build(),
                            BodyHandlers.ofString());
                    assertThat(answer.statusCode()).as(method).isEqualTo(405);
                    assertThat(answer.headers().firstValue("Allow")).hasValue("POST");
                }
            }
            assertThat(account(gateway).offered()).isZero();
            assertThat(rows()).isEqualTo("null");
        }
        try (Gateway gateway = gateway("select left(id, 1) from payment where id = :id", ", reads: true")) {
            String url = Running.url(gateway) + "?id=a";
            assertThat(Running.method("DELETE", url).headers().firstValue("Allow"))
                    .hasValue("GET, HEAD, POST");
            assertThat(Running.method("HEAD", url).statusCode()).isEqualTo(200);
            assertThat(Running.method("POST", url).body()).isEqualTo("{\"rows\":[]}");
        }
    }

    @Test
    void badInputOfAFlowCalledByAnotherIsRefused() throws Exception {
        try (Gateway gateway = Running.gateway(folder, """
                flows:
                  outer: { from: { http: { port: 0, path: /pay } }, to: { flow: payments } }
                  payments: { to: { jdbc: { url: "%s", statement: "%s" } } }
                """.formatted(url, INSERT))) {
            HttpResponse<String> answer = post(gateway, "{").join();
            assertThat(answer.statusCode()).isEqualTo(422);
            assertThat(account(gateway).failed()).isEqualTo(1);
            assertThat(Running.get(Running.url(gateway) + "?id=a&amount=1&note=b")
                            .statusCode())
                    .isEqualTo(422);
            assertThat(rows()).isEqualTo("null");
        }
    }

    @Test
    void rejectsBadInputBeforeItBecomesATransaction() throws Exception {
        try (Gateway gateway = gateway(INSERT, ", parameters: { note: { json: /more/note } }")) {
            for (String body : List.of(
                    "",
                    "no json",
                    "[1]",
                    "{\"id\": 1, \"amount\": 1}",
                    "{\"id\": 1, \"id\": 2, \"amount\": 1, \"more\": {\"note\": 1}}",
                    "{\"id\": 1, \"amount\": 1, \"more\": {\"note\": 1}} x")) {
                HttpResponse<String> answer = post(gateway, body).join();
                assertThat(answer.statusCode()).as(body).isEqualTo(400);
                assertThat(answer.headers().firstValue("Penstock-Ending")).hasValue("none");
            }
            assertThat(post(gateway, "{\"amount\": 1}").join().body()).contains("Missing parameter id");
            assertThat(account(gateway).offered()).isZero();
        }
    }

    @Test
    void answersQueryWithRows() throws Exception {
        database.createStatement().execute("insert into payment values ('a', 3, null)");
        try (Gateway gateway = gateway(
                "select id, amount, note from payment where id in (:id)",
                ", reads: true",
                "collapse: { lookup: id }")) {
            HttpResponse<String> answer = Running.get(Running.url(gateway) + "?id=a");
            assertThat(answer.body()).isEqualTo("{\"rows\":[{\"ID\":\"a\",\"AMOUNT\":3,\"NOTE\":null}]}");
            assertThat(Running.get(Running.url(gateway) + "?id=b").body()).isEqualTo("{\"rows\":[]}");
        }
    }

    @Test
    void batchesWritesAndEndsEach() throws Exception {
        try (Gateway gateway = gateway(INSERT, "", "limit: 2", "collapse: { budget: 2s, max: 10 }")) {
            List<CompletableFuture<HttpResponse<String>>> sent = new ArrayList<>();
            for (int n = 0; n < 10; n++) {
                String body = "{\"id\": \"k" + n + "\", \"amount\": " + (n - 4) + ", \"note\": true}";
                sent.add(post(gateway, body));
            }
            List<Integer> statuses =
                    sent.stream().map(each -> each.join().statusCode()).toList();
            assertThat(statuses).containsExactly(409, 409, 409, 409, 409, 200, 200, 200, 200, 200);
            assertThat(rows()).startsWith("k5=1=TRUE k6=2").endsWith("k9=5=TRUE");
            assertThat(account(gateway).answered()).isEqualTo(5);
        }
    }

    @Test
    void databaseStoreKeepsItsKeys() throws Exception {
        String yaml = """
                state: %s
                flows:
                  payments:
                    from: { http: { port: 0, path: /pay } }
                    to: { jdbc: { url: embedded, statement: "%s" } }
                """;
        Path state = folder.resolve("state");
        try (Gateway gateway =
                Running.gateway(folder, yaml.formatted(state, "create table if not exists own(id int primary key)"))) {
            assertThat(post(gateway, "{}").join().body()).isEqualTo("{\"updated\":0}");
        }
        try (Gateway gateway = Running.gateway(folder, yaml.formatted(state, "insert into own values (:id)"))) {
            assertThat(post(gateway, "{\"id\": 1}").join().body()).isEqualTo("{\"updated\":1}");
        }
        assertThat(folder.resolve("state-payments.mv.db")).exists();
    }
}
