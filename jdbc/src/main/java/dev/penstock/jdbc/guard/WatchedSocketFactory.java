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
 * Makes the sockets of PostgreSQL's driver, which makes one of these by its name for each connection: with TCP keep-alive
 * on, and such that {@link GuardedDataSource} can look at them without waiting. Public for that driver alone.
 *
 * <p>Safe for many threads.
 */
public final class WatchedSocketFactory extends SocketFactory {
    /** After so many seconds of silence the system asks whether the other end is there, ... */
    static final int KEEP_IDLE = 15;

    /** ... again so many seconds later, ... */
    static final int KEEP_INTERVAL = 5;

    /** ... and gives up when so many questions got no answer. */
    static final int KEEP_COUNT = 3;

    /** The sockets of connections that are being opened, by the word that the driver hands on: as many as those. */
    private static final Map<String, SocketChannel> OPENING = new ConcurrentHashMap<>();

    private final String word;

    /**
     * For the driver.
     *
     * @param word tells for which connection
     */
    public WatchedSocketFactory(String word) {
        this.word = word;
    }

    /** The socket that was made last for a word, and is forgotten now; null for none. */
    static @Nullable SocketChannel taken(String word) {
        return OPENING.remove(word);
    }

    @Override
    public Socket createSocket() throws IOException {
        SocketChannel channel = SocketChannel.open();
        channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        set(channel, ExtendedSocketOptions.TCP_KEEPIDLE, KEEP_IDLE);
        set(channel, ExtendedSocketOptions.TCP_KEEPINTERVAL, KEEP_INTERVAL);
        set(channel, ExtendedSocketOptions.TCP_KEEPCOUNT, KEEP_COUNT);
        OPENING.put(word, channel);
        return channel.socket();
    }

    private static void set(SocketChannel channel, SocketOption<Integer> option, int value) throws IOException {
        if (channel.supportedOptions().contains(option)) {
            channel.setOption(option, value);
        }
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
        return connected(new InetSocketAddress(host, port), null);
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress localHost, int localPort) throws IOException {
        return connected(new InetSocketAddress(host, port), new InetSocketAddress(localHost, localPort));
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
        return connected(new InetSocketAddress(host, port), null);
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress localAddress, int localPort) throws IOException {
        return connected(new InetSocketAddress(host, port), new InetSocketAddress(localAddress, localPort));
    }

    private Socket connected(InetSocketAddress to, @Nullable InetSocketAddress from) throws IOException {
        Socket socket = createSocket();
        if (from != null) {
            socket.bind(from);
        }
        socket.connect(to);
        return socket;
    }
}
