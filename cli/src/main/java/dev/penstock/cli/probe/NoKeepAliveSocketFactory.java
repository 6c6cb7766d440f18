package dev.penstock.cli.probe;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.SocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * Makes the sockets of PostgreSQL's driver, which makes one of these by its name for each connection: without TCP keep-alive,
 * and such that a probe can watch how they end. Public for that driver alone; safe for many threads.
 */
public final class NoKeepAliveSocketFactory extends SocketFactory {
    /** The sockets of connections that are being opened, by the word that the driver hands on: as many as those. */
    private static final Map<String, Socket> OPENING = new ConcurrentHashMap<>();

    private final String word;

    /**
     * For the driver.
     *
     * @param word tells for which connection
     */
    public NoKeepAliveSocketFactory(String word) {
        this.word = word;
    }

    /** The socket that was made last for a word, and is forgotten now; null for none. */
    static @Nullable Socket taken(String word) {
        return OPENING.remove(word);
    }

    @Override
    public Socket createSocket() {
        Socket socket = new Socket();
        OPENING.put(word, socket);
        return socket;
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
