package dev.penstock.cli.probe;

import dev.penstock.http.tls.HostParameters;
import dev.penstock.http.tls.Tls;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * Opens plain or TLS connections, without TCP keep-alive: that would be traffic, where there is to be none. Safe for many
 * threads.
 */
final class SocketConnector {
    private static final Duration CONNECT = Duration.ofSeconds(5);

    private final String host;
    private final int port;
    private final @Nullable SSLContext tls;

    /**
     * A way to somewhere.
     *
     * @param host without brackets
     * @param secure whether to speak TLS, and trust whom the JVM trusts
     */
    SocketConnector(String host, int port, boolean secure) {
        this.host = host;
        this.port = port;
        this.tls = secure ? Tls.platform().open().context() : null;
    }

    /**
     * Opens one.
     *
     * @throws IOException in one line that says what to do
     */
    Socket open() throws IOException {
        Socket socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            InetSocketAddress to = new InetSocketAddress(host, port);
            if (to.isUnresolved()) {
                throw new UnknownHostException("nobody knows the host; mend the target");
            }
            socket.connect(to, (int) CONNECT.toMillis());
            socket.setSoTimeout((int) CONNECT.toMillis());
            return tls == null ? socket : secured(tls, socket);
        } catch (IOException e) {
            socket.close();
            throw new IOException(
                    this + " cannot be reached (" + e.getMessage() + "): see whether it listens there", e);
        }
    }

    private Socket secured(SSLContext context, Socket plain) throws IOException {
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(plain, host, port, true);
        socket.setSSLParameters(HostParameters.of(host));
        socket.startHandshake();
        return socket;
    }

    @Override
    public String toString() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
}
