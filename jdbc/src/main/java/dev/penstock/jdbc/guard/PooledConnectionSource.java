package dev.penstock.jdbc.guard;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The source of HikariCP's connections: each one is a new entry with an open physical connection. */
record PooledConnectionSource(PoolContext context) implements DataSource {
    @Override
    public Connection getConnection() throws SQLException {
        return context.newSlot();
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        return context.newSlot();
    }

    @Override
    public @Nullable PrintWriter getLogWriter() {
        return null;
    }

    @Override
    public void setLogWriter(@Nullable PrintWriter out) {}

    /** HikariCP waits this many seconds for pending connects when it is closed. */
    @Override
    public int getLoginTimeout() {
        return 5;
    }

    @Override
    public void setLoginTimeout(int seconds) {}

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException("the data source logs through SLF4J");
    }

    @Override
    public <T> T unwrap(Class<T> kind) throws SQLException {
        throw new SQLException("does not wrap a " + kind.getName());
    }

    @Override
    public boolean isWrapperFor(Class<?> kind) {
        return false;
    }
}
