package dev.penstock.http.pool;

import java.io.IOException;
import java.nio.ByteBuffer;

/** What lies between the bytes of a request and those on the wire: nothing, or TLS. For who has leased the connection. */
sealed interface TransportLayer permits PlainTransport, TlsTransport {
    /** Waits for something to read; false at the end of the stream. */
    boolean await() throws IOException;

    /** Reads at least one byte, waiting for it; -1 at the end of the stream. */
    int read(byte[] into, int from, int most) throws IOException;

    /** Writes all of it, waiting for room. */
    void write(byte[] bytes, int from, int length) throws IOException;

    /**
     * Told of bytes that came while nobody uses the connection. Does not wait. For one thread at a time, not while the
     * connection is leased.
     */
    Liveness cameIdle(ByteBuffer bytes);

    /** Told that nobody uses the connection any more. Talked when something is left that nobody has read. */
    Liveness rest();
}
