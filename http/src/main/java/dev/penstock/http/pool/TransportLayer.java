package dev.penstock.http.pool;

import java.io.IOException;
import java.nio.ByteBuffer;

/** The layer between HTTP and the socket: plain TCP, or TLS. Used by the lessee of the connection. */
sealed interface TransportLayer permits TransportLayer.Plain, TlsTransport {
    /** Whether an idle connection may be used. */
    enum Liveness {
        /** Open, and nothing to read: it may be used. */
        ALIVE,
        /** The peer closed or reset it. */
        CLOSED,
        /** The peer sent data without a request. It must not be used: the data would be read as the next answer. */
        UNEXPECTED_DATA
    }

    /** Waits for data to read; returns false at the end of the stream. */
    boolean awaitData() throws IOException;

    /** Reads at least one byte, waiting for it; returns -1 at the end of the stream. */
    int read(byte[] into, int from, int max) throws IOException;

    /** Writes all bytes, waiting while the send buffer is full. */
    void write(byte[] bytes, int from, int length) throws IOException;

    /** Handles bytes that arrive while the connection is idle. Does not block. For one thread at a time. */
    Liveness receivedWhileIdle(ByteBuffer bytes);

    /** Called when the connection becomes idle. Returns {@link Liveness#UNEXPECTED_DATA} if unread data is left. */
    Liveness becomeIdle();

    /** TCP without TLS. */
    record Plain(SocketTransport socketTransport) implements TransportLayer {
        @Override
        public boolean awaitData() throws IOException {
            return socketTransport.awaitBytes();
        }

        @Override
        public int read(byte[] into, int from, int max) throws IOException {
            return socketTransport.receive(into, from, max);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            socketTransport.send(ByteBuffer.wrap(bytes, from, length));
        }

        @Override
        public Liveness receivedWhileIdle(ByteBuffer bytes) {
            return Liveness.UNEXPECTED_DATA;
        }

        @Override
        public Liveness becomeIdle() {
            return Liveness.ALIVE;
        }
    }
}
