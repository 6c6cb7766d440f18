package dev.penstock.cli.probe;

import dev.penstock.jdbc.guard.JdbcDrivers;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;

/**
 * Driver connections for the calls of a probe, one for each concurrent call: a call that finds none free opens one
 * itself, so a connect that the database refuses is an error of that call. A pool would try again in the background
 * while its callers share the connections it has, which hides at how many the database refuses more. Thread-safe.
 */
public final class DirectConnections implements AutoCloseable {
    /** A connection unused for longer is checked before its use: it may have been killed. */
    private static final Duration FRESH = Duration.ofSeconds(1);

    private static final int CHECK_SECONDS = 1;

    /** A refused caller waits, as real ones do: each connect costs a database a process. */
    private static final Duration PAUSE = Duration.ofMillis(50);

    private final String url;
    private final Duration fresh;
    private final ConcurrentLinkedDeque<Free> free = new ConcurrentLinkedDeque<>();
    private volatile boolean closed;

    private DirectConnections(String url, Duration fresh) {
        this.url = url;
        this.fresh = fresh;
    }

    /** A connection that no call uses. */
    private record Free(Connection connection, long since) {}

    /**
     * Connections to a database; opens none yet.
     *
     * @param where the URL without secrets
     * @throws IllegalArgumentException when no driver accepts the URL
     */
    public static DirectConnections to(String url, String where) {
        JdbcDrivers.require(url, where);
        return new DirectConnections(url, FRESH);
    }

    /** As {@link #to}, and checks connections unused for longer than a time. */
    static DirectConnections checkedAfter(Duration fresh, String url) {
        return new DirectConnections(url, fresh);
    }

    /** These connections as a source, of which only {@link DataSource#getConnection()} works. */
    public DataSource source() {
        return (DataSource) Proxy.newProxyInstance(
                DataSource.class.getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("getConnection") && arguments == null) {
                        return getConnection();
                    }
                    throw new SQLFeatureNotSupportedException(method.getName() + " of the connections of a probe");
                });
    }

    /** A free connection, or a new one. {@link Connection#close} gives it back. */
    Connection getConnection() throws SQLException {
        if (closed) {
            throw new SQLException("the connections of the probe are closed", "08003");
        }
        for (Free kept = free.pollFirst(); kept != null; kept = free.pollFirst()) {
            if (isUsable(kept)) {
                return lent(kept.connection());
            }
            close(kept.connection());
            release(); // the others were used before that one, so they are not better
        }
        try {
            return lent(DriverManager.getConnection(url, JdbcPeer.loginTimeout(url)));
        } catch (SQLException refused) {
            pause();
            throw refused;
        }
    }

    private boolean isUsable(Free kept) {
        try {
            return System.nanoTime() - kept.since() < fresh.toNanos()
                    || kept.connection().isValid(CHECK_SECONDS);
        } catch (SQLException e) {
            return false;
        }
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Connection lent(Connection opened) {
        AtomicBoolean lent = new AtomicBoolean(true);
        return (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    switch (method.getName()) {
                        case "close" -> {
                            if (lent.compareAndSet(true, false)) {
                                giveBack(opened);
                            }
                            return null;
                        }
                        case "isClosed" -> {
                            return !lent.get() || opened.isClosed();
                        }
                        case "abort" -> lent.set(false);
                        default -> {
                            // Needs nothing more than the driver's connection.
                        }
                    }
                    try {
                        return method.invoke(opened, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private void giveBack(Connection connection) {
        try {
            if (!connection.getAutoCommit()) {
                connection.rollback();
                connection.setAutoCommit(true);
            }
        } catch (SQLException e) {
            close(connection);
            return;
        }
        free.addFirst(new Free(connection, System.nanoTime()));
        if (closed) {
            release();
        }
    }

    /** Closes the connections that no call uses. */
    void release() {
        for (Free kept = free.pollFirst(); kept != null; kept = free.pollFirst()) {
            close(kept.connection());
        }
    }

    private static void close(Connection connection) {
        try {
            connection.close();
        } catch (SQLException e) {
            // Closed anyway.
        }
    }

    /** Closes the connections; those in use are closed when they are given back. */
    @Override
    public void close() {
        closed = true;
        release();
    }
}
