package dev.penstock.http.source;

import dev.penstock.supervise.Part;
import dev.penstock.supervise.Supervisor;
import io.helidon.common.buffers.BufferData;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.spi.ServerConnection;
import io.helidon.webserver.spi.ServerConnectionSelector;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes connections of a source: overdue ones, checked periodically by one thread; one for each new connection at the maximum
 * number of connections; and those of slow clients when memory is scarce. Thread-safe.
 */
final class IdleConnectionReaper implements ServerConnectionSelector, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HttpSource.class);
    /** Minimum interval between two checks for slow clients: 100 ms. */
    private static final long CLOSE_SLOW_INTERVAL = 100_000_000;

    private final ServerConnectionSelector server;
    private final HttpSource.Limits limits;
    private final String where;
    private final Set<TimedConnection> connections = ConcurrentHashMap.newKeySet();
    /** The number of connections of each client. */
    private final Map<InetAddress, Integer> countByClient = new ConcurrentHashMap<>();

    /** A longer time between two sweeps, which follow each other within 500 ms, means that this process did not run: 2 s. */
    private static final long SUSPENDED = 2_000_000_000;

    private final AtomicLong lastCloseSlow = new AtomicLong(System.nanoTime() - CLOSE_SLOW_INTERVAL);
    private final ScheduledThreadPoolExecutor watch = new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("penstock-http-reaper").factory());
    private final Part part;
    /** Used by the thread of the watch only, once started. */
    private long lastSweep;

    private volatile boolean closed;

    /**
     * Creates a reaper that is not started yet.
     *
     * @param where the address of the server, for the log
     * @param server handles connections. It accepts a few more than the maximum; for each of these another one is closed
     */
    IdleConnectionReaper(String where, ServerConnectionSelector server, HttpSource.Limits limits) {
        this.part = Supervisor.current().part("http-connection-reaper", where);
        this.server = server;
        this.limits = limits;
        this.where = where;
    }

    void start() {
        long shortest = Math.min(
                limits.headerTime().toMillis(),
                Math.min(limits.bodyTime().toMillis(), limits.idleTime().toMillis()));
        long period = Math.clamp(shortest / 10, 10, 500);
        lastSweep = System.nanoTime();
        Future<?> _ = watch.scheduleWithFixedDelay(part.periodic(this::sweep), period, period, TimeUnit.MILLISECONDS);
    }

    private void sweep() {
        long now = System.nanoTime();
        boolean wasSuspended = now - lastSweep > SUSPENDED;
        lastSweep = now;
        if (wasSuspended) {
            return; // what clients sent meanwhile is read first
        }
        for (TimedConnection connection : connections) {
            try {
                connection.closeIfOverdue(now);
            } catch (Throwable failure) { // otherwise the connections after it would never be checked
                part.failed("the other connections are still checked, and this one again", failure);
            }
        }
    }

    /** Registers a connection; returns false if this is closed. */
    boolean add(TimedConnection connection) {
        countByClient.merge(connection.client(), 1, Integer::sum);
        connections.add(connection);
        if (connections.size() > limits.maxConnections()) {
            evictOne(connection);
        }
        return !closed;
    }

    void remove(TimedConnection connection) {
        if (connections.remove(connection)) {
            countByClient.computeIfPresent(connection.client(), (client, count) -> count == 1 ? null : count - 1);
        }
    }

    /**
     * Closes the connection with the lowest eviction cost, preferably of a client that has more than half of all connections:
     * so a client that opens many connections mostly loses its own. No connection is closed while all are busy.
     */
    private void evictOne(TimedConnection newest) {
        long now = System.nanoTime();
        TimedConnection cheapest = cheapest(newest, now);
        while (cheapest != null && !cheapest.evict(now)) {
            // A transaction of it has just begun.
            cheapest = cheapest(newest, now);
        }
    }

    private @Nullable TimedConnection cheapest(TimedConnection newest, long now) {
        TimedConnection cheapest = null;
        for (TimedConnection connection : connections) {
            if (connection != newest
                    && connection.phase().evictionCost(now) < ConnectionPhase.NOT_EVICTABLE
                    && (cheapest == null || isCheaper(connection, cheapest, now))) {
                cheapest = connection;
            }
        }
        return cheapest;
    }

    private boolean isCheaper(TimedConnection one, TimedConnection other, long now) {
        boolean greedy = hasMajority(one);
        if (greedy != hasMajority(other)) {
            return greedy;
        }
        int difference =
                Integer.compare(one.phase().evictionCost(now), other.phase().evictionCost(now));
        return difference == 0 ? one.phase().since() - other.phase().since() < 0 : difference < 0;
    }

    private boolean hasMajority(TimedConnection connection) {
        return countByClient.getOrDefault(connection.client(), 0) > limits.maxConnections() / 2;
    }

    /** Closes the connections of clients that send a body, or read an answer, too slowly; called when memory is scarce. */
    void closeSlow() {
        long now = System.nanoTime();
        long last = lastCloseSlow.get();
        if (now - last < CLOSE_SLOW_INTERVAL || !lastCloseSlow.compareAndSet(last, now)) {
            return;
        }
        int count = 0;
        for (TimedConnection connection : connections) {
            if (connection.closeIfSlow(now)) {
                count++;
            }
        }
        if (count > 0) {
            LOG.warn(
                    "{}: the memory budget is exhausted: closed {} connections of clients that sent or read less than {} KB/s;"
                            + " raise memory or -Xmx if these clients are not the cause",
                    where,
                    count,
                    ConnectionPhase.MIN_RATE >> 10);
        }
    }

    /** Scales a time limit for heads and idle connections by the current load. */
    Duration scaled(Duration time) {
        return scaled(time, connections.size(), limits.maxConnections());
    }

    /** Reduces the time if more than half of the connections are open, down to a tenth. */
    static Duration scaled(Duration time, int open, int max) {
        long tenths = Math.clamp(20L * (max - open) / max, 1, 10);
        return tenths == 10 ? time : time.multipliedBy(tenths).dividedBy(10);
    }

    int size() {
        return connections.size();
    }

    /** Whether a transaction is in progress, or its answer is being written. */
    boolean isAnswering() {
        return connections.stream().anyMatch(connection -> {
            ConnectionPhase.Phase now = connection.phase().now();
            return now == ConnectionPhase.Phase.FLOW || now == ConnectionPhase.Phase.ANSWER;
        });
    }

    /** Closes all connections, in any phase. */
    @Override
    public void close() {
        closed = true;
        for (TimedConnection connection : connections) {
            connection.close(true);
        }
        watch.shutdownNow();
        part.close();
    }

    @Override
    public ServerConnection connection(ConnectionContext context) {
        return new TimedConnection(context, this, limits, server);
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
