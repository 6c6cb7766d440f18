package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.jdbc.kit.PgBouncer;
import dev.penstock.jdbc.kit.RealPostgres;
import dev.penstock.kit.program.NeedsProgram;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is recommended for databases and poolers. */
@NeedsProgram("pgbouncer")
class RecommendedJdbcSettingsRealClockTest extends RecommendedSettingsContract {
    private static final String SLEEP = "select 1 from pg_sleep(0.02)";

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
}
