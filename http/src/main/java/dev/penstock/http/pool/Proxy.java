package dev.penstock.http.pool;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP proxy.
 *
 * @param host its name, without brackets
 * @param port its port
 * @param authorization the value of Proxy-Authorization (RFC 9110 section 11.7.2), or null; a secret
 */
public record Proxy(String host, int port, @Nullable String authorization) {
    /** Maximum size of the head of the proxy's answer to CONNECT in bytes. A body is not read. */
    private static final int MAX_HEAD = 16 << 10;

    /** The proxy refused the tunnel. */
    public static final class Refused extends IOException {
        private static final long serialVersionUID = 1L;

        Refused(Proxy proxy, String answer) {
            super("proxy " + proxy + " answered " + answer);
        }
    }

    /** Opens a tunnel to a server over a connection to this proxy: CONNECT (RFC 9110 section 9.3.6). */
    void openTunnel(SocketTransport socketTransport, String server, int serverPort) throws IOException {
        String there = (server.contains(":") ? "[" + server + "]" : server) + ":" + serverPort;
        String request = "CONNECT " + there + " HTTP/1.1\r\nHost: " + there + "\r\n"
                + (authorization == null ? "" : "Proxy-Authorization: " + authorization + "\r\n") + "\r\n";
        socketTransport.send(ByteBuffer.wrap(request.getBytes(StandardCharsets.ISO_8859_1)));
        String status = statusLine(socketTransport);
        if (!status.matches("HTTP/1\\.[01] 2\\d\\d.*")) {
            throw new Refused(this, status.replaceFirst("HTTP/[0-9.]+ ", ""));
        }
    }

    /** Reads exactly the head: the bytes after it come from the server. */
    private String statusLine(SocketTransport socketTransport) throws IOException {
        StringBuilder head = new StringBuilder();
        byte[] one = new byte[1];
        while (!head.toString().endsWith("\r\n\r\n")) {
            if (head.length() == MAX_HEAD) {
                throw new Refused(this, "with a head of more than " + MAX_HEAD + " bytes");
            }
            if (socketTransport.receive(one, 0, 1) < 0) {
                throw new EOFException("proxy " + this + " closed the connection before it answered");
            }
            head.append((char) (one[0] & 0xff));
        }
        return head.substring(0, head.indexOf("\r\n"));
    }

    /** Without the secret. */
    @Override
    public String toString() {
        return host + ":" + port;
    }
}
