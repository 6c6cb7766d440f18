package dev.penstock.http;

import io.helidon.common.buffers.BufferData;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.spi.ServerConnection;
import io.helidon.webserver.spi.ServerConnectionSelector;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Knows the connections of a source and cuts those that are overdue, with one thread that looks at all of them now and
 * then. There are never more than the source's bound on connections. Safe for many threads.
 */
final class Guard implements ServerConnectionSelector, AutoCloseable {
    private final ServerConnectionSelector server;
    private final SourceLimits limits;
    private final Set<GuardedConnection> connections = ConcurrentHashMap.newKeySet();
    private final ScheduledThreadPoolExecutor watch = new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("penstock-http-guard").factory());
    private volatile boolean refusing;
    private volatile boolean closed;

    Guard(ServerConnectionSelector server, SourceLimits limits) {
        this.server = server;
        this.limits = limits;
    }

    void start() {
        long shortest = Math.min(
                limits.headerTime().toMillis(),
                Math.min(limits.bodyTime().toMillis(), limits.idleTime().toMillis()));
        long period = Math.clamp(shortest / 10, 10, 500);
        Future<?> _ = watch.scheduleWithFixedDelay(this::sweep, period, period, TimeUnit.MILLISECONDS);
    }

    private void sweep() {
        long now = System.nanoTime();
        for (GuardedConnection connection : connections) {
            connection.cutIfOverdue(now);
        }
    }

    /** Watches a connection from now on; false when it is too late for it. */
    boolean add(GuardedConnection connection) {
        connections.add(connection);
        return !closed;
    }

    void remove(GuardedConnection connection) {
        connections.remove(connection);
    }

    int size() {
        return connections.size();
    }

    /** Lets no further connection in. */
    void refuse() {
        refusing = true;
    }

    /** Ends every connection, whatever it is doing. */
    @Override
    public void close() {
        refuse();
        closed = true;
        for (GuardedConnection connection : connections) {
            connection.close(true);
        }
        watch.shutdownNow();
    }

    @Override
    public ServerConnection connection(ConnectionContext context) {
        if (refusing) {
            throw new CloseConnectionException("no longer accepting");
        }
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
