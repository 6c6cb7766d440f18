package dev.penstock.http.pool;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Opens a tunnel to the server through a proxy: CONNECT (RFC 9110 section 9.3.6). */
record ProxyTunnel(Proxy proxy, String host, int port) {
    /** Maximum size of the head of the proxy's answer in bytes. A body is not read. */
    private static final int MAX_HEAD = 16 << 10;

    void open(SocketTransport socketTransport) throws IOException {
        socketTransport.send(ByteBuffer.wrap(request().getBytes(StandardCharsets.ISO_8859_1)));
        String status = statusLine(socketTransport);
        if (!status.matches("HTTP/1\\.[01] 2\\d\\d.*")) {
            throw new ProxyRefused(proxy, status.replaceFirst("HTTP/[0-9.]+ ", ""));
        }
    }

    private String request() {
        String there = (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
        @Nullable String secret = proxy.authorization();
        return "CONNECT " + there + " HTTP/1.1\r\nHost: " + there + "\r\n"
                + (secret == null ? "" : "Proxy-Authorization: " + secret + "\r\n") + "\r\n";
    }

    /** Reads exactly the head: the bytes after it come from the server. */
    private String statusLine(SocketTransport socketTransport) throws IOException {
        StringBuilder head = new StringBuilder();
        byte[] one = new byte[1];
        while (!head.toString().endsWith("\r\n\r\n")) {
            if (head.length() == MAX_HEAD) {
                throw new ProxyRefused(proxy, "with a head of more than " + MAX_HEAD + " bytes");
            }
            if (socketTransport.receive(one, 0, 1) < 0) {
                throw new EOFException("proxy " + proxy + " closed the connection before it answered");
            }
            head.append((char) (one[0] & 0xff));
        }
        return head.substring(0, head.indexOf("\r\n"));
    }
}
