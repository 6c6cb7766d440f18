package dev.penstock.http.source;

import dev.penstock.rate.CellRate;
import dev.penstock.supervise.Part;
import dev.penstock.supervise.Supervisor;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.ServerConnector;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The client connections of a server. Closes overdue ones, checked periodically by one thread; one for each new connection at
 * the maximum number; and those of slow clients when memory is scarce. Thread-safe.
 */
final class ClientConnections implements Connection.Listener, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HttpSource.class);
    /** Checks for slow clients per second. */
    private static final double CHECKS = 10;
    /** Per second: one a minute. */
    private static final double WARNINGS = 1.0 / 60;
    /** A longer time between two sweeps, which follow each other within 500 ms, means that this process did not run: 2 s. */
    private static final long SUSPENDED = 2_000_000_000;
    /** Connections accepted beyond the maximum, until others have been closed. Further ones wait in the backlog. */
    static final int SPARE = 32;

    private volatile HttpSource.Limits limits;
    private final String where;
    private final ServerConnector connector;
    private final @Nullable TrustedProxies balancers;
    /**
     * The requests of HTTP/2 connections beyond the first one of each. Together they are as many as connections, so that streams
     * without bodies or with unread answers use no more memory than connections.
     */
    private final Semaphore further;

    private final Map<EndPoint, ClientConnection> connections = new ConcurrentHashMap<>();
    /** The number of connections of each client. */
    private final Map<InetAddress, Integer> countByClient = new ConcurrentHashMap<>();

    private final CellRate checks = new CellRate(System.nanoTime());
    private final CellRate warnings = new CellRate(System.nanoTime());
    private final ScheduledThreadPoolExecutor watch = new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("penstock-http-sweep").factory());
    private final Part part;
    /** Used by the thread of the watch only, once started. */
    private long lastSweep;

    private volatile boolean closed;

    /**
     * Watches a connector that is not started yet.
     *
     * @param where the address of the server, for the log
     * @param balancers who may connect; null for everybody
     */
    ClientConnections(
            String where, ServerConnector connector, HttpSource.Limits limits, @Nullable TrustedProxies balancers) {
        this.part = Supervisor.current().part("http-connections", where);
        this.where = where;
        this.connector = connector;
        this.limits = limits;
        this.balancers = balancers;
        this.further = new Semaphore(Math.max(limits.maxConnections(), 4 * Http2Bounds.MAX_STREAMS));
        connector.addEventListener(this);
    }

    void start() {
        long shortest = Math.min(
                limits.headerTime().toMillis(),
                Math.min(limits.bodyTime().toMillis(), limits.idleTime().toMillis()));
        long period = Math.clamp(shortest / 10, 10, 500);
        lastSweep = System.nanoTime();
        Future<?> _ = watch.scheduleWithFixedDelay(part.periodic(this::sweep), period, period, TimeUnit.MILLISECONDS);
    }

    /** Sets the limits of new connections. */
    void limit(HttpSource.Limits now) {
        limits = now;
    }

    /** Calls a task once a second; it must not block. */
    void everySecond(Runnable task) {
        Future<?> _ = watch.scheduleWithFixedDelay(part.periodic(task), 1, 1, TimeUnit.SECONDS);
    }

    private void sweep() {
        long now = System.nanoTime();
        boolean wasSuspended = now - lastSweep > SUSPENDED;
        lastSweep = now;
        if (wasSuspended) {
            return; // what clients sent meanwhile is read first
        }
        for (ClientConnection connection : connections.values()) {
            try {
                connection.check(now, this);
            } catch (Throwable failure) { // otherwise the connections after it would never be checked
                part.failed("the other connections are still checked, and this one again", failure);
            }
        }
    }

    private static EndPoint network(Connection connection) {
        EndPoint endPoint = connection.getEndPoint();
        while (endPoint instanceof EndPoint.Wrapper wrapper) {
            endPoint = wrapper.unwrap();
        }
        return endPoint;
    }

    @Override
    public void onOpened(Connection opened) {
        EndPoint network = network(opened);
        ClientConnection known = connections.get(network);
        if (known != null) {
            forget(known.client());
            known.upgraded(opened);
            countByClient.merge(known.client(), 1, Integer::sum);
            return;
        }
        ClientConnection connection = new ClientConnection(network, opened, limits, further);
        countByClient.merge(connection.client(), 1, Integer::sum);
        int count = add(network, connection);
        if (closed || (balancers != null && !balancers.isTrusted(connection.client()))) {
            connection.close();
        } else if (count > limits.maxConnections()) {
            warnFull();
            evictOne(connection);
            acceptIfRoom();
        }
    }

    /** One at a time: of two that come at once, only the one beyond the maximum counts as too many. */
    private synchronized int add(EndPoint network, ClientConnection connection) {
        connections.put(network, connection);
        return connections.size();
    }

    private void warnFull() {
        if (warnings.take(WARNINGS, 1, System.nanoTime()) == 0) {
            LOG.warn(
                    "{}: all {} connections of clients are open: for each new one a slow or idle one is closed; raise"
                            + " max_connections, or -Xmx, if these clients are wanted (logged once a minute)",
                    where,
                    limits.maxConnections());
        }
    }

    @Override
    public void onClosed(Connection ended) {
        EndPoint network = network(ended);
        ClientConnection connection = network.isOpen() ? null : connections.remove(network);
        if (connection != null) {
            forget(connection.client());
            acceptIfRoom();
        }
    }

    private void forget(InetAddress address) {
        countByClient.computeIfPresent(address, (client, count) -> count == 1 ? null : count - 1);
    }

    private void acceptIfRoom() {
        boolean room = connections.size() < limits.maxConnections() + SPARE;
        if (room != connector.isAccepting() && connector.isOpen()) {
            connector.setAccepting(room);
        }
    }

    /** The connection of a request; null if it is closed already. */
    @Nullable
    ClientConnection of(Request request) {
        return connections.get(network(request.getConnectionMetaData().getConnection()));
    }

    /**
     * Closes the connection with the lowest eviction cost, preferably of a client that has more than half of all connections:
     * so a client that opens many connections mostly loses its own. No connection is closed while all are busy.
     */
    private void evictOne(ClientConnection newest) {
        long now = System.nanoTime();
        ClientConnection cheapest = cheapest(newest, now);
        while (cheapest != null && !cheapest.evict(now)) {
            // A transaction of it has just begun.
            cheapest = cheapest(newest, now);
        }
    }

    private @Nullable ClientConnection cheapest(ClientConnection newest, long now) {
        ClientConnection cheapest = null;
        int least = RequestPhase.NOT_EVICTABLE;
        for (ClientConnection connection : connections.values()) {
            int cost = connection.evictionCost(now);
            if (connection != newest
                    && cost < RequestPhase.NOT_EVICTABLE
                    && (cheapest == null || isCheaper(connection, cost, cheapest, least))) {
                cheapest = connection;
                least = cost;
            }
        }
        return cheapest;
    }

    private boolean isCheaper(ClientConnection one, int cost, ClientConnection other, int least) {
        boolean greedy = hasMajority(one);
        if (greedy != hasMajority(other)) {
            return greedy;
        }
        return cost == least ? one.since() - other.since() < 0 : cost < least;
    }

    private boolean hasMajority(ClientConnection connection) {
        return countByClient.getOrDefault(connection.client(), 0) > limits.maxConnections() / 2;
    }

    /** Ends requests of clients that send a body, or read an answer, too slowly; called when memory is scarce. */
    void closeSlow() {
        int count = cutSlow(_ -> true);
        if (count > 0) {
            LOG.warn(
                    "{}: the memory budget is exhausted: closed {} connections of clients that sent or read less than {} KB/s;"
                            + " raise memory or -Xmx if these clients are not the cause",
                    where,
                    count,
                    RequestPhase.MIN_RATE >> 10);
        }
    }

    /** Does the same for clients with several requests, because these are too many. */
    void cutSlowFurther() {
        int _ = cutSlow(ClientConnection::hasSeveral);
    }

    private int cutSlow(Predicate<ClientConnection> which) {
        long now = System.nanoTime();
        if (checks.take(CHECKS, 1, now) > 0) {
            return 0;
        }
        return connections.values().stream()
                .filter(which)
                .mapToInt(connection -> connection.cutSlow(now))
                .sum();
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

    boolean isAnswering() {
        return connections.values().stream().anyMatch(ClientConnection::isAnswering);
    }

    /** Closes all connections, in any phase. */
    @Override
    public void close() {
        closed = true;
        connections.values().forEach(ClientConnection::close);
        watch.shutdownNow();
        part.close();
    }
}
