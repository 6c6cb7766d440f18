package dev.penstock.races.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.jdbc.kit.FreshSchema;
import dev.penstock.jdbc.kit.RealPostgres;
import dev.penstock.jdbc.postgres.PostgresDriver;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CountedDriverPostgresTest {
    @Test
    void countsValidationsCommitsAndConnects() throws Exception {
        try (FreshSchema schema = RealPostgres.shared().schema()) {
            schema.execute("CREATE TABLE entry (id bigint)");
            SqlCounts.Snapshot before = SqlCounts.now();
            try (Connection connection = DriverManager.getConnection(CountedDriver.url(schema.url()))) {
                connection.isValid(1);
                try (var statement = connection.createStatement()) {
                    statement.execute("SELECT 1");
                    statement.executeUpdate("INSERT INTO entry VALUES (1)");
                    assertThat(statement.getConnection()).isSameAs(connection);
                }
                connection.setAutoCommit(false);
                try (var statement = connection.prepareStatement("INSERT INTO entry VALUES (?)")) {
                    for (int i = 0; i < 3; i++) {
                        statement.setLong(1, i);
                        statement.addBatch();
                    }
                    statement.executeBatch();
                    connection.commit();
                    connection.commit();
                    statement.setLong(1, 8);
                    statement.executeUpdate();
                    PostgresDriver.commit(connection);
                    statement.setLong(1, 9);
                    statement.executeUpdate();
                    connection.rollback();
                }
                Set<Connection> known = new HashSet<>(Set.of(connection));
                assertThat(known).contains(connection);
            }
            SqlCounts.Snapshot counted = SqlCounts.now().since(before);
            assertThat(counted.connects()).isEqualTo(1);
            assertThat(counted.validations()).isEqualTo(2);
            assertThat(counted.commits())
                    .as("one by itself, one of a batch, one verified")
                    .isEqualTo(3);
            assertThat(counted.commitNanos()).isPositive();
            assertThat(schema.number("SELECT count(*) FROM entry")).isEqualTo(5);
        }
    }
}
