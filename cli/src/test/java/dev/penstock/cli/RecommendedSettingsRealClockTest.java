package dev.penstock.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.HttpCall;
import dev.penstock.http.HttpTarget;
import dev.penstock.http.header.Headers;
import dev.penstock.jdbc.kit.PgBouncer;
import dev.penstock.jdbc.kit.RealPostgres;
import dev.penstock.kit.StablePort;
import dev.penstock.kit.program.NeedsProgram;
import dev.penstock.kit.program.Nginx;
import dev.penstock.lab.load.ClosedLoad;
import dev.penstock.lab.measure.Counts;
import dev.penstock.lab.report.Contestant;
import dev.penstock.lab.report.ProbeNote;
import dev.penstock.lab.report.ResultFile;
import dev.penstock.lab.simulate.Delay;
import dev.penstock.lab.simulate.HttpSimulator;
import dev.penstock.text.Durations;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Probes real peers, then loads each with what was recommended: no call may fail, and no number of users from a sweep
 * may do more than a tenth better without an error.
 */
@Tag("full")
@Tag("full-only")
@Timeout(600)
@NeedsProgram({"nginx", "pgbouncer"})
class RecommendedSettingsRealClockTest {
    private static final String SLEEP = "select 1 from pg_sleep(0.02)";

    private static final Contestant.Spread NONE = new Contestant.Spread(0, 0, 0);

    /** Other numbers of users, as multiples of the recommended one. */
    private static final double[] SWEEP = {0.8, 1.25};

    /** The users who pause. */
    private static final int PAUSING = 30;

    @TempDir
    private Path folder;

    @Test
    void nginxThatRefusesMoreThanEight() throws Exception {
        int front = StablePort.free();
        try (HttpSimulator server = answeringAfter50Millis();
                Nginx nginx = nginxOfEight(front, server.port(), "")) {
            assertThat(nginx).isNotNull();
            assertThat(worksAsRecommended(url(front))).isEqualTo(8);
        }
    }

    /**
     * A connection beyond a short backlog is delayed by a second, which is longer than a probe waits for the answer on an
     * idle connection: so many idle ones at a time that the backlog is full look as if they had been dropped, and a call
     * that is given up must not take the place of one that is measured. The delays make throughput random, so fewer than
     * eight users may be best.
     */
    @RepeatedTest(2)
    void nginxOfEightBehindShortBacklogs() throws Exception {
        int inner = StablePort.free();
        int front = StablePort.free();
        try (HttpSimulator server = answeringAfter50Millis();
                Nginx behind = Nginx.start(
                        Files.createDirectories(folder.resolve("inner")), inner, """
                        server {
                          listen 127.0.0.1:%d backlog=2;
                          location / { proxy_pass http://127.0.0.1:%d; }
                        }
                        """.formatted(inner, server.port()));
                Nginx nginx = nginxOfEight(front, inner, " backlog=4")) {
            assertThat(behind).isNotNull();
            assertThat(nginx).isNotNull();
            ProbeNote note = probed(url(front));
            assertThat(Objects.requireNonNull(note.knee()).points())
                    .filteredOn(point -> point.atOnce() <= 8)
                    .allSatisfy(point -> assertThat(point.errorShare()).isZero());
            assertThat(note.settings()).extracting(ProbeNote.Setting::name).doesNotContain("pool.idle");
            int users = users(note);
            assertThat(users).isLessThanOrEqualTo(8);
            assertThat(loaded(users, url(front))).extractingByKey("errors").isEqualTo(NONE);
        }
    }

    private static HttpSimulator answeringAfter50Millis() throws IOException {
        return HttpSimulator.builder()
                .delay(new Delay.Constant(Duration.ofMillis(50)))
                .start();
    }

    private Nginx nginxOfEight(int port, int proxied, String listening) throws IOException {
        return Nginx.start(folder, port, """
                limit_conn_zone $binary_remote_addr zone=all:1m;
                server {
                  listen 127.0.0.1:%d%s;
                  limit_conn all 8;
                  location / { proxy_pass http://127.0.0.1:%d; }
                }
                """.formatted(port, listening, proxied));
    }

