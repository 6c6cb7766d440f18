package dev.penstock.jdbc.guard;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Where HikariCP gets connections from: each is a new place with a new connection in it. */
record PooledConnectionSource(PoolContext guard) implements DataSource {
    @Override
    public Connection getConnection() throws SQLException {
        return guard.slot();
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        return guard.slot();
    }

    @Override
    public @Nullable PrintWriter getLogWriter() {
        return null;
    }

    @Override
    public void setLogWriter(@Nullable PrintWriter out) {}

    /** HikariCP waits so long for an opening when it is closed. */
    @Override
    public int getLoginTimeout() {
        return 5;
    }

    @Override
    public void setLoginTimeout(int seconds) {}

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException("it logs by slf4j");
    }

    @Override
    public <T> T unwrap(Class<T> kind) throws SQLException {
        throw new SQLException("there is no " + kind.getName() + " in it");
    }

    @Override
    public boolean isWrapperFor(Class<?> kind) {
        return false;
    }
}
