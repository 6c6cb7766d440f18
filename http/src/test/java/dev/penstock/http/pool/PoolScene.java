package dev.penstock.http.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Ticker;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
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

    PoolScene(PoolLimits limits) throws IOException {
        this(limits, null, Ticker.SYSTEM);
    }

    PoolScene(PoolLimits limits, @Nullable ConnectionTotal total, Ticker ticker) throws IOException {
        this(limits, total, ticker, null);
    }

    PoolScene(PoolLimits limits, @Nullable ConnectionTotal total, Ticker ticker, @Nullable Supplier<SSLContext> tls)
            throws IOException {
        this.ticker = ticker;
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 4_000);
        Thread.ofVirtual().start(this::acceptAll);
        pool = new ConnectionPool(
                new Connector("localhost", server.getLocalPort(), null, tls, ticker), limits, total, ticker);
    }

    /** At most so many, idle for a minute. */
    static PoolLimits limits(int max) {
        return new PoolLimits(max, 60 * SECOND, false, 0, Long.MAX_VALUE, 0);
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
        assertThat(pool.acquirePermit(60 * SECOND)).isTrue();
        Connection idle = pool.leaseIdle(ticker.nanos());
        return idle != null ? idle : open();
    }

    /** A new one, for who has a place. */
    Connection open() throws Exception {
        assertThat(pool.acquireOpenPermit(60 * SECOND)).isTrue();
        return pool.open(List.of(InetAddress.getLoopbackAddress()), ticker.nanos() + 60 * SECOND);
    }

    void release(Connection connection) {
        pool.release(connection, LONG, ticker.nanos());
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
