package dev.penstock.jdbc.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RealPostgresTest {
    @Test
    void schemaIsEmptyAndDroppedOnClose() throws Exception {
        RealPostgres postgres = RealPostgres.shared();
        String name;
        try (FreshSchema one = postgres.schema();
                FreshSchema other = postgres.schema()) {
            name = one.name();
            one.execute("CREATE TABLE entry (id int)");
            other.execute("CREATE TABLE entry (id int)");
            one.execute("INSERT INTO entry VALUES (1)");
            assertThat(one.number("SELECT count(*) FROM entry")).isEqualTo(1);
            assertThat(other.number("SELECT count(*) FROM entry")).isZero();
        }
        try (Connection connection = postgres.connect();
                var statement = connection.prepareStatement("SELECT 1 FROM pg_namespace WHERE nspname = ?")) {
            statement.setString(1, name);
            assertThat(statement.executeQuery().next()).isFalse();
        }
        assertThat(RealPostgres.shared()).isSameAs(postgres);
    }

    @Test
    void committedRowsSurviveAKill() throws Exception {
        try (RealPostgres postgres = RealPostgres.start();
                FreshSchema schema = postgres.schema();
                Connection open = schema.connect()) {
            schema.execute("CREATE TABLE entry (id int)");
            schema.execute("INSERT INTO entry VALUES (7)");
            InetSocketAddress before = postgres.address();

            postgres.kill();

            assertThatThrownBy(() -> open.createStatement().execute("SELECT 1")).isInstanceOf(SQLException.class);
            assertThatThrownBy(schema::connect).isInstanceOf(SQLException.class);
            postgres.restart();
            assertThat(postgres.address()).isEqualTo(before);
            assertThat(schema.number("SELECT id FROM entry")).isEqualTo(7);
        }
    }

    @Test
    void commitsAreDurableByDefault() throws Exception {
        try (RealPostgres postgres = RealPostgres.start(Map.of("max_connections", "7"));
                FreshSchema schema = postgres.schema()) {
            assertThat(schema.number("SELECT count(*) FROM pg_settings WHERE (name, setting) IN"
                            + " (('fsync', 'on'), ('synchronous_commit', 'on'), ('max_connections', '7'))"))
                    .isEqualTo(3);
        }
    }

    /** The ways for the current user: several for root, else one. */
    @ParameterizedTest
    @EnumSource(RunAs.class)
    void startsInEverySupportedWay(RunAs way) throws Exception {
        if (!way.isPossible()) {
            return;
        }
        try (RealPostgres postgres = RealPostgres.start(Map.of(), way);
                FreshSchema schema = postgres.schema()) {
            assertThat(postgres.runsAs()).isEqualTo(way.name());
            postgres.kill();
            postgres.restart();
            assertThat(schema.number("SELECT 1")).isEqualTo(1);
            postgres.stop();
            assertThatThrownBy(schema::connect).isInstanceOf(SQLException.class);
        }
    }

    @Test
    void watchdogCleansUpAfterAKilledJvm() throws Exception {
        Path folder = Files.createTempDirectory("penstock-postgres-left").toRealPath();
        Files.createDirectories(folder.resolve("data"));
        Process server = new ProcessBuilder("sleep", "600")
                .directory(folder.resolve("data").toFile())
                .start();
        Files.writeString(folder.resolve("data/postmaster.pid"), server.pid() + "\n");
        Process watch = Server.watch(folder);

        watch.getOutputStream().close();

        assertThat(server.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(watch.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(folder).doesNotExist();
    }

    @Test
    void usesAGivenServerAndLeavesItRunning() throws Exception {
        try (RealPostgres own = RealPostgres.start()) {
            RealPostgres given = RealPostgres.at(own.url());
            try (FreshSchema schema = given.schema()) {
                assertThat(schema.number("SELECT 1")).isEqualTo(1);
                assertThat(schema.urlThrough(new InetSocketAddress("127.0.0.1", 99)))
                        .startsWith(
                                "jdbc:postgresql://127.0.0.1:99/postgres?user=postgres&currentSchema=" + schema.name());
            }
            given.close();
            assertThatThrownBy(given::kill).hasMessageContaining("not ours to kill");
            try (Connection connection = own.connect()) {
                assertThat(connection.isValid(5)).isTrue();
            }
        }
        assertThatThrownBy(() -> RealPostgres.at("postgres.example")).hasMessageContaining("must be a JDBC URL");
    }

    @Test
    void reportsWhyAServerDoesNotStart() {
        assertThatThrownBy(() -> RealPostgres.start(Map.of("shared_buffers", "plenty")))
                .hasMessageContaining("shared_buffers");
    }
}
