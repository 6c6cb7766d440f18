package dev.penstock.http.source;

import dev.penstock.Setting;
import dev.penstock.Source;
import dev.penstock.Unanswered;
import dev.penstock.http.internal.Paths;
import dev.penstock.http.source.Router.Route;
import dev.penstock.http.tls.TlsMaterial;
import dev.penstock.memory.MemoryBudget;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Accepts requests of HTTP/1.1, HTTP/1.0, and HTTP/2 (over TLS, or with prior knowledge), on one port and routes each to a flow by its path; several flows may share the port.
 * Each request is read completely, within limits of size and time, before its flow is called. Thread-safe.
 *
 * <pre>{@code
 * HttpSource source = HttpSource.on(8080).route("/v1/payments", "payments", payments).build();
 * source.start();
 * }</pre>
 *
 * <h2>Answers</h2>
 *
 * <p>The answer of the flow is returned unchanged, except for hop-by-hop header fields (RFC 9110 section 7.6.1). Without an
 * answer, the client gets {@code application/problem+json} (RFC 9457) with {@code ending}, {@code cause} and {@code flow}: 503
 * with Retry-After for rejected, 504 for unknown, 502 for failed. Every answer has the header {@code Penstock-Ending}.
 *
 * <p>A request refused before it reaches a flow is not counted, and its header is {@code none}: 400 malformed request, invalid
 * {@code Penstock-Deadline-Ms}, a key that is empty or occurs twice, or a field named by {@code Connection} that the flow rests on; 404 no flow has the path;
 * 405 TRACE; 408 request too slow; 413 body, 414 request line, 431 header fields too large; 501 CONNECT and unknown methods,
 * including {@code get} for GET; 505 any other version; 508, with the header {@code rejected}, a
 * request that has passed through the flow before. All content types are accepted, so there is no 415. Trailers of a chunked
 * body are not supported: 400.
 *
 * <h2>Requests</h2>
 *
 * <p>A path is normalized (RFC 3986 section 6.2.2) before it is matched and passed to the flow: escapes of letters, digits and
 * {@code -._~} are decoded, and repeated slashes within the path of the flow are merged. Dot segments, backslashes, {@code %00}
 * and invalid escapes are 400. So is a path that another server could interpret as the path of a more specific flow, such as
 * {@code /api/payments;x}, {@code /api/a%2F..%2Fpayments} or {@code /api/Payments} if there are flows at {@code /api} and
 * {@code /api/payments}. The query is passed unchanged. Characters that browsers do not escape, such as {@code [ ] |}, are accepted
 * in both although RFC 3986 forbids them.
 *
 * <p>Fields that name the client are replaced unless a {@linkplain HttpSourceBuilder#trustedProxies trusted proxy} sent them.
 * Hop-by-hop header fields are removed and {@code Via} is added, with a random name of this route by which it recognizes its
 * own requests (RFC 9110 section 7.6.3). {@code Penstock-Deadline-Ms}, a whole number of milliseconds, sets the deadline of the
 * transaction, counted from when the request head was read. The content is passed unchanged, encoded or not. Header values
 * outside ASCII are 400.
 *
 * <p>An HTTP/1.0 connection is closed after its answer unless the client sends {@code Connection: keep-alive}. No answer is
 * chunked. A request target in absolute form is accepted; its host replaces the field {@code Host}. Empty lines before a
 * request, chunk extensions, and {@code Upgrade} are ignored. A client that disconnects does not undo its transaction.
 */
public final class HttpSource implements Source {
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    /** The limits of the connections of a source; see {@link HttpSourceBuilder}. */
    record Limits(Duration headerTime, Duration bodyTime, Duration idleTime, int maxConnections) {
        /** How long received bytes are read and discarded after an answer that ends a connection. */
        static final Duration LINGER = Duration.ofSeconds(1);
        /** Time limit for writing the 408 answer to a slow client. */
        static final Duration FINAL_ANSWER = Duration.ofSeconds(1);
    }

    /**
     * Where it listens, and who may connect; see {@link HttpSourceBuilder}.
     *
     * @param balancers who may connect, with the PROXY protocol; null for everybody, without it
     */
    record Listener(
            int port,
            String host,
            Limits limits,
            @Nullable TlsMaterial tls,
            @Nullable TrustedProxies balancers) {}

    private volatile Listener listener;
    private volatile FlowHandler handler;
    private volatile List<Route> routes;
    private volatile List<Setting> settings;
    private final MemoryBudget memory = MemoryBudget.current();
    private volatile @Nullable RequestServer server;
    private volatile int port;
    private boolean stopped;

    HttpSource(Listener listener, FlowHandler handler, List<Route> routes, List<Setting> settings) {
        this.listener = listener;
        this.handler = handler;
        this.routes = routes;
        this.settings = settings;
        this.port = listener.port;
    }

    /**
     * Returns a builder.
     *
     * @param port 0..65535; 0 for any free port, which {@link #port} returns once started
     * @throws IllegalArgumentException if the port is out of range
     */
    public static HttpSourceBuilder on(int port) {
        return new HttpSourceBuilder(port);
    }

    /**
     * Returns the text that a client gets for an ending: a fixed sentence per cause, so that host names, addresses and error
     * messages do not leak.
     */
    public static String sentence(Unanswered ending) {
        return ProblemDetails.detail(ending.ending(), ending.causeName());
    }

    /**
     * Returns the normal form of a flow's path, which requests are matched against: escapes of unreserved characters decoded,
     * upper case in other escapes, single slashes.
     *
     * @param path begins with a slash, without a query
     * @throws IllegalArgumentException if the path has a backslash, an invalid escape, or an escaped NUL
     */
    public static String normalPath(String path) {
        return Paths.normal(path);
    }

    @Override
    public String where() {
        return (listener.tls == null ? "http://" : "https://") + listener.host + ":" + port + " "
                + routes.stream().map(Route::path).collect(Collectors.joining(", "));
    }

    /** Returns the port it listens on; before the start, the requested port. */
    public int port() {
        return port;
    }

    /** Returns the limits of this source, for display. */
    public List<Setting> settings() {
        return settings;
    }

    /** Returns the number of open client connections. */
    public int connections() {
        RequestServer current = server;
        return current == null ? 0 : current.connections().size();
    }

    /** Returns whether a transaction is in progress, or its answer is being written. */
    public boolean isAnswering() {
        RequestServer current = server;
        return current != null && current.connections().isAnswering();
    }

    /**
     * Starts listening. May be called once.
     *
     * @throws IOException if the address cannot be bound; the message, one line, says what to do
     * @throws IllegalStateException if it was started or stopped before
     */
    @Override
    public synchronized void start() throws IOException {
        if (server != null || stopped) {
            throw new IllegalStateException("a source can be started only once");
        }
        InetSocketAddress address = address();
        RequestServer started = memory.whileCurrent(
                () -> new RequestServer(address, where(), listener.limits, handler, listener.tls, listener.balancers));
        try {
            started.start();
        } catch (BindException e) {
            throw cannotListen(e);
        }
        port = started.port();
        server = started;
    }

    /**
     * Whether {@link #serve} can serve as another source would: both with TLS or both without, and for the same load balancers
     * (PROXY protocol).
     */
    public boolean canServe(HttpSource next) {
        return (listener.tls == null) == (next.listener.tls == null)
                && Objects.equals(listener.balancers, next.listener.balancers);
    }

    /**
     * Serves as another source would, from the next request on: with its routes, and its limits and certificates for new
     * connections. No connection is closed, and the port stays open. Requests in progress end where they began.
     *
     * @param next for the same address, and not started; it is not used any more
     * @throws IllegalArgumentException if this source {@linkplain #canServe cannot}
     */
    public synchronized void serve(HttpSource next) {
        if (!canServe(next)) {
            throw new IllegalArgumentException("a source cannot change its protocol while it listens: " + where());
        }
        listener = next.listener;
        handler = next.handler;
        routes = next.routes;
        settings = next.settings;
        RequestServer current = server;
        if (current != null) {
            current.serve(listener.limits, handler, listener.tls);
        }
    }

    private InetSocketAddress address() throws IOException {
        try {
            return new InetSocketAddress(InetAddress.getByName(listener.host), listener.port);
        } catch (UnknownHostException e) {
            throw new IOException("unknown host " + listener.host + ": set host to an address of this machine", e);
        }
    }

    private IOException cannotListen(BindException cause) {
        String why = String.valueOf(cause.getMessage());
        return why.contains("in use")
                ? new IOException("port " + listener.port + " on " + listener.host
                        + " is already in use: stop the process that listens there or set another port")
                : new IOException(
                        "cannot listen on port " + listener.port + " on " + listener.host + " (" + why
                                + "): set host to an address of this machine, and port to one that this user may bind",
                        cause);
    }

    /**
     * Stops accepting connections. Each open connection gets one more answer, its last one, to its current or next request, so
     * a draining flow rejects and counts late requests instead of dropping them. The operating system resets connections in its
     * backlog; no request of theirs has reached a flow.
     */
    @Override
    public synchronized void stopAccepting() {
        stopped = true;
        RequestServer current = server;
        if (current != null) {
            current.stopAccepting();
        }
    }

    /** Closes all connections, even during a request, and interrupts their handlers. Waits up to 5 s for them. */
    @Override
    public synchronized void close() {
        stopAccepting();
        RequestServer current = server;
        if (current != null) {
            current.close(CLOSE_TIMEOUT);
        }
    }

    @Override
    public String toString() {
        return where();
    }
}
