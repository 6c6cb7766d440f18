package dev.penstock.http.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Ticker;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** A pool, and a server on loopback that accepts what it opens and leaves the rest to the test. */
final class PoolScene implements AutoCloseable {
    static final long SECOND = 1_000_000_000L;

    /** The peer wants to keep it for as long as we like. */
    static final long LONG = Long.MAX_VALUE;

    final ConnectionPool pool;
    private final Ticker ticker;
    private final ServerSocket server = new ServerSocket();
    private final BlockingQueue<Socket> accepted = new LinkedBlockingQueue<>();

    /** Those of tests too that dropped theirs: the garbage collector closes a socket to which nothing refers. */
    private final Queue<Socket> seen = new ConcurrentLinkedQueue<>();

    private final Map<Connection, Lease> leases = new ConcurrentHashMap<>();

    PoolScene(ConnectionPool.Limits limits) throws IOException {
        this(limits, null, Ticker.SYSTEM);
    }

    PoolScene(ConnectionPool.Limits limits, @Nullable ConnectionTotal total, Ticker ticker) throws IOException {
        this(limits, total, ticker, null);
    }

    PoolScene(
            ConnectionPool.Limits limits,
            @Nullable ConnectionTotal total,
            Ticker ticker,
            @Nullable Supplier<SSLContext> tls)
            throws IOException {
        this.ticker = ticker;
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 4_000);
        Thread.ofVirtual().start(this::acceptAll);
        pool = new ConnectionPool(
                new Connector("localhost", server.getLocalPort(), null, tls, ticker), limits, total, ticker);
    }

    /** At most so many, idle for a minute. */
    static ConnectionPool.Limits limits(int max) {
        return new ConnectionPool.Limits(max, 60 * SECOND, false, Long.MAX_VALUE);
    }

    /** Where the pool leads. */
    String address() {
        return "localhost:" + server.getLocalPort();
    }

    InetSocketAddress socketAddress() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), server.getLocalPort());
    }

    private void acceptAll() {
        try {
            while (true) {
                Socket next = server.accept();
                accepted.add(next);
                seen.add(next);
            }
        } catch (IOException e) {
            // The test is over.
        }
    }

    /** The other end of the connection that was opened first of those not asked for yet. */
    Socket peer() throws InterruptedException {
        return Objects.requireNonNull(accepted.poll(60, TimeUnit.SECONDS), "nobody connected");
    }

    /** The other end of the connection that was opened last. Those of all others are no longer to be had. */
    Socket newestPeer() throws Exception {
        until(() -> seen.size() == count("opened"));
        Socket newest = peer();
        for (Socket next = accepted.poll(); next != null; next = accepted.poll()) {
            newest = next;
        }
        return newest;
    }

    /** An idle one, or a new one. */
    Connection lease() throws Exception {
        Lease lease = permit();
        return lease.takeIdle(ticker.nanos()) ? leased(lease) : open(lease);
    }

    /** A new one. */
    Connection open() throws Exception {
        return open(permit());
    }

    private Lease permit() throws InterruptedException {
        return Objects.requireNonNull(pool.acquire(60 * SECOND), "no permit");
    }

    /** A new one, under a lease that has none. */
    Connection open(Lease lease) throws Exception {
        long until = ticker.nanos() + 60 * SECOND;
        assertThat(lease.open(_ -> List.of(InetAddress.getLoopbackAddress()), until, until, until))
                .isTrue();
        return leased(lease);
    }

    private Connection leased(Lease lease) {
        leases.put(lease.connection(), lease);
        return lease.connection();
    }

    /** The lease of a connection, which the caller closes. */
    Lease leaseOf(Connection connection) {
        return Objects.requireNonNull(leases.remove(connection), "not leased");
    }

    void release(Connection connection) {
        release(connection, LONG);
    }

    /** Ends a lease; the connection is kept for so long. */
    void release(Connection connection, long keep) {
        try (Lease lease = leaseOf(connection)) {
            lease.reusable(keep, ticker.nanos());
        }
    }

    /** Ends a lease, and its connection. */
    void discard(Connection connection) {
        try (Lease lease = leaseOf(connection)) {
            lease.reusable(0, ticker.nanos());
        }
    }

    long count(String what) {
        return Objects.requireNonNull(pool.counts().get(what));
    }

    /** Waits for what happens on other threads. The test's time limit, which interrupts it, bounds it. */
    @SuppressWarnings("ThreadPriorityCheck")
    static void until(Condition condition) throws Exception {
        while (!condition.holds()) {
            if (Thread.interrupted()) {
                throw new InterruptedException("the time of the test was up");
            }
            Thread.yield();
        }
    }

    interface Condition {
        boolean holds() throws Exception;
    }

    /** Waits until a thread waits, for whatever but a lock, or has ended. */
    static void untilWaiting(Thread thread) throws Exception {
        until(() -> switch (thread.getState()) {
            case WAITING, TIMED_WAITING -> !isAtALock(thread);
            case TERMINATED -> true;
            default -> false;
        });
    }

    /** Who waits for a lock goes on as soon as another thread, kept from running for a moment, lets go of it. */
    private static boolean isAtALock(Thread thread) {
        Object blocker = LockSupport.getBlocker(thread);
        return blocker != null && blocker.getClass().getEnclosingClass() == ReentrantLock.class;
    }

    @Override
    public void close() throws IOException {
        pool.close();
        server.close();
        for (Socket socket : seen) {
            socket.close();
        }
    }
}
