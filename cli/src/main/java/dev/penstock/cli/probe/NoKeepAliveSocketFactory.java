package dev.penstock.cli.probe;

import java.net.InetAddress;
import java.net.Socket;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.SocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * Creates the sockets of the PostgreSQL driver, which instantiates this class by name for each connection: without TCP
 * keep-alive, and accessible to the probe, which watches how they end. Public for the driver only. Thread-safe.
 */
public final class NoKeepAliveSocketFactory extends SocketFactory {
    /** The sockets of connections being opened, by the id passed through the driver. */
    private static final Map<String, Socket> OPENING = new ConcurrentHashMap<>();

    private final String id;

    /**
     * For the driver.
     *
     * @param id identifies the connection
     */
    public NoKeepAliveSocketFactory(String id) {
        this.id = id;
    }

    /** Removes and returns the last socket created for an id; null for none. */
    static @Nullable Socket take(String id) {
        return OPENING.remove(id);
    }

    @Override
    public Socket createSocket() {
        Socket socket = new Socket();
        OPENING.put(id, socket);
        return socket;
    }

    @Override
    public Socket createSocket(String host, int port) {
        throw new UnsupportedOperationException("the driver connects its sockets itself");
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress localHost, int localPort) {
        return createSocket(host, port);
    }

    @Override
    public Socket createSocket(InetAddress host, int port) {
        return createSocket(host.getHostAddress(), port);
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress localAddress, int localPort) {
        return createSocket(host, port);
    }
}
