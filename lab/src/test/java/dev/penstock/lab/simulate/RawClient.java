package dev.penstock.lab.simulate;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/** Speaks HTTP byte by byte, so that a test sees what is on the wire. */
final class RawClient implements AutoCloseable {
    private final Socket raw;
    private Socket socket;
    private InputStream in;

    RawClient(int port) throws IOException {
        raw = new Socket(InetAddress.getLoopbackAddress(), port);
        raw.setSoTimeout(60_000);
        socket = raw;
        in = raw.getInputStream();
    }

    /** Speaks TLS of a version from now on, with a simulator of that host name; the name it then speaks. */
    String secure(SSLContext context, String host, String version) throws IOException {
        SSLSocket secured = (SSLSocket) context.getSocketFactory().createSocket(raw, host, raw.getPort(), true);
        SSLParameters parameters = secured.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        parameters.setProtocols(new String[] {version});
        secured.setSSLParameters(parameters);
        secured.startHandshake();
        socket = secured;
        in = secured.getInputStream();
        return secured.getSession().getProtocol();
    }

    /** What comes below TLS until the other side closed by FIN; throws when it reset. */
    byte[] rest() throws IOException {
        return raw.getInputStream().readAllBytes();
    }

    static String post(String id, String body) {
        return "POST /pay HTTP/1.1\r\nHost: a\r\nIdempotency-Key: " + id + "\r\nContent-Length: " + body.length()
                + "\r\n\r\n" + body;
    }

    RawClient send(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        return this;
    }

    /** One answer: its head, then its body. */
    String answer() throws IOException {
        StringBuilder answer = new StringBuilder();
        while (answer.indexOf("\r\n\r\n") < 0) {
            answer.append(next());
        }
        int length = 0;
        for (String line : answer.toString().lines().toList()) {
            length = line.startsWith("Content-Length: ") ? Integer.parseInt(line.substring(16)) : length;
        }
        for (int i = 0; i < length; i++) {
            answer.append(next());
        }
        return answer.toString();
    }

    /** -1 when the other side closed by FIN; throws when it reset. */
    int end() throws IOException {
        return in.read();
    }

    void leave() throws IOException {
        socket.close();
    }

    private char next() throws IOException {
        int next = in.read();
        if (next < 0) {
            throw new EOFException("closed within an answer");
        }
        return (char) next;
    }

    @Override
    public void close() throws IOException {
        leave();
    }
}
