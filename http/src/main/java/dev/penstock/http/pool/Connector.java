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
 * Opens connections to one server: TCP connect to its addresses (or those of a proxy) in turn, proxy tunnel if needed, TLS
 * handshake. Thread-safe.
 */
public final class Connector {
    /** Minimum time for each address before the next is tried, if the time limit allows: 250 ms. */
    private static final long MIN_PER_ADDRESS = 250_000_000L;

    private final String host;
    private final int port;
    private final @Nullable Proxy proxy;
    private final @Nullable Supplier<SSLContext> tls;
    private final Ticker ticker;
    /** The context at the last {@link #isRenewed}; used by one thread only. */
    private @Nullable SSLContext latest;

    /**
     * Creates a connector.
     *
     * @param host name of the server, as in its certificate, without brackets
     * @param port port of the server
     * @param proxy HTTP proxy that tunnels TLS and forwards plain requests; null for none
     * @param tls provides the TLS context, including its session tickets, for each connection; null for plain TCP
     * @param ticker the clock
     */
    public Connector(String host, int port, @Nullable Proxy proxy, @Nullable Supplier<SSLContext> tls, Ticker ticker) {
        this.host = host;
        this.port = port;
        this.proxy = proxy;
        this.tls = tls;
        this.ticker = ticker;
        this.latest = tls == null ? null : tls.get();
    }

    /** The host to resolve: the server or, if there is one, the proxy. */
    public String firstHop() {
        return proxy == null ? host : proxy.host();
    }

    /** Whether the TLS context has changed since the last call, so that older connections must not be reused. */
    boolean isRenewed() {
        SSLContext now = tls == null ? null : tls.get();
        boolean renewed = latest != null && !latest.equals(now);
        latest = now;
        return renewed;
    }

    /**
     * Opens a connection, leased by the caller, which holds an open permit.
     *
     * @param until the reading of the ticker by which it has to be open
     */
    Connection open(ConnectionPool pool, List<InetAddress> addresses, long until) throws IOException {
        Connection connection;
        try {
            connection = new Connection(connect(addresses, until), pool.buffers(), ticker);
        } catch (IOException | RuntimeException | Error e) {
            pool.releaseOpenPermit();
            throw e;
        }
        boolean open = false;
        try {
            pool.add(connection);
            open = tls == null || secure(pool, connection, tls.get(), until);
            if (!open) {
                throw new SocketTimeoutException("TLS handshake timed out");
            }
            pool.recordOpened();
            return connection;
        } catch (IOException e) {
            throw connection.hasTimedOut() ? new SocketTimeoutException("TLS handshake timed out") : e;
        } finally {
            if (!open) {
                pool.drop(connection);
            }
        }
    }

    private boolean secure(ConnectionPool pool, Connection connection, SSLContext context, long until)
            throws IOException {
        pool.setTimeout(connection, until);
        if (proxy != null) {
            proxy.openTunnel(connection.socketTransport(), host, port);
        }
        TlsTransport layer = new TlsTransport(connection.socketTransport(), engine(context));
        layer.handshake();
        connection.secured(layer);
        return connection.clearTimeout();
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
                    : Math.clamp(left / (addresses.size() - i), Math.min(left, MIN_PER_ADDRESS), left);
            try {
                return connect(addresses.get(i), share);
            } catch (IOException e) {
                if (failure == null || failure instanceof SocketTimeoutException) {
                    failure = e;
                }
            }
        }
        throw failure == null ? new SocketTimeoutException("connect timed out before the first attempt") : failure;
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

    /** Adds the address to the message of a JDK exception, because a name may have several. */
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
                // TCP self-connect: the ephemeral local port happened to be the requested one. Nothing listens there.
                throw new ConnectException("Connection refused (self-connect)");
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

    /** Host and port of the server. */
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
