package dev.penstock.http;

import dev.penstock.Setting;
import dev.penstock.Source;
import dev.penstock.Unanswered;
import dev.penstock.memory.MemoryBudget;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Takes HTTP/1.1 and HTTP/1.0 requests on one port and brings each to the flow behind its path; several flows may share the port. Each
 * request is read whole, within bounds of size and time, before its flow hears of it. Safe for many threads.
 *
 * <pre>{@code
 * HttpSource source = HttpSource.on(8080).route("/v1/payments", "payments", payments).build();
 * source.start();
 * }</pre>
 *
 * <h2>Answers</h2>
 *
 * <p>An answer of the flow passes as it is, but for the header fields of one connection (RFC 9110 section 7.6.1).
 * Otherwise: {@code application/problem+json} (RFC 9457) with {@code ending}, {@code cause} and {@code flow}; rejected is
 * 503 with Retry-After, unknown is 504, failed is 502. Every answer has the header {@code Penstock-Ending}.
 *
 * <p>What is turned away before it is offered to a flow counts nowhere; there the header says {@code none}: 400 malformed, or a bad
 * {@code Penstock-Deadline-Ms}; 404 no flow has the path; 405 TRACE; 408 too slow; 413 body, 414 first line, 431 header
 * fields too large; 501 CONNECT and unheard-of methods, also {@code get} for GET; 505 another version than HTTP/1.1 and HTTP/1.0. Any type of content passes, so
 * there is no 415. Trailers of a chunked body are not carried: 400.
 *
 * <h2>Requests</h2>
 *
 * <p>A path is matched, and goes to the flow, in its normal form (RFC 3986 section 6.2.2): escapes of letters, digits and
 * {@code -._~} are decoded, and several slashes are one within the path of the flow. Dot segments, backslashes, {@code %00}
 * and broken escapes are 400; so is a path that another server may read as one of a flow further down, such as {@code
 * /api/payments;x}, {@code /api/a%2F..%2Fpayments} or {@code /api/Payments} where there are flows of {@code /api} and {@code
 * /api/payments}. The query is passed as it is.
 *
 * <p>Header fields of one connection are dropped, {@code Via} is added, and {@code Penstock-Deadline-Ms}, a whole number
 * of milliseconds, becomes the deadline of the transaction, counted from when the head of the request was read. The
 * content is passed as it is, encoded or not. Header values outside ASCII are 400.
 *
 * <p>A connection of HTTP/1.0 ends with its answer, or lasts if the client sends {@code Connection: keep-alive}. No answer is
 * chunked. A target in absolute form is accepted; its host replaces the field {@code Host}. One empty line before a
 * request, and extensions of chunks, are ignored.
 *
 * <p>A client that goes away does not undo its transaction.
 */
public final class HttpSource implements Source {
    /** The header that carries how many milliseconds are left for an answer. */
    public static final String DEADLINE_HEADER = "Penstock-Deadline-Ms";

    private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(5);

    private final int askedPort;
    private final String host;
    private final SourceLimits limits;
    private final RandomGenerator random;
    private final List<Route> routes;
    private final List<Setting> settings;
    private final MemoryBudget memory = MemoryBudget.current();
    private Runnable ignoresMemory = () -> {};
    private volatile @Nullable IdleConnectionReaper guard;
    private @Nullable Acceptor acceptor;
    private volatile int port;
    private volatile boolean draining;

    HttpSource(
            int port,
            String host,
            SourceLimits limits,
            RandomGenerator random,
            List<Route> routes,
            List<Setting> settings) {
        this.askedPort = port;
        this.host = host;
        this.limits = limits;
        this.random = random;
        this.routes = routes;
        this.settings = settings;
        this.port = port;
    }

    /**
     * A builder of a source.
     *
     * @param port 0..65535; 0 for any that is free, which {@link #port} then tells
     * @throws IllegalArgumentException when it is out of range
     */
    public static HttpSourceBuilder on(int port) {
        return new HttpSourceBuilder(port);
    }