    private static String url(int port) {
        return "http://127.0.0.1:" + port + "/";
    }

    @Test
    void nginxThatClosesConnectionsIdleForFourSeconds() throws Exception {
        int port = StablePort.free();
        try (HttpSimulator server = HttpSimulator.builder().start();
                Nginx nginx = Nginx.start(folder, port, """
                        keepalive_timeout 4s;
                        keepalive_requests 1000000;
                        server {
                          listen 127.0.0.1:%d;
                          location / { proxy_pass http://127.0.0.1:%d; }
                        }
                        """.formatted(port, server.port()))) {
            assertThat(nginx).isNotNull();
            String url = url(port);
            Duration idle = Durations.parse(setting(probed(url), "pool.idle"));
            assertThat(idle).isBetween(Duration.ofSeconds(1), Duration.ofMillis(3_900));

            // A POST is not sent again, so one on a connection that nginx closes would fail.
            HttpCall call = HttpCall.of("POST", "/", Headers.none(), "x".getBytes(UTF_8));
            try (HttpTarget target =
                    HttpTarget.at(url).poolMax(PAUSING).idle(idle).build()) {
                Counts counts = ClosedLoad.of(PAUSING, Duration.ZERO)
                        .beginningWithin(Duration.ofSeconds(1), 1)
                        .thinking(Duration.ofMillis(3_900), Duration.ofMillis(4_100), 1)
                        .lasting(Duration.ofSeconds(14))
                        .run(target, number -> call, answer -> answer.status() == 200)
                        .counts();
                System.out.println("with pauses of 4 s and pool.idle " + idle.toMillis() + " ms: " + counts);
                assertThat(counts.errors()).isZero();
                assertThat(counts.right()).isGreaterThanOrEqualTo(3 * PAUSING);
            }
        }
    }

    @Test
    void aServerOfTenWorkers() throws Exception {
        try (HttpSimulator server = HttpSimulator.builder()
                .delay(new Delay.Constant(Duration.ofMillis(50)))
                .workers(10, 1_000)
                .start()) {
            assertThat(worksAsRecommended(url(server.port()))).isBetween(9, 13);
        }
    }

    @Test
    void aDatabaseWithFewConnectionsLeft() throws Exception {
        Map<String, String> settings = Map.of("max_connections", "12", "superuser_reserved_connections", "3");
        List<Connection> others = new ArrayList<>();
        try (RealPostgres postgres = RealPostgres.start(settings)) {
            try (Connection connection = postgres.connect();
                    Statement statement = connection.createStatement()) {
                statement.execute("create role someone login");
            }
            String url = postgres.url().replace("user=postgres", "user=someone");
            for (int i = 0; i < 4; i++) {
                others.add(DriverManager.getConnection(url));
            }
            // Of 12, 3 are reserved and 4 in use.
            assertThat(worksAsRecommended(url, "--statement", SLEEP)).isEqualTo(5);
        } finally {
            for (Connection other : others) {
                other.close();
            }
        }
    }

    /** So many that some could be kept idle while concurrency is measured: they would be missing for calls. */
    @Test
    void aDatabaseWithTwelveConnectionsLeft() throws Exception {
        Map<String, String> settings = Map.of("max_connections", "15", "superuser_reserved_connections", "3");
        try (RealPostgres postgres = RealPostgres.start(settings)) {
            try (Connection connection = postgres.connect();
                    Statement statement = connection.createStatement()) {
                statement.execute("create role someone login");
            }
            String url = postgres.url().replace("user=postgres", "user=someone");
            assertThat(worksAsRecommended(url, "--statement", SLEEP)).isEqualTo(12);
        }
    }

