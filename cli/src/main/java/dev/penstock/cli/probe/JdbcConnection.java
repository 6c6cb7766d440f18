package dev.penstock.cli.probe;

import dev.penstock.lab.probe.IdleConnection;
import dev.penstock.lab.probe.IdleConnection.KillKind;
import java.io.IOException;
import java.net.Socket;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * An idle connection of a driver, without a pool.
 *
 * @param connection closed with this
 * @param socket its socket, if the driver lets us create it; null otherwise: then only a use shows how it ended
 * @param statement runs on each use
 */
record JdbcConnection(Connection connection, @Nullable Socket socket, String statement) implements IdleConnection {
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
            setTimeout(atMost);
            try (Statement asked = connection.createStatement()) {
                asked.execute(statement);
            }
            return null;
        } catch (SQLException e) {
            return SocketClose.unlessStopped(e);
        }
    }

    private void setTimeout(Duration atMost) throws SQLException {
        try {
            connection.setNetworkTimeout(Runnable::run, Math.clamp(atMost.toMillis(), 1, Integer.MAX_VALUE));
        } catch (SQLFeatureNotSupportedException e) {
            // A silently dropped connection then takes the timeout of the driver.
        }
    }

    /** Does not wait for the peer, which may never answer. */
    @Override
    public void close() {
        try {
            if (socket != null) {
                socket.close();
            }
            connection.close();
        } catch (SQLException | IOException e) {
            // Closed anyway.
        }
    }
}
