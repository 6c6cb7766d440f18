package dev.penstock.http.source;

import dev.penstock.http.RawPeer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/** A client that writes what it is told, byte by byte, so that it can misbehave in any way. */
final class RawClient implements AutoCloseable {
    private final Socket socket;

    RawClient(int port) throws IOException {
        this(port, "127.0.0.1");
    }

    /** One with another address of this machine. */
    RawClient(int port, String own) throws IOException {
        this(new Socket(InetAddress.getLoopbackAddress(), port, InetAddress.getByName(own), 0));
    }

    private RawClient(Socket socket) throws IOException {
        this.socket = socket;
        socket.setSoTimeout(60_000);
        socket.setTcpNoDelay(true);
    }

    /** One over TLS. */
    RawClient(int port, SSLSocketFactory tls) throws IOException {
        this(tls.createSocket(new Socket(InetAddress.getLoopbackAddress(), port), "localhost", port, true));
    }

    RawClient send(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        return this;
    }

    /** Sends what it can of a text; the other side may stop listening in between. */
    void sendWhatGoes(String text) {
        try {
            send(text);
        } catch (IOException e) {
            // That was it.
        }
    }

    /** Head and body of the next answer; null at the end of the stream. */
    @Nullable
    String answer() throws IOException {
        return RawPeer.read(socket.getInputStream());
    }

    /** The head of an answer that has no body whatever its Content-Length says. */
    String head() throws IOException {
        StringBuilder head = new StringBuilder();
        while (!head.toString().endsWith("\r\n\r\n")) {
            head.append((char) socket.getInputStream().read());
        }
        return head.toString();
    }

    /** So many bytes, or fewer at the end of the stream. */
    String exactly(int bytes) throws IOException {
        return new String(socket.getInputStream().readNBytes(bytes), StandardCharsets.ISO_8859_1);
    }

    /** Whether the other side closes the connection, in either way, without a further byte. */
    boolean isClosed() throws IOException {
        try {
            return socket.getInputStream().read() < 0;
        } catch (java.net.SocketTimeoutException e) {
            return false;
        } catch (java.net.SocketException e) {
            return true;
        }
    }

    /** As {@link #isClosed}, within so much time. */
    boolean isClosedWithin(int millis) throws IOException {
        int patience = socket.getSoTimeout();
        socket.setSoTimeout(millis);
        try {
            return isClosed();
        } finally {
            socket.setSoTimeout(patience);
        }
    }

    /** Whether an answer begins in time; its first byte is read then. */
    boolean isAnsweredWithin(int millis) throws IOException {
        int patience = socket.getSoTimeout();
        socket.setSoTimeout(millis);
        try {
            return socket.getInputStream().read() >= 0;
        } catch (java.net.SocketTimeoutException | java.net.SocketException e) {
            return false;
        } finally {
            socket.setSoTimeout(patience);
        }
    }

    /** Says that it sends nothing more; what is still read goes on. */
    RawClient shutdownOutput() throws IOException {
        socket.shutdownOutput();
        return this;
    }

    void rst() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