    @Test
    void aUserOfFiveConnections() throws Exception {
        try (RealPostgres postgres = RealPostgres.start(Map.of("fsync", "off"))) {
            try (Connection connection = postgres.connect();
                    Statement statement = connection.createStatement()) {
                statement.execute("create role someone login connection limit 5");
            }
            String url = postgres.url().replace("user=postgres", "user=someone");
            assertThat(worksAsRecommended(url, "--statement", SLEEP)).isEqualTo(5);
        }
    }

    @Test
    void aPoolerOfFiveConnections() throws Exception {
        try (RealPostgres postgres = RealPostgres.start(Map.of("fsync", "off"));
                PgBouncer pooler =
                        PgBouncer.before(postgres.address(), "transaction", Map.of("default_pool_size", "5"))) {
            String url = postgres.urlThrough(pooler.address());
            assertThat(worksAsRecommended(url, "--statement", SLEEP)).isBetween(5, 7);
        }
    }

    /** It announces the limit of the database behind it, so only refused connects show its own. */
    @Test
    void aPoolerOfTwelveClients() throws Exception {
        try (RealPostgres postgres = RealPostgres.start(Map.of("fsync", "off"));
                PgBouncer pooler =
                        PgBouncer.before(postgres.address(), "transaction", Map.of("max_client_conn", "12"))) {
            String url = postgres.urlThrough(pooler.address());
            assertThat(worksAsRecommended(url, "--statement", SLEEP)).isBetween(11, 12);
        }
    }

    /** Probes, loads with the recommended number of users, compares it with others, and returns it. */
    private int worksAsRecommended(String target, String... options) throws Exception {
        int users = users(probed(target, options));
        Map<String, Contestant.Spread> recommended = loaded(users, target, options);
        assertThat(recommended).extractingByKey("errors").isEqualTo(NONE);
        for (double share : SWEEP) {
            int others = (int) Math.max(1, Math.round(share * users));
            Map<String, Contestant.Spread> other = loaded(others, target, options);
            if (NONE.equals(other.get("errors"))) {
                assertThat(tps(recommended))
                        .as("%d users compared with %d", users, others)
                        .isGreaterThanOrEqualTo(0.9 * tps(other));
            }
        }
        return users;
    }

    private ProbeNote probed(String target, String... options) throws Exception {
        Path json = folder.resolve("probe.json");
        Ran probe = Ran.run(
                new ProbeCommand(), words(options, target, "--for", "15s", "--quiet", "--json", json.toString()));
        System.out.println(probe.out());
        assertThat(probe.err()).isEmpty();
        return Objects.requireNonNull(ResultFile.read(json).courses().getFirst().probe());
    }

    /** The recommended limit, or its upper end. */
    private static int users(ProbeNote note) {
        int users = Integer.parseInt(setting(note, "limit").replaceAll(".*max: (\\d+) }", "$1"));
        assertThat(setting(note, "pool.max")).isEqualTo(String.valueOf(users));
        return users;
    }

    private static String setting(ProbeNote note, String name) {
        return note.settings().stream()
                .filter(setting -> setting.name().equals(name))
                .map(ProbeNote.Setting::value)
                .findFirst()
                .orElseThrow();
    }

    private Map<String, Contestant.Spread> loaded(int users, String target, String... options) throws Exception {
        Path json = folder.resolve("load.json");
        Ran load = Ran.run(
                new LoadCommand(),
                words(
                        options,
                        target,
                        "--users",
                        String.valueOf(users),
                        "--for",
                        "4s",
                        "--quiet",
                        "--json",
                        json.toString()));
        Map<String, Contestant.Spread> metrics =
                ResultFile.read(json).contestants().getFirst().metrics();
        System.out.println(users + " users: " + metrics.get("tps") + ", errors " + metrics.get("errors"));
        assertThat(metrics).as(load.out()).containsKeys("tps", "errors");
        return metrics;
    }

    private static double tps(Map<String, Contestant.Spread> metrics) {
        return Objects.requireNonNull(metrics.get("tps")).median();
    }

    private static String[] words(String[] options, String... more) {
        List<String> words = new ArrayList<>(List.of(more));
        words.addAll(List.of(options));
        return words.toArray(String[]::new);
    }
}
