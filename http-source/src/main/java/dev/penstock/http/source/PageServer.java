package dev.penstock.http.source;

import io.helidon.http.HeaderValues;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * Serves pages of this process, such as the admin pages, over HTTP/1.1 and HTTP/1.0. Flows are served by {@link HttpSource}.
 * Thread-safe.
 *
 * <p>Slow clients cannot block others: the time limit is 10 s for a request head, 30 s for body and answer together, and 1 min
 * for an idle connection. With more than 64 clients, a slow or idle connection is closed, else the oldest answer.
 */
public final class PageServer implements AutoCloseable {
    private static final int MAX_CONNECTIONS = 64;
    private static final HttpSource.Limits LIMITS = new HttpSource.Limits(
            16 << 10, Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofMinutes(1), MAX_CONNECTIONS);

    private final Handler pages;
    private final IdleConnectionReaper reaper;
    private final Acceptor acceptor;

    PageServer(InetSocketAddress address, int maxBody, Handler pages, HttpSource.Limits limits) {
        this.pages = pages;
        this.reaper = new IdleConnectionReaper("pages at " + address.getHostString(), Servers.selector(limits), limits);
        this.acceptor = Servers.acceptor(address, limits, maxBody, reaper, this::handle);
    }

    /**
     * Creates a server that does not listen yet.
     *
     * @param address where to listen; port 0 for any free port
     * @param maxBody maximum size of a request body in bytes, at least 0
     * @param pages handles each request; must be thread-safe
     */
    public static PageServer at(InetSocketAddress address, int maxBody, Handler pages) {
        return new PageServer(address, maxBody, pages, LIMITS);
    }

    /**
     * Starts listening. May be called once.
     *
     * @throws IOException if the address cannot be bound, mostly because it is already in use
     */
    public void start() throws IOException {
        try {
            acceptor.start();
        } catch (IOException e) {
            reaper.close();
            throw e;
        }
        reaper.start();
    }

    /** Returns the port it listens on, once started. */
    public int port() {
        return acceptor.port();
    }

    int connections() {
        return reaper.size();
    }

    /**
     * Restarts the time limit of the answer that the calling thread is writing. For endless answers, such as event streams:
     * call it before each part.
     */
    public static void renewTime() {
        TimedConnection.CURRENT.get().renewAnswerTime();
    }

    /** Whether the client of the current request can receive an answer of unknown length; false for HTTP/1.0. */
    public static boolean canStream() {
        return !TimedConnection.CURRENT.get().isHttp10();
    }

    /** Sends an answer; for HEAD without the content. */
    public static void send(ServerRequest request, ServerResponse response, String content) {
        if (isHead(request)) {
            response.send();
        } else {
            response.send(content);
        }
    }

    private static boolean isHead(ServerRequest request) {
        return "HEAD".equals(request.prologue().method().text());
    }

    private void handle(ServerRequest request, ServerResponse response) throws Exception {
        TimedConnection connection = TimedConnection.CURRENT.get();
        connection.answer();
        if (isHead(request)) {
            connection.omitLength();
        }
        if (connection.isHttp10()) {
            // Helidon overrides it if the connection will be closed.
            response.header(HeaderValues.CONNECTION_KEEP_ALIVE);
        }
        pages.handle(request, response);
        if (request.content().hasEntity() && !request.content().consumed()) {
            request.content().consume();
        }
        if (response.isSent() && request.headers().containsToken(HeaderValues.CONNECTION_CLOSE)) {
            // Helidon would go on reading requests.
            throw new CloseConnectionException("the last answer on this connection was sent");
        }
        connection.idle();
    }

    /** Stops listening and closes all connections, even during an answer. Idempotent. */
    @Override
    public void close() {
        acceptor.stop();
        reaper.close();
        acceptor.close();
    }
}
