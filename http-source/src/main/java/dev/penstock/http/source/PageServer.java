package dev.penstock.http.source;

import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.header.Headers;
import dev.penstock.http.tls.TlsMaterial;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves pages of this process, such as the admin pages, over HTTP. Flows are served by {@link HttpSource}. Thread-safe.
 *
 * <p>Slow clients cannot block others: the time limit is 10 s for a request head, 30 s each for body and answer, and 1 min for
 * an idle connection. With more than 64 clients, a slow or idle connection is closed, else the oldest answer.
 */
public final class PageServer implements AutoCloseable {
    /** Answers requests; thread-safe. */
    @FunctionalInterface
    public interface Pages {
        /**
         * Answers a request on a thread of its own. The content of an answer to HEAD is not sent.
         *
         * @return null if it was answered by {@link PageClient#stream}
         * @throws BadInput the request is refused
         */
        @Nullable
        HttpAnswer answer(HttpCall request, PageClient client) throws Exception;
    }

    /** The client of a request. */
    public interface PageClient {
        /** Its end of the connection. */
        RequestGate.Peer peer();

        /** Whether it can receive an answer of unknown length; false for HTTP/1.0. */
        boolean canStream();

        /**
         * Begins an answer of unknown length with status 200, such as a stream of events. Each write starts the time limit of the
         * answer again and reaches the client at once. Closing it ends the answer.
         */
        OutputStream stream(Headers headers) throws IOException;
    }

    private static final Logger LOG = LoggerFactory.getLogger(PageServer.class);
    private static final HttpSource.Limits LIMITS =
            new HttpSource.Limits(Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofMinutes(1), 64);

    private final RequestServer server;

    PageServer(
            InetSocketAddress address, int maxBody, Pages pages, HttpSource.Limits limits, @Nullable TlsMaterial tls) {
        String where = "pages at " + address.getHostString();
        this.server = new RequestServer(address, where, limits, new Receiver(maxBody, pages), tls, null);
    }

    /**
     * Creates a server that does not listen yet.
     *
     * @param address where to listen; port 0 for any free port
     * @param maxBody maximum size of a request body in bytes, at least 0
     * @param pages answers each request
     * @param tls the certificates for HTTPS; null for cleartext
     */
    public static PageServer at(InetSocketAddress address, int maxBody, Pages pages, @Nullable TlsMaterial tls) {
        return new PageServer(address, maxBody, pages, LIMITS, tls);
    }

    /**
     * Starts listening. May be called once.
     *
     * @throws IOException if the address cannot be bound, mostly because it is already in use
     */
    public void start() throws IOException {
        server.start();
    }

    /** Returns the port it listens on, once started. */
    public int port() {
        return server.port();
    }

    int connections() {
        return server.connections().size();
    }

    /** Stops listening and closes all connections, even during an answer. Idempotent. */
    @Override
    public void close() {
        server.close();
    }

    private record Receiver(int maxBody, Pages pages) implements RequestReceiver {
        @Override
        public Accepted admit(ReceivedHead head, RequestGate.Peer peer) {
            return new Accepted(
                    maxBody,
                    null,
                    (body, memory, client) -> pages.answer(head.call(head.path(), head.headers(), body), client));
        }

        @Override
        public HttpAnswer instead(@Nullable String flow, Throwable why) {
            if (why instanceof BadInput refusal) {
                return refusal.answer();
            }
            LOG.warn("a page cannot be answered", why);
            return ProblemDetails.ofStatus(500);
        }
    }
}
