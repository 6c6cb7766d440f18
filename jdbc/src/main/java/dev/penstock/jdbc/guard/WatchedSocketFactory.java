package dev.penstock.jdbc.guard;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.SocketFactory;
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;

/**
 * Creates the sockets of PostgreSQL's driver with TCP keep-alive, such that {@link GuardedDataSource} can check them
 * without blocking. The driver creates one factory for each connection by its class name. Public only for the driver.
 *
 * <p>Thread-safe.
 */
public final class WatchedSocketFactory extends SocketFactory {
    /** TCP keep-alive: the idle time before the first probe, in seconds. */
    static final int KEEP_IDLE = 15;

    /** TCP keep-alive: the time between probes, in seconds. */
    static final int KEEP_INTERVAL = 5;

    /** TCP keep-alive: the number of unanswered probes after which the connection is reset. */
    static final int KEEP_COUNT = 3;

    /** The sockets of connections being opened, by the id that the driver passes on. */
    private static final Map<String, SocketChannel> OPENING = new ConcurrentHashMap<>();

    private final String socketId;

    /**
     * For the driver.
     *
     * @param socketId identifies the connection
     */
    public WatchedSocketFactory(String socketId) {
        this.socketId = socketId;
    }

    /** Removes and returns the socket that was created last for an id; null if there is none. */
    static @Nullable SocketChannel takeSocket(String socketId) {
        return OPENING.remove(socketId);
    }

    @Override
    public Socket createSocket() throws IOException {
        SocketChannel channel = SocketChannel.open();
        channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        set(channel, ExtendedSocketOptions.TCP_KEEPIDLE, KEEP_IDLE);
        set(channel, ExtendedSocketOptions.TCP_KEEPINTERVAL, KEEP_INTERVAL);
        set(channel, ExtendedSocketOptions.TCP_KEEPCOUNT, KEEP_COUNT);
        OPENING.put(socketId, channel);
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
