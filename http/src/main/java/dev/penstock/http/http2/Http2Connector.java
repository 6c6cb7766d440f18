package dev.penstock.http.http2;

import dev.penstock.http.pool.HostLookup;
import dev.penstock.http.tls.HostParameters;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import org.apache.hc.core5.concurrent.FutureCallback;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http2.impl.nio.ProtocolNegotiationException;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.reactor.DefaultConnectingIOReactor;
import org.apache.hc.core5.reactor.IOSession;
import org.apache.hc.core5.reactor.ssl.TransportSecurityLayer;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * Opens HTTP/2 connections: DNS lookup, TCP connect, TLS handshake with ALPN (RFC 7301), and the wait for the peer's SETTINGS.
 * Without TLS it assumes that the peer speaks HTTP/2 (prior knowledge, RFC 9113 section 3.3). Thread-safe.
 */
public final class Http2Connector {
    private final String name;
    private final int port;
    private final int maxStreams;
    private final @Nullable Supplier<SSLContext> tls;
    private final HttpHost host;
    private final HostLookup lookup;
    private final Http2Reactor reactor;

    /**
     * Creates a connector.
     *
     * @param name host name of the server, as in its certificate, without brackets
     * @param port port of the server
     * @param maxStreams maximum number of streams per connection
     * @param tls provides the TLS context for each connection; null for plain TCP
     */
    public Http2Connector(String name, int port, int maxStreams, @Nullable Supplier<SSLContext> tls) {
        this.name = name;
        this.port = port;
        this.maxStreams = maxStreams;
        this.tls = tls;
        this.host = new HttpHost(tls == null ? "http" : "https", name, port);
        this.lookup = new HostLookup(name);
        this.reactor = new Http2Reactor(where());
    }

    /**
     * Opens a connection that is ready for calls.
     *
     * @param nanos total time limit; each address of the host gets an equal share of the time left
     * @throws NotOffered the peer does not offer HTTP/2
     * @throws IOException the connection could not be opened
     */
    Http2Connection open(long nanos, Http2Connection.Listener listener)
            throws NotOffered, IOException, InterruptedException {
        long until = System.nanoTime() + nanos;
        List<InetAddress> found = lookup.resolve(nanos);
        IOException worst = new UnknownHostException(name);
        for (int i = 0; i < found.size(); i++) {
            long share = (until - System.nanoTime()) / (found.size() - i);
            try {
                return open(new InetSocketAddress(found.get(i), port), Math.max(1, share), listener);
            } catch (IOException e) {
                // A TLS error explains more than a refused connection to another address.
                worst = worst instanceof SSLException ? worst : e;
            }
        }
        throw worst;
    }

    private Http2Connection open(InetSocketAddress remote, long nanos, Http2Connection.Listener listener)
            throws NotOffered, IOException, InterruptedException {
        SSLContext context = context();
        Timeout time = Timeout.ofMilliseconds(Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos)));
        DefaultConnectingIOReactor threads = reactor.acquire();
        Http2Connection connection = new Http2Connection(listener, maxStreams, context, reactor::release);
        Future<IOSession> connecting = null;
        boolean open = false;
        try {
            connecting = threads.connect(host, remote, null, time, connection, new Opening(connection, context, time));
            connection.ready().get(nanos, TimeUnit.NANOSECONDS);
            open = true;
            return connection;
        } catch (TimeoutException e) {
            throw new SocketTimeoutException("connect timed out");
        } catch (ExecutionException e) {
            throw why(e.getCause());
        } finally {
            if (!open) {
                connection.abort();
                if (connecting != null) {
                    connecting.cancel(true);
                }
                connection.end();
            }
        }
    }

    private static IOException why(@Nullable Throwable cause) throws NotOffered {
        if (cause instanceof ProtocolNegotiationException) {
            throw new NotOffered();
        }
        return cause instanceof IOException known ? known : new IOException(cause);
    }

    /** The current TLS context; null without TLS. */
    @Nullable
    SSLContext context() {
        return tls == null ? null : tls.get();
    }

    /** Host and port of the peer. */
    String where() {
        return (name.contains(":") ? "[" + name + "]" : name) + ":" + port;
    }

    void close() {
        reactor.close();
    }

    private void offer(SSLEngine engine) {
        SSLParameters parameters = HostParameters.of(name);
        parameters.setApplicationProtocols(new String[] {"h2", "http/1.1"});
        engine.setSSLParameters(parameters);
    }

    /** The steps of opening a connection, on the reactor's thread. */
    private final class Opening implements FutureCallback<IOSession> {
        private final Http2Connection connection;
        private final @Nullable SSLContext context;
        private final Timeout time;

        Opening(Http2Connection connection, @Nullable SSLContext context, Timeout time) {
            this.connection = connection;
            this.context = context;
            this.time = time;
        }

        @Override
        public void completed(IOSession session) {
            try {
                connection.connected(session);
                if (context != null && session instanceof TransportSecurityLayer layer) {
                    layer.startTls(
                            context, host, null, (_, engine) -> offer(engine), null, time, new Secured(connection));
                }
            } catch (RuntimeException | Error e) {
                connection.broken(new IOException("the TLS handshake could not start: " + e, e));
                session.close(CloseMode.IMMEDIATE);
            }
        }

        @Override
        public void failed(Exception cause) {
            connection.broken(cause);
        }

        @Override
        public void cancelled() {
            connection.broken(new IOException("cancelled"));
        }
    }

    /** Reports a failed TLS handshake. Success is detected by the peer's SETTINGS. */
    private record Secured(Http2Connection connection) implements FutureCallback<TransportSecurityLayer> {
        @Override
        public void completed(TransportSecurityLayer layer) {}

        @Override
        public void failed(Exception cause) {
            connection.broken(cause);
        }

        @Override
        public void cancelled() {
            connection.broken(new IOException("cancelled"));
        }
    }

    /** The TLS handshake succeeded, but the peer offers no HTTP/2. */
    public static final class NotOffered extends Exception {
        private static final long serialVersionUID = 1L;

        /** Creates it. */
        public NotOffered() {
            super("the peer offers no HTTP/2");
        }
    }
}
