package dev.penstock.jdbc.guard;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.function.Consumer;
import javax.net.SocketFactory;
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;

/**
 * Creates the sockets of the drivers of PostgreSQL and MariaDB with TCP keep-alive, such that {@link GuardedDataSource}
 * can check and close them without the driver. A driver creates one factory for each connection by its class name.
 * Public only for the drivers. Thread-safe.
 */
public final class WatchedSocketFactory extends SocketFactory {
    /** TCP keep-alive, in seconds: a probe after 15 without traffic, then one every 5. The third without an answer resets. */
    private static final Map<SocketOption<Integer>, Integer> KEEP_ALIVE = Map.of(
            ExtendedSocketOptions.TCP_KEEPIDLE, 15,
            ExtendedSocketOptions.TCP_KEEPINTERVAL, 5,
            ExtendedSocketOptions.TCP_KEEPCOUNT, 3);

    /** Inherited, since PostgreSQL's driver connects on another thread when it has a login timeout. */
    private static final InheritableThreadLocal<@Nullable Consumer<SocketChannel>> OPENING =
            new InheritableThreadLocal<>();

    /** For the drivers. */
    public WatchedSocketFactory() {}

    /** The driver. */
    @FunctionalInterface
    interface Connector {
        Connection open() throws SQLException;
    }

    /** Opens a connection. Its socket, or that of the last attempt, is given to the listener as soon as there is one. */
    static Connection open(Connector driver, Consumer<SocketChannel> listener) throws SQLException {
        OPENING.set(listener);
        try {
            return driver.open();
        } finally {
            OPENING.remove();
        }
    }

    @Override
    public Socket createSocket() throws IOException {
        SocketChannel channel = SocketChannel.open();
        channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        for (Map.Entry<SocketOption<Integer>, Integer> option : KEEP_ALIVE.entrySet()) {
            if (channel.supportedOptions().contains(option.getKey())) {
                channel.setOption(option.getKey(), option.getValue());
            }
        }
        Consumer<SocketChannel> listener = OPENING.get();
        if (listener != null) {
            listener.accept(channel);
        }
        return channel.socket();
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
        return connect(new InetSocketAddress(host, port), null);
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress localHost, int localPort) throws IOException {
        return connect(new InetSocketAddress(host, port), new InetSocketAddress(localHost, localPort));
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
        return connect(new InetSocketAddress(host, port), null);
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress localAddress, int localPort) throws IOException {
        return connect(new InetSocketAddress(host, port), new InetSocketAddress(localAddress, localPort));
    }

    private Socket connect(InetSocketAddress to, @Nullable InetSocketAddress from) throws IOException {
        Socket socket = createSocket();
        if (from != null) {
            socket.bind(from);
        }
        socket.connect(to);
        return socket;
    }
}
