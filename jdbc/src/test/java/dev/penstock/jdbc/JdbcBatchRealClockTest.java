package dev.penstock.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import dev.penstock.jdbc.JdbcTargetRealClockTest.H2;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class JdbcBatchRealClockTest extends JdbcBatchContract {
    private final HikariDataSource pool = H2.pool(4);

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
}