    /**
     * What a client is told of an ending: a fixed sentence for each cause, so that no host name, address or message of a
     * library gets out.
     */
    public static String sentence(Unanswered ending) {
        return ProblemDetails.detail(ending.ending(), ending.whyWord());
    }

    /**
     * The normal form of the path of a flow, which requests are matched against: escapes of unreserved characters decoded,
     * capitals in other escapes, single slashes.
     *
     * @param path begins with a slash, without a query
     * @throws IllegalArgumentException when it has none: it has a backslash, an escape that is none, or one of NUL
     */
    public static String normalPath(String path) {
        return Paths.normal(path);
    }

    @Override
    public String where() {
        return "http://" + host + ":" + port + " "
                + routes.stream().map(Route::path).collect(Collectors.joining(", "));
    }

    /** The port that it listens on; what was asked for, before it is started. */
    public int port() {
        return port;
    }

    /** Its bounds, for people to read. */
    public List<Setting> settings() {
        return settings;
    }

    /** How many clients are connected. */
    public int connections() {
        IdleConnectionReaper current = guard;
        return current == null ? 0 : current.size();
    }

    /**
     * Begins to listen. Once only.
     *
     * @throws IOException when it cannot, with one line that says what to do
     * @throws IllegalStateException when it was started before
     */
    @Override
    public synchronized void start() throws IOException {
        if (acceptor != null || draining) {
            throw new IllegalStateException("a source is started once");
        }
        InetSocketAddress address = address();
        IdleConnectionReaper newGuard = new IdleConnectionReaper(where(), Servers.selector(limits), limits);
        FlowHandler handler = new FlowHandler(routes, memory, random, () -> draining);
        int largest = routes.stream().mapToInt(Route::maxBody).max().orElse(0);
        Acceptor newAcceptor = Servers.acceptor(address, limits, largest, newGuard, handler);
        try {
            newAcceptor.start();
        } catch (IOException e) {
            newGuard.close();
            throw e instanceof BindException refused ? cannotListen(refused) : e;
        }
        newGuard.start();
        ignoresMemory = memory.whenScarce(newGuard::cutSlow);
        guard = newGuard;
        acceptor = newAcceptor;
        port = newAcceptor.port();
    }

    private InetSocketAddress address() throws IOException {
        try {
            return new InetSocketAddress(InetAddress.getByName(host), askedPort);
        } catch (UnknownHostException e) {
            throw new IOException("host " + host + " is not known: set host to an address of this machine", e);
        }
    }

    private IOException cannotListen(BindException cause) {
        String why = String.valueOf(cause.getMessage());
        return why.contains("in use")
                ? new IOException(
                        "port " + askedPort + " on " + host + " is in use: stop what listens there or set another port")
                : new IOException(
                        "cannot listen on port " + askedPort + " on " + host + " (" + why
                                + "): set host to an address of this machine, and a port that this user may open",
                        cause);
    }

    /**
     * Lets no further connection in. A connection that is open gets one more answer, with {@code Connection: close}, to
     * the request that is under way or to the next one on it; so a flow that drains rejects, and counts, every request
     * that comes too late, and none is cut off. Returns as soon as nobody can connect, within a second.
     * What the system had let connect but not yet handed over is reset by it: nothing of that was offered to a flow.
     */
    @Override
    public synchronized void stopAccepting() {
        draining = true;
        if (acceptor != null) {
            acceptor.stop();
        }
    }

    /** Ends every connection, also in the middle of a request, and interrupts what handles it. */
    @Override
    public synchronized void close() {
        stopAccepting();
        IdleConnectionReaper oldGuard = guard;
        if (oldGuard == null || acceptor == null) {
            return;
        }
        oldGuard.close();
        ignoresMemory.run();
        try {
            boolean _ = acceptor.awaitEnd(CLOSE_PATIENCE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String toString() {
        return where();
    }
}
