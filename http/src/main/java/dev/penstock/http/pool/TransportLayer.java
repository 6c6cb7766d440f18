package dev.penstock.http.pool;

import java.io.IOException;
import java.nio.ByteBuffer;

/** The layer between HTTP and the socket: plain TCP, or TLS. Used by the lessee of the connection. */
sealed interface TransportLayer permits PlainTransport, TlsTransport {
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
}
