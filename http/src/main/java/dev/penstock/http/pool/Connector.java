package dev.penstock.http.pool;

import dev.penstock.Ticker;
import dev.penstock.http.tls.HostParameters;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;

/**
 * Opens connections to one server: its addresses one after another (or those of a proxy, and a way through it), TCP, then
 * TLS. Safe for many threads.
 */
public final class Connector {
    /** What an address gets at least before the next is tried, where the time allows. */
    private static final long LEAST_EACH = 250_000_000L;

    private final String host;
    private final int port;
    private final @Nullable Proxy proxy;
    private final @Nullable Supplier<SSLContext> tls;
    private final Ticker ticker;
    /** As of the last question for it; asked by one thread only. */
    private @Nullable SSLContext latest;

    /**
     * A connector.
     *
     * @param host as its certificate names it, without brackets
     * @param port where it listens
     * @param proxy on the way, which tunnels TLS and passes plain requests on; null for none
     * @param tls for TLS, asked for each connection, with the session tickets that it remembers; null for plain TCP
     * @param ticker its clock
     */
    public Connector(String host, int port, @Nullable Proxy proxy, @Nullable Supplier<SSLContext> tls, Ticker ticker) {
        this.host = host;
        this.port = port;
        this.proxy = proxy;
        this.tls = tls;
        this.ticker = ticker;
        this.latest = tls == null ? null : tls.get();
    }

    /** Whose addresses are wanted: the server's, or the proxy's. */
    public String firstHop() {
        return proxy == null ? host : proxy.host();
    }

    /** Whether connections that are opened from now on are others than those before, as what TLS goes by has changed. */
    boolean isRenewed() {
        SSLContext now = tls == null ? null : tls.get();
        boolean renewed = latest != null && !latest.equals(now);
        latest = now;
        return renewed;
    }

    /** Opens one, see {@link ConnectionPool#open}. */
    Connection open(ConnectionPool pool, List<InetAddress> addresses, long until) throws IOException {
        Connection connection;
        try {
            connection = new Connection(connect(addresses, until), pool.inboxes(), ticker);
        } catch (IOException | RuntimeException | Error e) {
            pool.openedNone();
            throw e;
        }
        boolean open = false;
        try {
            pool.add(connection);
            open = tls == null || secure(pool, connection, tls.get(), until);
            if (!open) {
                throw new SocketTimeoutException("TLS took too long");
            }
            pool.opened();
            return connection;
        } catch (IOException e) {
            throw connection.wasCut() ? new SocketTimeoutException("TLS took too long") : e;
        } finally {
            if (!open) {
                pool.drop(connection);
            }
        }
    }

    private boolean secure(ConnectionPool pool, Connection connection, SSLContext context, long until)
            throws IOException {
        pool.cutAt(connection, until);
        if (proxy != null) {
            new ProxyTunnel(proxy, host, port).open(connection.socketTransport());
        }
        TlsTransport layer = new TlsTransport(connection.socketTransport(), engine(context));
        layer.handshake();
        connection.secured(layer);
        return connection.endCut();
    }

    private SocketChannel connect(List<InetAddress> addresses, long until) throws IOException {
        IOException failure = null;
        for (int i = 0; i < addresses.size(); i++) {
            long left = until - ticker.nanos();
            if (left <= 0) {
                break;
            }
            long share = i == addresses.size() - 1
                    ? left
                    : Math.clamp(left / (addresses.size() - i), Math.min(left, LEAST_EACH), left);
            try {
                return connect(addresses.get(i), share);
            } catch (IOException e) {
                if (failure == null || failure instanceof SocketTimeoutException) {
                    failure = e;
                }
            }
        }
        throw failure == null ? new SocketTimeoutException("no time was left to connect") : failure;
    }

    private SocketChannel connect(InetAddress address, long nanos) throws IOException {
        InetSocketAddress remote = new InetSocketAddress(address, proxy == null ? port : proxy.port());
        try {
            return connect(remote, nanos);
        } catch (ConnectException e) {
            throw new ConnectException(at(remote, e));
        } catch (SocketTimeoutException e) {
            throw new SocketTimeoutException(at(remote, e));
        }
    }

    /** Which of the addresses of a name it was: the exceptions of the JDK do not contain it. */
    private static String at(InetSocketAddress remote, IOException e) {
        String address = remote.getAddress().getHostAddress();
        return e.getMessage() + ": " + (address.contains(":") ? "[" + address + "]" : address) + ":" + remote.getPort();
    }

    private static SocketChannel connect(InetSocketAddress remote, long nanos) throws IOException {
        SocketChannel channel = SocketChannel.open();
        boolean connected = false;
        try {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
            channel.socket().connect(remote, Math.clamp(nanos / 1_000_000, 1, Integer.MAX_VALUE));
            if (channel.getLocalAddress().equals(channel.getRemoteAddress())) {
                // A port that nobody listens on can be given to the caller itself, who then talks to itself.
                throw new ConnectException("nobody listens there");
            }
            channel.configureBlocking(false);
            connected = true;
            return channel;
        } finally {
            if (!connected) {
                channel.close();
            }
        }
    }

    /** Where it leads. */
    @Override
    public String toString() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }

    private SSLEngine engine(SSLContext context) {
        SSLEngine engine = context.createSSLEngine(host, port);
        engine.setUseClientMode(true);
        engine.setSSLParameters(HostParameters.of(host));
        return engine;
    }
}
