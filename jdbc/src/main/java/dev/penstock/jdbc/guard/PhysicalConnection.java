package dev.penstock.jdbc.guard;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * One connection as the driver made it.
 *
 * @param connection the driver's
 * @param socket its socket, where the driver lets us make it; null where not
 * @param openedAt when, by the ticker
 */
record PhysicalConnection(Connection connection, @Nullable SocketChannel socket, long openedAt) {
    /** Ends it without waiting for the other end, which may never answer. */
    void abort() {
        try {
            if (socket != null) {
                socket.close();
            }
            connection.abort(Runnable::run);
        } catch (SQLException | IOException | RuntimeException e) {
            closeQuietly();
        }
    }

    private void closeQuietly() {
        try {
            connection.close();
        } catch (SQLException | RuntimeException e) {
            // It was to go; now it is gone.
        }
    }
}
