package dev.penstock.http;

import io.helidon.http.HeaderValues;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * Serves pages of this process itself, such as those for its operator, over HTTP/1.1 and HTTP/1.0. Requests for flows go to
 * an {@link HttpSource}. Safe for many threads.
 *
 * <p>No client can keep others from being served: a head may take 10 s, body and answer together 30 s, and a connection may
 * be idle for 1 min. When more than 64 clients are connected, one that is slow or idle is closed, then the oldest answer.
 */
public final class PageServer implements AutoCloseable {
    private static final int MOST_CONNECTIONS = 64;
    private static final SourceLimits LIMITS = new SourceLimits(
            16 << 10, Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofMinutes(1), MOST_CONNECTIONS);

    private final Handler pages;
    private final IdleConnectionReaper reaper;
    private final Acceptor acceptor;

    PageServer(InetSocketAddress address, int maxBody, Handler pages, SourceLimits limits) {
        this.pages = pages;
        this.reaper = new IdleConnectionReaper("pages at " + address.getHostString(), Servers.selector(limits), limits);
        this.acceptor = Servers.acceptor(address, limits, maxBody, reaper, this::handle);
    }

    /**
     * A server that does not listen yet.
     *
     * @param address where to listen; port 0 for any that is free
     * @param maxBody bytes that the body of a request may have, at least 0
     * @param pages answers each request; must be safe for many threads
     */
    public static PageServer at(InetSocketAddress address, int maxBody, Handler pages) {
        return new PageServer(address, maxBody, pages, LIMITS);
    }

    /**
     * Begins to listen. Once only.
     *
     * @throws IOException when it cannot; the address is in use, mostly
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

    /** The port that it listens on, once started. */
    public int port() {
        return acceptor.port();
    }

    int connections() {
        return reaper.size();
    }

    /**
     * Gives the answer that the calling thread writes its full time again, counted from now. For an answer that has no end:
     * to be called before each part of it.
     */
    public static void renewTime() {
        TimedConnection.CURRENT.get().goOnAnswering();
    }

    /** Whether the client whose request the calling thread handles can read an answer of unknown length: not by HTTP/1.0. */
    public static boolean canStream() {
        return !TimedConnection.CURRENT.get().isHttp10();
    }

    private void handle(ServerRequest request, ServerResponse response) throws Exception {
        TimedConnection connection = TimedConnection.CURRENT.get();
        connection.answer();
        if (connection.isHttp10()) {
            // The server underneath overrides it where the connection ends.
            response.header(HeaderValues.CONNECTION_KEEP_ALIVE);
        }
        pages.handle(request, response);
        if (request.content().hasEntity() && !request.content().consumed()) {
            request.content().consume();
        }
        if (response.isSent() && request.headers().containsToken(HeaderValues.CONNECTION_CLOSE)) {
            // The server underneath would go on reading requests.
            throw new CloseConnectionException("answered for the last time");
        }
        connection.idle();
    }

    /** Stops to listen and ends every connection, also in the middle of an answer. Does nothing the second time. */
    @Override
    public void close() {
        acceptor.stop();
        reaper.close();
        acceptor.close();
    }
}
