package dev.penstock.http;

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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes connections of a source that are overdue, with one thread that looks at all of them now and then; one connection for
 * each that comes while as many are open as may be; and those of slow clients when memory is scarce. Safe for many threads.
 */
final class IdleConnectionReaper implements ServerConnectionSelector, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HttpSource.class);
    /** Who is slow is looked for this often at most: 100 ms. */
    private static final long CUT_PAUSE = 100_000_000;

    private final ServerConnectionSelector server;
    private final SourceLimits limits;
    private final String where;
    private final Set<TimedConnection> connections = ConcurrentHashMap.newKeySet();
    /** How many connections each client has. */
    private final Map<InetAddress, Integer> ofClient = new ConcurrentHashMap<>();

    private final AtomicLong lastCut = new AtomicLong(System.nanoTime() - CUT_PAUSE);
    private final ScheduledThreadPoolExecutor watch = new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("penstock-http-reaper").factory());
    private final Part part;
    private volatile boolean closed;

    /**
     * A reaper that does nothing yet.
     *
     * @param where the address of the server, for the log
     * @param server lets a few more clients in than may be connected: for each of these another connection is closed
     */
    IdleConnectionReaper(String where, ServerConnectionSelector server, SourceLimits limits) {
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
        Future<?> _ = watch.scheduleWithFixedDelay(part.periodic(this::sweep), period, period, TimeUnit.MILLISECONDS);
    }

    private void sweep() {
        long now = System.nanoTime();
        for (TimedConnection connection : connections) {
            try {
                connection.cutIfOverdue(now);
            } catch (Throwable failure) { // or those after it would never be cut
                part.failed("the other connections are checked, and this one again", failure);
            }
        }
    }

    /** Watches a connection from now on; false when it is too late for it. */
    boolean add(TimedConnection connection) {
        ofClient.merge(connection.client(), 1, Integer::sum);
        connections.add(connection);
        if (connections.size() > limits.maxConnections()) {
            cutForRoom(connection);
        }
        return !closed;
    }

    void remove(TimedConnection connection) {
        if (connections.remove(connection)) {
            ofClient.computeIfPresent(connection.client(), (client, count) -> count == 1 ? null : count - 1);
        }
    }

    /**
     * Closes the connection that is missed least, of the client that has more than half of all if there is one: so a client
     * that opens many only closes its own. None is closed while all are used.
     */
    private void cutForRoom(TimedConnection newest) {
        long now = System.nanoTime();
        TimedConnection least = null;
        for (TimedConnection connection : connections) {
            if (connection != newest
                    && connection.phase().missed(now) < ConnectionPhase.MUST_STAY
                    && (least == null || isMissedLess(connection, least, now))) {
                least = connection;
            }
        }
        if (least != null) {
            least.cut();
        }
    }

    private boolean isMissedLess(TimedConnection one, TimedConnection other, long now) {
        boolean greedy = hasMost(one);
        if (greedy != hasMost(other)) {
            return greedy;
        }
        int difference = Integer.compare(one.phase().missed(now), other.phase().missed(now));
        return difference == 0 ? one.phase().since() - other.phase().since() < 0 : difference < 0;
    }

    private boolean hasMost(TimedConnection connection) {
        return ofClient.getOrDefault(connection.client(), 0) > limits.maxConnections() / 2;
    }

    /** Closes the connections of all clients that send a body, or read an answer, too slowly while others lack memory. */
    void cutSlow() {
        long now = System.nanoTime();
        long last = lastCut.get();
        if (now - last < CUT_PAUSE || !lastCut.compareAndSet(last, now)) {
            return;
        }
        int cut = 0;
        for (TimedConnection connection : connections) {
            if (connection.phase().holdsBody() && connection.phase().isSlow(now) && connection.cut()) {
                cut++;
            }
        }
        if (cut > 0) {
            LOG.warn(
                    "{}: the memory budget is spent: closed {} connections whose clients sent or read less than {} KB a second; raise memory or -Xmx if they are not to blame",
                    where,
                    cut,
                    ConnectionPhase.LEAST_RATE >> 10);
        }
    }

    /** How long a client may take for a head, or be idle, now. */
    Duration shrunk(Duration time) {
        return shrunk(time, connections.size(), limits.maxConnections());
    }

    /** Less from when half of the connections are taken, down to a tenth. */
    static Duration shrunk(Duration time, int taken, int most) {
        long tenths = Math.clamp(20L * (most - taken) / most, 1, 10);
        return tenths == 10 ? time : time.multipliedBy(tenths).dividedBy(10);
    }

    int size() {
        return connections.size();
    }

    /** Ends every connection, whatever it is doing. */
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
