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

/** Opens plain or TLS connections without TCP keep-alive, whose traffic would disturb the idle test. Thread-safe. */
final class SocketConnector {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final String host;
    private final int port;
    private final @Nullable SSLContext tls;

    /**
     * Creates a connector.
     *
     * @param host without brackets
     * @param secure whether to use TLS with the trust store of the JVM
     */
    SocketConnector(String host, int port, boolean secure) {
        this.host = host;
        this.port = port;
        this.tls = secure ? Tls.platform().open().context() : null;
    }

    /**
     * Opens a connection.
     *
     * @throws IOException with a one-line remedy
     */
    Socket open() throws IOException {
        Socket socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            InetSocketAddress to = new InetSocketAddress(host, port);
            if (to.isUnresolved()) {
                throw new UnknownHostException("unknown host; check the name or the DNS server");
            }
            socket.connect(to, (int) TIMEOUT.toMillis());
            socket.setSoTimeout((int) TIMEOUT.toMillis());
            return tls == null ? socket : secured(tls, socket);
        } catch (IOException e) {
            socket.close();
            throw new IOException(
                    this + " cannot be reached (" + e.getMessage()
                            + "); check the address and that the server is running",
                    e);
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
