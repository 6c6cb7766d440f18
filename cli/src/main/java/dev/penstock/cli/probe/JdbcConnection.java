package dev.penstock.cli.probe;

import dev.penstock.lab.probe.IdleConnection;
import dev.penstock.lab.probe.KillKind;
import java.io.IOException;
import java.net.Socket;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** An idle connection as its driver made it, without a pool that would look after it. */
final class JdbcConnection implements IdleConnection {
    private final Connection connection;
    private final @Nullable Socket socket;
    private final String statement;

    /**
     * Wraps a connection.
     *
     * @param connection closed with this
     * @param socket its socket, where the driver lets us make it; null where not: then only its use tells how it ended
     * @param statement runs at each use
     */
    JdbcConnection(Connection connection, @Nullable Socket socket, String statement) {
        this.connection = connection;
        this.socket = socket;
        this.statement = statement;
    }

    @Override
    public @Nullable KillKind ended(Duration atMost) throws InterruptedException {
        if (socket != null) {
            return SocketClose.await(socket, atMost);
        }
        TimeUnit.NANOSECONDS.sleep(atMost.toNanos());
        return null;
    }

    @Override
    public @Nullable KillKind use(Duration atMost) throws InterruptedException {
        try {
            bound(atMost);
            try (Statement asked = connection.createStatement()) {
                asked.execute(statement);
            }
            return null;
        } catch (SQLException e) {
            if (Thread.interrupted()) {
                throw new InterruptedException("the probe was stopped");
            }
            return SocketClose.of(e);
        }
    }

    private void bound(Duration atMost) throws SQLException {
        try {
            connection.setNetworkTimeout(Runnable::run, Math.clamp(atMost.toMillis(), 1, Integer.MAX_VALUE));
        } catch (SQLFeatureNotSupportedException e) {
            // One that ends silently then takes as long as its driver waits.
        }
    }

    /** Without waiting for the other end, which may never answer. */
    @Override
    public void close() {
        try {
            if (socket != null) {
                socket.close();
            }
            connection.close();
        } catch (SQLException | IOException e) {
            // It was to go; now it is gone.
        }
    }
}
