package dev.penstock.cli.probe;

import dev.penstock.lab.probe.IdleConnection;
import dev.penstock.lab.probe.IdleConnection.KillKind;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An idle connection over a plain socket.
 *
 * @param socket connected; closed with this
 * @param exchange the use of the connection
 */
record SocketConnection(Socket socket, Exchange exchange) implements IdleConnection {
    /** A request and its whole answer. */
    @FunctionalInterface
    interface Exchange {
        /** Sends the request and reads the whole answer. */
        void over(Socket socket) throws IOException;
    }

    @Override
    public @Nullable KillKind ended(Duration atMost) throws InterruptedException {
        return SocketClose.await(socket, atMost);
    }

    @Override
    public @Nullable KillKind use(Duration atMost) throws InterruptedException {
        try {
            socket.setSoTimeout(Math.clamp(atMost.toMillis(), 1, Integer.MAX_VALUE));
            exchange.over(socket);
            return null;
        } catch (IOException e) {
            KillKind kind = SocketClose.unlessStopped(e);
            if (kind == KillKind.SILENT) {
                SocketClose.reset(socket);
            }
            return kind;
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            // Closed anyway.
        }
    }
}
