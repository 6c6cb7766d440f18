package dev.penstock.gateway.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.gateway.Gateway;
import dev.penstock.gateway.file.FlowFile;
import dev.penstock.gateway.jdbc.NastyJson.Value;
import dev.penstock.jdbc.kit.FreshSchema;
import dev.penstock.jdbc.kit.MariaDb;
import dev.penstock.jdbc.kit.RealPostgres;
import dev.penstock.kit.FullRun;
import dev.penstock.kit.program.NeedsProgram;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Sends random values over HTTP into real databases, half of them in batches, and compares what a query returns with
 * what was sent: each is stored exactly as sent, or refused with a 4xx, and no call ends as unknown.
 */
@Tag("full")
@Timeout(1_800)
class StoredValuesRealClockTest {
    private static final int VALUES = Integer.getInteger("penstock.values", FullRun.sized(400, 10_000));
    private static final long SEED = Long.getLong("penstock.values.seed", 40);
    private static final int CLIENTS = 32;
    private static final String INSERT = "insert into v(id, n, t) values (:id, :n, :t)";

    /** What is compared of a run. */
    private record Result(int stored, List<String> wrong, long longestMillis) {}

    @TempDir
    Path folder;

    @Test
    void postgres() throws Exception {
        try (FreshSchema schema = RealPostgres.shared().schema()) {
            run("PostgreSQL", schema.url(), "create table v(id int primary key, n numeric, t text)");
        }
    }

    @Test
    @NeedsProgram("mariadbd")
    void mariaDb() throws Exception {
        try (MariaDb database = MariaDb.start()) {
            run(
                    "MariaDB",
                    database.url(),
                    "create table v(id int primary key, n decimal(65,30), t mediumtext) character set utf8mb4");
        }
    }

    @Test
    void h2() throws Exception {
        String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
        run("H2", url, "create table v(id int primary key, n decfloat, t varchar)");
    }

    private void run(String database, String url, String table) throws Exception {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(table);
            Result result;
            // A stall of a busy machine must not reject: limit and queue are not what is tested.
            Path file = Files.writeString(folder.resolve("flows.yaml"), """
                    flows:
                      one: { from: { http: { port: 0, path: /v } }, to: { jdbc: { url: "%s", statement: "%s" } }, deadline: 60s, limit: 20, queue: { length: 1000, time: 50s }, breaker: off }
                      batch: { from: { http: { port: 0, path: /v } }, to: { jdbc: { url: "%s", statement: "%s" } }, deadline: 60s, limit: 20, queue: { length: 1000, time: 50s }, breaker: off, collapse: { budget: 20ms } }
                    """.formatted(url, INSERT, url, INSERT));
            try (Gateway gateway = Gateway.start(FlowFile.read(file).config())) {
                result = send(gateway, statement);
            }
            System.out.printf(
                    "%s: %,d of %,d stored exactly as sent (%,d) or refused (%,d), seed %d, longest call %,d ms%n",
                    database,
                    VALUES - result.wrong().size(),
                    VALUES,
                    result.stored(),
                    VALUES - result.stored() - result.wrong().size(),
                    SEED,
                    result.longestMillis());
            assertThat(result.wrong()).isEmpty();
            assertThat(result.stored()).isBetween(VALUES / 4, VALUES - 1);
        }
    }

    private static Result send(Gateway gateway, Statement statement) throws Exception {
        NastyJson json = new NastyJson(SEED);
        List<Value> values = new ArrayList<>();
        List<Future<Integer>> statuses = new ArrayList<>();
        long[] millis = new long[VALUES];
        try (HttpClient http = HttpClient.newHttpClient();
                ExecutorService clients = Executors.newFixedThreadPool(CLIENTS)) {
            for (int id = 0; id < VALUES; id++) {
                int own = id;
                Value value = json.next();
                values.add(value);
                String url = gateway.flows().get(id % 2).snapshot().from();
                statuses.add(clients.submit(() -> {
                    long start = System.nanoTime();
                    int status = http.send(request(url, own, value), BodyHandlers.discarding())
                            .statusCode();
                    millis[own] = Duration.ofNanos(System.nanoTime() - start).toMillis();
                    return status;
                }));
            }
        }
        List<String> wrong = new ArrayList<>();
        Set<Integer> answered = new HashSet<>();
        long longest = 0;
        for (int id = 0; id < VALUES; id++) {
            longest = Math.max(longest, millis[id]);
            int status = statuses.get(id).get();
            if (status == 200) {
                answered.add(id);
            } else if (status / 100 != 4) {
                wrong.add(values.get(id) + " got " + status);
            }
        }
        compare(statement, values, answered, wrong);
        return new Result(
                answered.size()
                        - (int) wrong.stream()
                                .filter(each -> each.contains(" became "))
                                .count(),
                wrong,
                longest);
    }

    private static void compare(Statement statement, List<Value> values, Set<Integer> answered, List<String> wrong)
            throws SQLException {
        Set<Integer> missing = new HashSet<>(answered);
        try (var rows = statement.executeQuery("select id, n, t from v")) {
            while (rows.next()) {
                Value value = values.get(rows.getInt(1));
                BigDecimal number = rows.getBigDecimal(2);
                String text = rows.getString(3);
                boolean same = value.isNumber()
                        ? number != null && value.number() != null && number.compareTo(value.number()) == 0
                        : text != null && text.equals(value.text());
                if (!missing.remove(rows.getInt(1)) || !same) {
                    wrong.add(value + " became " + number + " " + text);
                }
            }
        }
        missing.forEach(id -> wrong.add(values.get(id) + " became no row"));
    }

    private static HttpRequest request(String url, int id, Value value) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        String members = value.isNumber() ? "\"t\":null,\"n\":" : "\"n\":null,\"t\":";
        body.writeBytes(("{\"id\":" + id + "," + members).getBytes(StandardCharsets.UTF_8));
        body.writeBytes(value.json());
        body.write('}');
        return HttpRequest.newBuilder(URI.create(url))
                .timeout(Duration.ofSeconds(90))
                .POST(HttpRequest.BodyPublishers.ofByteArray(body.toByteArray()))
                .build();
    }
}
