package dev.penstock.jdbc;

import dev.penstock.jdbc.JdbcTargetRealClockTest.H2;
import dev.penstock.jdbc.guard.GuardedDataSource;
import dev.penstock.jdbc.kit.FreshSchema;
import dev.penstock.jdbc.kit.RealPostgres;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class JdbcLookupPostgresTest extends JdbcLookupContract {
    private final FreshSchema schema;
    private final GuardedDataSource guarded;

    JdbcLookupPostgresTest() throws Exception {
        schema = RealPostgres.shared().schema();
        guarded = GuardedDataSource.at(schema.url()).build();
    }

    @AfterEach
    void close() throws SQLException {
        guarded.close();
        schema.close();
    }

    @Override
    DataSource dataSource() {
        return guarded;
    }

    @Override
    void execute(String sql) throws SQLException {
        H2.execute(guarded, sql);
    }
}
