package dev.penstock.lab.simulate;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * The socket of one simulated connection, optionally with TLS. The connection's own thread does the handshake, reads
 * and writes; any thread may close it.
 *
 * <p>Closing uses the underlying socket: the {@code close()} of a TLS socket may wait for a writing thread, and sends
 * an alert that a fault must not send. Only {@link #leave()} sends a close_notify; it is for connections that nobody
 * writes to.
 */
final class SimulatorSocket implements AutoCloseable {
    private final Socket raw;
    private volatile @Nullable SSLSocket tls;

    SimulatorSocket(Socket raw) {
        this.raw = raw;
    }

    /**
     * Starts TLS.
     *
     * @param context the server's context
     * @param millis maximum wait for each message of the client
     * @return whether a session was resumed
     * @throws IOException when the handshake fails
     */
    boolean handshake(SSLContext context, int millis) throws IOException {
        raw.setSoTimeout(millis);
        SSLSocket secured = (SSLSocket) context.getSocketFactory().createSocket(raw, null, true);
        secured.startHandshake();
        tls = secured;
        SSLSession session = secured.getSession();
        return session.getLastAccessedTime() > session.getCreationTime();
    }

    /** Sets the read timeout; 0 for none. */
    void readTimeout(int millis) throws IOException {
        raw.setSoTimeout(millis);
    }

    int read(byte[] into, int from, int most) throws IOException {
        return in().read(into, from, most);
    }

    void write(byte[] bytes) throws IOException {
        SSLSocket secured = tls;
        OutputStream out = secured == null ? raw.getOutputStream() : secured.getOutputStream();
        out.write(bytes);
        out.flush();
    }

    /** Whether the client has sent bytes that were not read yet. */
    boolean anyWaiting() throws IOException {
        return raw.getInputStream().available() > 0 || in().available() > 0;
    }

    private InputStream in() throws IOException {
        SSLSocket secured = tls;
        return secured == null ? raw.getInputStream() : secured.getInputStream();
    }

    /** Ends our side: a FIN, over TLS a close_notify and a FIN. */
    void endOutput() throws IOException {
        SSLSocket secured = tls;
        if (secured != null) {
            secured.shutdownOutput();
        }
        if (!raw.isOutputShutdown()) {
            raw.shutdownOutput();
        }
    }

    /** Reads and discards what the client still sends; -1 at its end. */
    int ignore(byte[] into) throws IOException {
        return raw.getInputStream().read(into);
    }

    /** Closes in an orderly way: a FIN, over TLS a close_notify first. */
    void leave() throws IOException {
        try (raw) {
            if (tls != null) {
                endOutput();
            }
        }
    }

    /** Closes with a reset, without an alert. */
    void reset() throws IOException {
        try (raw) {
            raw.setSoLinger(true, 0);
        }
    }

    /** Closes with a FIN, without an alert. */
    @Override
    public void close() throws IOException {
        raw.close();
    }
}
