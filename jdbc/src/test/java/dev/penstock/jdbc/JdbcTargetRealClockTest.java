package dev.penstock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Unanswered;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class JdbcTargetRealClockTest extends JdbcTargetContract {
    private final HikariDataSource pool = H2.pool(2);

    @AfterEach
    void close() {
        pool.close();
    }

    @Override
    DataSource dataSource() {
        return pool;
    }

    @Override
    void execute(String sql) throws SQLException {
        H2.execute(pool, sql);
    }

    @Override
    long number(String sql) throws SQLException {
        return H2.number(pool, sql);
    }

    @Test
    void exhaustedPoolIsARejection() throws Exception {
        try (Connection one = pool.getConnection();
                Connection two = pool.getConnection();
                var target = insert()) {
            Unanswered ending = endingWithin(SHORT, target, payment("p1", 1));
            assertThat(ending.why()).isEqualTo(Rejected.Cause.DEADLINE);
            assertThat(ending).hasMessageContaining("no connection available before the deadline");
            assertThat(one.isValid(1) && two.isValid(1)).isTrue();
        }
        try (var target = insert()) {
            target.call(payment("p1", 1));
        }
    }

    @Test
    void unreachableDatabaseIsAConnectFailure() {
        var nowhere = H2.notThere();
        try (var target = JdbcTarget.on(nowhere).statement("select 1").build()) {
            assertThatThrownBy(() -> target.call(JdbcRequest.empty()))
                    .isInstanceOfSatisfying(
                            Failed.class, failed -> assertThat(failed.why()).isEqualTo(Failed.Cause.CONNECT));
        }
    }

    @Test
    void cancelsLateStatement() throws Exception {
        String slow = "select count(*) from system_range(1, 2000000000000) a where mod(a.x, 7) = :n";
        try (var target = JdbcTarget.on(pool).statement(slow).cancelGrace(HELD).build()) {
            Unanswered ending = endingWithin(SHORT, target, JdbcRequest.of("n", 3));
            assertThat(ending.why()).isEqualTo(Failed.Cause.UNDONE);
        }
    }

    @Test
    void closesDataSourceOnlyIfOwned() {
        HikariDataSource own = H2.pool(1);
        insert().close();
        assertThat(pool.isClosed()).isFalse();
        JdbcTarget.on(own).statement("select 1").closesDataSource().build().close();
        assertThat(own.isClosed()).isTrue();
    }

    /** An H2 database in memory. */
    static final class H2 {
        private H2() {}

        static HikariDataSource pool(int size) {
            return at("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", size);
        }

        static HikariDataSource notThere() {
            HikariDataSource nowhere = at("jdbc:postgresql://127.0.0.1:9/none", 1);
            nowhere.setConnectionTimeout(3_000); // the driver must have failed by then, or the pool names no cause
            return nowhere;
        }

        private static HikariDataSource at(String url, int size) {
            HikariDataSource pool = new HikariDataSource();
            pool.setJdbcUrl(url);
            pool.setMaximumPoolSize(size);
            pool.setInitializationFailTimeout(-1);
            return pool;
        }

        static void execute(DataSource pool, String sql) throws SQLException {
            try (Connection connection = pool.getConnection();
                    var statement = connection.createStatement()) {
                statement.execute(sql);
            }
        }

        static long number(DataSource pool, String sql) throws SQLException {
            try (Connection connection = pool.getConnection();
                    var statement = connection.createStatement();
                    var rows = statement.executeQuery(sql)) {
                rows.next();
                return rows.getLong(1);
            }
        }
    }
}
