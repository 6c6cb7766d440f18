package dev.penstock.jdbc;

import dev.penstock.Setting;
import dev.penstock.jdbc.guard.GuardedDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Borrows from a guarded data source, which takes a time limit itself. */
record GuardedLender(GuardedDataSource dataSource) implements Lender {
    @Override
    public Connection lend(long nanos) throws SQLException {
        return dataSource.getConnection(Duration.ofNanos(nanos));
    }

    /** It looks at what it lends, and so finds this one closed. */
    @Override
    public void discard(Connection connection) {
        Lender.cut(connection);
    }

    @Override
    public Map<String, Long> connections() {
        return dataSource.connections();
    }

    @Override
    public List<Setting> settings() {
        return dataSource.settings();
    }
}
