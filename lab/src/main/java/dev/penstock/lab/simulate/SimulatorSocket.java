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
 * The socket of one simulated connection, with TLS over it where that is spoken. The connection's own thread shakes hands,
 * reads and writes; any thread may end it.
 *
 * <p>What ends it goes by the socket below: a TLS socket's own {@code close()} may wait for a thread that writes, and says
 * more than a fault is to say. {@link #leave()} alone says goodbye, and is for connections that nobody writes to.
 */
final class SimulatorSocket implements AutoCloseable {
    private final Socket raw;
    private volatile @Nullable SSLSocket tls;

    SimulatorSocket(Socket raw) {
        this.raw = raw;
    }

    /**
     * Speaks TLS from now on.
     *
     * @param context the server's
     * @param millis how long to wait for each part of what the client says
     * @return whether a session was resumed
     * @throws IOException when no session came about
     */
    boolean handshake(SSLContext context, int millis) throws IOException {
        raw.setSoTimeout(millis);
        SSLSocket secured = (SSLSocket) context.getSocketFactory().createSocket(raw, null, true);
        secured.startHandshake();
        tls = secured;
        SSLSession session = secured.getSession();
        return session.getLastAccessedTime() > session.getCreationTime();
    }

    /** What is read waits so long for a byte; 0 for ever. */
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

    /** Whether the client has sent something that was not read yet. */
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

    /** Reads and ignores what the client still sends until it ends; -1 at its end. */
    int ignore(byte[] into) throws IOException {
        return raw.getInputStream().read(into);
    }

    /** Closes it in good manners: a FIN, over TLS a close_notify first. */
    void leave() throws IOException {
        try (raw) {
            if (tls != null) {
                endOutput();
            }
        }
    }

    /** Closes it by a reset, without an alert. */
    void reset() throws IOException {
        try (raw) {
            raw.setSoLinger(true, 0);
        }
    }

    /** Closes it by a FIN, without a word. */
    @Override
    public void close() throws IOException {
        raw.close();
    }
}
