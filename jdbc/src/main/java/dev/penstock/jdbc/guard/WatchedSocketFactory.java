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
import java.util.concurrent.atomic.AtomicReference;
import javax.net.SocketFactory;
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;

/**
 * Creates the sockets of the drivers of PostgreSQL and MariaDB with TCP keep-alive, such that {@link GuardedDataSource}
 * can check and close them without the driver. A driver creates one factory for each connection by its class name.
 * Public only for the drivers. Thread-safe.
 */
public final class WatchedSocketFactory extends SocketFactory {
    /** TCP keep-alive: the idle time before the first probe, in seconds. */
    static final int KEEP_IDLE = 15;

    /** TCP keep-alive: the time between probes, in seconds. */
    static final int KEEP_INTERVAL = 5;

    /** TCP keep-alive: the number of unanswered probes after which the connection is reset. */
    static final int KEEP_COUNT = 3;

    /** Inherited, since PostgreSQL's driver connects on another thread when it has a login timeout. */
    private static final InheritableThreadLocal<@Nullable SocketHolder> OPENING = new InheritableThreadLocal<>();

    /** For the drivers. */
    public WatchedSocketFactory() {}

    /** Holds the socket that was created last for a connection. */
    static final class SocketHolder extends AtomicReference<@Nullable SocketChannel> {
        private static final long serialVersionUID = 1L;
    }

    /** The driver. */
    @FunctionalInterface
    interface Connector {
        Connection open() throws SQLException;
    }

    /** Opens a connection, and stores its socket as soon as there is one. */
    static Connection into(SocketHolder holder, Connector driver) throws SQLException {
        OPENING.set(holder);
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
        set(channel, ExtendedSocketOptions.TCP_KEEPIDLE, KEEP_IDLE);
        set(channel, ExtendedSocketOptions.TCP_KEEPINTERVAL, KEEP_INTERVAL);
        set(channel, ExtendedSocketOptions.TCP_KEEPCOUNT, KEEP_COUNT);
        SocketHolder holder = OPENING.get();
        if (holder != null) {
            holder.set(channel);
        }
        return channel.socket();
    }

    private static void set(SocketChannel channel, SocketOption<Integer> option, int value) throws IOException {
        if (channel.supportedOptions().contains(option)) {
            channel.setOption(option, value);
        }
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
