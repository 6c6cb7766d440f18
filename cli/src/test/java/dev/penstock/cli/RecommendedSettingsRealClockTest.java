package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.jdbc.kit.PgBouncer;
import dev.penstock.jdbc.kit.RealPostgres;
import dev.penstock.kit.StablePort;
import dev.penstock.kit.program.Nginx;
import dev.penstock.lab.report.Contestant;
import dev.penstock.lab.report.ProbeNote;
import dev.penstock.lab.report.ResultFile;
import dev.penstock.lab.simulate.Delay;
import dev.penstock.lab.simulate.HttpSimulator;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Probes real peers, then loads each with as many users as were recommended: no call may fail. */
@Tag("full")
@Tag("full-only")
@Timeout(300)
class RecommendedSettingsRealClockTest {
    private static final String SLEEP = "select 1 from pg_sleep(0.02)";

    @TempDir
    private Path folder;

    @Test
    void nginxThatRefusesMoreThanEight() throws Exception {
        int port = StablePort.free();
        try (HttpSimulator server = HttpSimulator.builder()
                        .delay(new Delay.Constant(Duration.ofMillis(50)))
                        .start();
                Nginx nginx = Nginx.start(folder, port, """
                        limit_conn_zone $binary_remote_addr zone=all:1m;
                        server {
                          listen 127.0.0.1:%d;
                          limit_conn all 8;
                          location / { proxy_pass http://127.0.0.1:%d; }
                        }
                        """.formatted(port, server.port()))) {
            assertThat(nginx).isNotNull();
            assertThat(worksAsRecommended("http://127.0.0.1:" + port + "/")).isBetween(7, 8);
        }
    }

    @Test
    void aServerOfTenWorkers() throws Exception {
        try (HttpSimulator server = HttpSimulator.builder()
                .delay(new Delay.Constant(Duration.ofMillis(50)))
                .workers(10, 1_000)
                .start()) {
            assertThat(worksAsRecommended("http://127.0.0.1:" + server.port() + "/"))
                    .isBetween(9, 13);
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
            // Of 12, 3 are reserved and 4 in use; of the 5 left, a tenth is for others.
            assertThat(worksAsRecommended(url, "--statement", SLEEP)).isEqualTo(4);
        } finally {
            for (Connection other : others) {
                other.close();
            }
        }
    }

    /** The pool of the probe waits where the server refuses a connection, so only the announced limit shows it. */
    @Test
    void aUserOfFiveConnections() throws Exception {
        try (RealPostgres postgres = RealPostgres.start(Map.of("fsync", "off"))) {
            try (Connection connection = postgres.connect();
                    Statement statement = connection.createStatement()) {
                statement.execute("create role someone login connection limit 5");
            }
            String url = postgres.url().replace("user=postgres", "user=someone");
            assertThat(worksAsRecommended(url, "--statement", SLEEP)).isEqualTo(4);
        }
    }

    @Test
    void aPoolerOfFiveConnections() throws Exception {
        try (RealPostgres postgres = RealPostgres.start(Map.of("fsync", "off"));
                PgBouncer pooler =
                        PgBouncer.before(postgres.address(), "transaction", Map.of("default_pool_size", "5"))) {
            String url = postgres.urlThrough(pooler.address());
            assertThat(worksAsRecommended(url, "--statement", SLEEP)).isBetween(4, 7);
        }
    }

    /** Probes, loads with so many users as are recommended, and returns their number. */
    private int worksAsRecommended(String target, String... options) throws Exception {
        Path probed = folder.resolve("probe.json");
        Ran probe = Ran.run(
                new ProbeCommand(), words(options, target, "--for", "15s", "--quiet", "--json", probed.toString()));
        System.out.println(probe.out());
        assertThat(probe.err()).isEmpty();
        ProbeNote note = Objects.requireNonNull(
                ResultFile.read(probed).courses().getFirst().probe());
        String limit = note.settings().stream()
                .filter(setting -> setting.name().equals("limit"))
                .map(ProbeNote.Setting::value)
                .findFirst()
                .orElseThrow();
        int users = Integer.parseInt(limit.replaceAll(".*max: (\\d+) }", "$1"));
        assertThat(note.settings())
                .filteredOn(setting -> setting.name().equals("pool.max"))
                .extracting(ProbeNote.Setting::value)
                .containsExactly(String.valueOf(users));

        Path loaded = folder.resolve("load.json");
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
                        loaded.toString()));
        Map<String, Contestant.Spread> metrics =
                ResultFile.read(loaded).contestants().getFirst().metrics();
        System.out.println(users + " users: " + metrics.get("tps"));
        assertThat(metrics).extractingByKey("errors").as(load.out()).isEqualTo(new Contestant.Spread(0, 0, 0));
        return users;
    }

    private static String[] words(String[] options, String... more) {
        List<String> words = new ArrayList<>(List.of(more));
        words.addAll(List.of(options));
        return words.toArray(String[]::new);
    }
}
