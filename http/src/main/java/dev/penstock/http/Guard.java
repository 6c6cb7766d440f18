package dev.penstock.http;

import dev.penstock.supervise.Part;
import dev.penstock.supervise.Supervisor;
import io.helidon.common.buffers.BufferData;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.spi.ServerConnection;
import io.helidon.webserver.spi.ServerConnectionSelector;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Knows the connections of a source and cuts those that are overdue, with one thread that looks at all of them now and
 * then. There are never more than the source's bound on connections. Safe for many threads.
 */
final class Guard implements ServerConnectionSelector, AutoCloseable {
    private static final long ACCEPTOR_MOMENT = 20_000_000;

    private final ServerConnectionSelector server;
    private final SourceLimits limits;
    private final boolean evicts;
    private final Set<GuardedConnection> connections = ConcurrentHashMap.newKeySet();
    private final ScheduledThreadPoolExecutor watch = new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("penstock-http-guard").factory());
    private final AtomicBoolean waited = new AtomicBoolean();
    private final Part part;
    private volatile boolean stopping;
    private volatile boolean closed;

    /**
     * For a server that lets no further client in while as many are connected as may be.
     *
     * @param where the address of the server, for the log
     */
    Guard(String where, ServerConnectionSelector server, SourceLimits limits) {
        this(where, server, limits, false);
    }

    private Guard(String where, ServerConnectionSelector server, SourceLimits limits, boolean evicts) {
        this.part = Supervisor.current().part("http-connection-reaper", where);
        this.server = server;
        this.limits = limits;
        this.evicts = evicts;
    }

    /**
     * For a server that lets more clients in than may be connected: for each of these the connection is cut whose phase
     * ends soonest. Those that were begun and left are cut first, so they cannot keep others out.
     */
    static Guard evicting(String where, ServerConnectionSelector server, SourceLimits limits) {
        return new Guard(where, server, limits, true);
    }

    void start() {
        long shortest = Math.min(
                limits.headerTime().toMillis(),
                Math.min(limits.bodyTime().toMillis(), limits.idleTime().toMillis()));
        long period = Math.clamp(shortest / 10, 10, 500);
        Future<?> _ = watch.scheduleWithFixedDelay(part.periodic(this::sweep), period, period, TimeUnit.MILLISECONDS);
    }

    private void sweep() {
        long now = System.nanoTime();
        for (GuardedConnection connection : connections) {
            try {
                connection.cutIfOverdue(now);
            } catch (Throwable failure) { // or those after it would never be cut
                part.failed("the other connections are checked, and this one again", failure);
            }
        }
    }

    /** Watches a connection from now on; false when it is too late for it. */
    boolean add(GuardedConnection connection) {
        connections.add(connection);
        if (evicts && connections.size() > limits.maxConnections()) {
            cutSoonest(connection);
        }
        return !closed;
    }

    private void cutSoonest(GuardedConnection newest) {
        GuardedConnection soonest = null;
        long now = System.nanoTime();
        for (GuardedConnection connection : connections) {
            if (connection != newest
                    && !connection.isCut()
                    && (soonest == null || connection.timeLeft(now) < soonest.timeLeft(now))) {
                soonest = connection;
            }
        }
        if (soonest != null) {
            soonest.cut();
        }
    }

    void remove(GuardedConnection connection) {
        connections.remove(connection);
    }

    int size() {
        return connections.size();
    }

    /** Says that the server is about to be stopped; what it has accepted by then is still served. */
    void stopping() {
        stopping = true;
    }

    /**
     * Gives the server's acceptor a moment to hand over what it has accepted: it is about to be refused threads, and
     * would log a stack trace for each.
     */
    void letAcceptorFinish() {
        if (stopping && waited.compareAndSet(false, true)) {
            LockSupport.parkNanos(ACCEPTOR_MOMENT);
        }
    }

    /** Ends every connection, whatever it is doing. */
    @Override
    public void close() {
        closed = true;
        for (GuardedConnection connection : connections) {
            connection.close(true);
        }
        watch.shutdownNow();
        part.close();
    }

    @Override
    public ServerConnection connection(ConnectionContext context) {
        return new GuardedConnection(context, this, limits, server);
    }

    @Override
    public int bytesToIdentifyConnection() {
        return server.bytesToIdentifyConnection();
    }

    @Override
    public Support supports(BufferData data) {
        return server.supports(data);
    }

    @Override
    public Set<String> supportedApplicationProtocols() {
        return server.supportedApplicationProtocols();
    }
}
