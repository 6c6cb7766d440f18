package dev.penstock.jdbc.guard;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * A connection of the driver.
 *
 * @param connection the driver's connection
 * @param socket its socket; null if the driver does not let Penstock create it
 * @param openedAt the time it was opened, by the ticker
 */
record PhysicalConnection(Connection connection, @Nullable SocketChannel socket, long openedAt) {
    /** Closes it without waiting for the peer, which may never answer. */
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
            // Closed in any case.
        }
    }

    /** The result of checking a connection. */
    enum Health {
        ALIVE,
        /** The server or the network closed or reset it, which is visible without a round trip. */
        CLOSED,
        /** The validation got no answer. */
        SILENT
    }
}
