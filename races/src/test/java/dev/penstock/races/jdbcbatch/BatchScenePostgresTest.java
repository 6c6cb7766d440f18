package dev.penstock.races.jdbcbatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class BatchScenePostgresTest {
    @Test
    void killsAndRestartsTheDatabase() throws Exception {
        try (BatchScene scene = new BatchScene(Map.of("commit_delay", "10"), Duration.ofMillis(1))) {
            String url = scene.parameters().get(BatchScene.URL);
            assertThat(url).isNotNull();
            try (Connection connection = DriverManager.getConnection(url);
                    var statement = connection.createStatement()) {
                statement.executeUpdate("INSERT INTO entry (id, payload) VALUES (1, 'x')");
                scene.begin();
                assertThatThrownBy(() -> statement.execute("SELECT pg_sleep(30)"))
                        .isInstanceOf(SQLException.class);
            }
            scene.await();
            assertThat(scene.faults()).singleElement().satisfies(fault -> {
                assertThat(fault.kind()).isEqualTo("kill");
                assertThat(fault.to() - fault.from()).isGreaterThanOrEqualTo(1);
            });
            try (Connection connection = DriverManager.getConnection(url);
                    var statement = connection.createStatement();
                    var rows = statement.executeQuery("SELECT count(*) FROM entry")) {
                rows.next();
                assertThat(rows.getLong(1)).isEqualTo(1);
            }
        }
    }
}
