package dev.penstock.http.source;

import dev.penstock.http.tls.TlsMaterial;
import dev.penstock.memory.MemoryBudget;
import dev.penstock.supervise.Part;
import dev.penstock.supervise.Supervisor;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.eclipse.jetty.http.HttpCompliance;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.MetaData;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.http2.server.HTTP2CServerConnectionFactory;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.ProxyConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.VirtualThreadPool;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves HTTP/1.0, HTTP/1.1, and HTTP/2 with prior knowledge or over TLS, on one port. The threads that read connections also decide about
 * requests and read bodies, without blocking; only an admitted request with its complete body gets a virtual thread.
 * Thread-safe.
 */
final class RequestServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HttpSource.class);

    /** One accepts, some wait for bytes; nothing that runs on the others blocks. */
    private static final int MAX_THREADS = 200;

    private static final int BACKLOG = 1024;
    private static final int MAX_HEAD = 16 << 10;
    /** What nearly all heads of answers fit in; Jetty's pool of buffers keeps none above 64 KB. */
    private static final int USUAL_ANSWER_HEAD = 8 << 10;

    private static final int MAX_ANSWER_HEAD = 256 << 10;

    /**
     * Nothing that another server may understand in a second way. A target in absolute form overrides Host. {@link ReceivedHead}
     * validates the host, because Jetty accepts some that are invalid and refuses an empty port.
     */
    private static final HttpCompliance COMPLIANCE = HttpCompliance.STRICT.with(
            "PENSTOCK", HttpCompliance.Violation.MISMATCHED_AUTHORITY, HttpCompliance.Violation.UNSAFE_HOST_HEADER);

    /** {@link Router} has the rules for paths, which depend on the flows. */
    private static final UriCompliance URIS = UriCompliance.UNSAFE.without(
            "PENSTOCK", UriCompliance.Violation.USER_INFO, UriCompliance.Violation.FRAGMENT);

    volatile HttpSource.Limits limits;
    volatile RequestReceiver receiver;
    private final MemoryBudget memory = MemoryBudget.current();
    private final Server server;
    private final ServerConnector connector;
    private final ClientConnections connections;
    private final @Nullable TlsProtocols secure;
    private final Runnable stopWatchingMemory;

    private final ExecutorService threads = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("penstock-http-request").factory());
    private volatile boolean draining;

    /**
     * Creates a server that does not listen yet.
     *
     * @param tls null for cleartext
     * @param balancers who must begin each connection with the address of their client (PROXY protocol, versions 1 and 2), and
     *     nobody else may connect; null for connections of the clients themselves
     */
    RequestServer(
            InetSocketAddress address,
            String where,
            HttpSource.Limits limits,
            RequestReceiver receiver,
            @Nullable TlsMaterial tls,
            @Nullable TrustedProxies balancers) {
        this.limits = limits;
        this.receiver = receiver;
        VirtualThreadPool pool = new VirtualThreadPool(MAX_THREADS); // platform threads cost two switches per request
        pool.setName("penstock-http");
        this.server = new Server(pool);
        HttpConfiguration http = configuration();
        TlsProtocols secure = tls == null ? null : new TlsProtocols(tls);
        this.secure = secure;
        List<ConnectionFactory> protocols = new ArrayList<>(
                secure == null
                        ? List.of(new HttpConnectionFactory(http), Http2Bounds.set(new PriorKnowledge(http)))
                        : secure.of(http));
        if (balancers != null) {
            protocols.addFirst(new BalancedClients(protocols.getFirst().getProtocol()));
        }
        this.connector = new RetryingConnector(server, where, protocols);
        connector.setHost(address.getAddress().getHostAddress());
        connector.setPort(address.getPort());
        connector.setAcceptQueueSize(BACKLOG);
        connector.setIdleTimeout(0); // ClientConnections limits all times
        this.connections = new ClientConnections(where, connector, limits, balancers);
        if (secure != null) {
            connections.everySecond(() -> execute(secure::reload)); // it reads files
        }
        this.stopWatchingMemory = memory.whenScarce(connections::closeSlow);
        server.addConnector(connector);
        server.setHandler(new Requests());
        server.setErrorHandler(ProblemDetails::refuse);
    }

    /** Retries soon, and reports the failure, if accepting fails: mostly because the process has no file descriptor left. */
    private static final class RetryingConnector extends ServerConnector {
        private static final Duration PAUSE = Duration.ofMillis(50);

        private static final Duration STOP_TIMEOUT = Duration.ofSeconds(1);

        private final Part part;
        /** Held while a thread accepts. */
        private final Semaphore accepting = new Semaphore(1);

        RetryingConnector(Server server, String where, List<ConnectionFactory> protocols) {
            super(server, 1, -1, protocols.toArray(ConnectionFactory[]::new));
            this.part = Supervisor.current().part("http-acceptor", where);
        }

        @Override
        protected boolean handleAcceptFailure(Throwable failure) {
            boolean goesOn = isRunning() && isOpen();
            if (goesOn) {
                part.failed("accepting is retried after " + PAUSE.toMillis() + " ms", failure);
                LockSupport.parkNanos(PAUSE.toNanos());
            }
            return goesOn;
        }

        @Override
        public void accept(int acceptor) throws IOException {
            accepting.acquireUninterruptibly();
            try {
                super.accept(acceptor);
            } finally {
                accepting.release();
            }
        }

        /** Stops accepting. The system frees the port once the thread has left accept(), so waits for that, at most 1 s. */
        @Override
        public void close() {
            part.close();
            setAccepting(false);
            super.close();
            try {
                if (accepting.tryAcquire(STOP_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
                    accepting.release();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static HttpConfiguration configuration() {
        HttpConfiguration http = new HttpConfiguration();
        http.setRequestHeaderSize(MAX_HEAD);
        http.setResponseHeaderSize(USUAL_ANSWER_HEAD);
        http.setMaxResponseHeaderSize(MAX_ANSWER_HEAD);
        http.setHttpCompliance(COMPLIANCE);
        http.setUriCompliance(URIS);
        http.setHeaderCacheSize(0); // it takes 94 KB of each connection
        http.setSendServerVersion(false);
        return http;
    }

    /** HTTP/2 for clients that begin with its preface. {@code Upgrade: h2c} is ignored: proxies do not expect it. */
    private static final class PriorKnowledge extends HTTP2CServerConnectionFactory {
        PriorKnowledge(HttpConfiguration http) {
            super(http);
        }

        @Override
        public @Nullable Connection upgradeConnection(
                Connector connector, EndPoint endPoint, MetaData.Request request, HttpFields.Mutable answer) {
            return HttpMethod.PRI.is(request.getMethod())
                    ? super.upgradeConnection(connector, endPoint, request, answer)
                    : null;
        }
    }

    /** The PROXY protocol. A connection without its header would be of a client that the balancer does not name. */
    private static final class BalancedClients extends ProxyConnectionFactory {
        BalancedClients(String next) {
            super(next);
        }

        @Override
        protected void nextProtocol(Connector connector, EndPoint endPoint, ByteBuffer unknown) {
            endPoint.close();
        }
    }

    private final class Requests extends Handler.Abstract.NonBlocking {
        @Override
        public boolean handle(Request request, Response response, Callback callback) {
            ClientConnection connection = connections.of(request);
            if (connection == null) {
                callback.failed(new AbortException("the connection was closed"));
                return true;
            }
            ServedRequest served =
                    new ServedRequest(RequestServer.this, connection, request, response, callback, memory.lease());
            if (!connection.begin(served)) {
                connections.cutSlowFurther();
                callback.failed(new AbortException("the connection was closed, or has too many requests"));
                return true;
            }
            try {
                served.begin();
            } catch (Throwable failure) { // nothing else reports it
                LOG.warn("a request cannot be served; its connection is closed", failure);
                served.finish(failure);
            }
            return true;
        }
    }

    /**
     * Starts listening. May be called once.
     *
     * @throws BindException the address cannot be bound
     */
    void start() throws IOException {
        try {
            server.start();
        } catch (Exception e) {
            close();
            throw e.getCause() instanceof BindException cause
                    ? cause
                    : e instanceof IOException io ? io : new IOException(e);
        }
        connections.start();
    }

    /**
     * Serves otherwise from the next request on.
     *
     * @param tls for new connections; null for cleartext, or to go on with the certificates of before
     */
    void serve(HttpSource.Limits limits, RequestReceiver receiver, @Nullable TlsMaterial tls) {
        this.limits = limits;
        this.receiver = receiver;
        connections.limit(limits);
        if (secure != null && tls != null) {
            secure.use(tls);
        }
    }

    /** Runs a task on a virtual thread. */
    void execute(Runnable task) {
        threads.execute(task);
    }

    boolean isDraining() {
        return draining;
    }

    /** The port it listens on, once started. */
    int port() {
        return connector.getLocalPort();
    }

    ClientConnections connections() {
        return connections;
    }

    /** Frees the port. Each open connection gets one more answer, its last one. Idempotent. */
    void stopAccepting() {
        draining = true;
        connector.close();
    }

    /** Closes all connections, even during a request, and interrupts the threads of requests. Waits so long for them. */
    void close(Duration wait) {
        stopAccepting();
        stopWatchingMemory.run();
        connections.close();
        threads.shutdownNow();
        try {
            server.stop();
            boolean _ = threads.awaitTermination(wait.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception e) {
            throw new IllegalStateException("the server cannot be stopped", e);
        }
    }

    @Override
    public void close() {
        close(Duration.ZERO);
    }
}
