package dev.penstock.races.survive;

import dev.penstock.kit.program.RestartableServer;
import java.io.IOException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * A pool of peers in their own processes. A schedule has exclusive use of a peer and may kill it; later schedules reuse
 * it. The pool has as many peers as schedules run concurrently, and stops them when this JVM exits.
 *
 * <p>Thread-safe.
 *
 * @param <S> the peer
 */
final class PeerPool<S extends RestartableServer> {
    private final Starter<S> starter;
    private final Queue<S> idle = new ConcurrentLinkedQueue<>();

    /**
     * Creates an empty pool.
     *
     * @param starter starts a peer
     */
    PeerPool(Starter<S> starter) {
        this.starter = starter;
    }

    /** Starts a peer. */
    interface Starter<S> {
        S start() throws IOException;
    }

    /** Leases a peer for exclusive use. Close the lease to return the peer. */
    LeasedPeer<S> take() throws IOException {
        S server = idle.poll();
        return new LeasedPeer<>(this, server == null ? start() : server);
    }

    private S start() throws IOException {
        S server = starter.start();
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(() -> closeQuietly(server)));
        return server;
    }

    private static void closeQuietly(RestartableServer server) {
        try {
            server.close();
        } catch (IOException e) {
            // Nothing to do: the peer exits with this JVM anyway.
        }
    }

    /**
     * A peer that one schedule uses, and the faults of its process. Not thread-safe.
     *
     * @param <S> the peer
     */
    static final class LeasedPeer<S extends RestartableServer> implements AutoCloseable {
        private final PeerPool<S> pool;
        private final S server;
        private @Nullable Future<?> killing;

        private LeasedPeer(PeerPool<S> pool, S server) {
            this.pool = pool;
            this.server = server;
        }

        S server() {
            return server;
        }

        /** Kills the peer with SIGKILL shortly after this method returns, so that the kill hits calls in flight. */
        void kill() {
            FutureTask<Boolean> kill = new FutureTask<>(() -> {
                server.kill();
                return true;
            });
            killing = kill;
            Thread.ofPlatform().daemon().name("kill-peer").start(kill);
        }

        /** Suspends the peer with SIGSTOP. */
        void suspend() throws IOException {
            server.suspend();
        }

        /** Ends either fault. Returns when the peer accepts requests again. */
        void heal() throws IOException {
            server.resume();
            if (killing != null) {
                await(killing);
                server.restart();
                killing = null;
            }
        }

        private static void await(Future<?> killing) throws IOException {
            try {
                killing.get();
            } catch (ExecutionException e) {
                throw new IOException("the peer could not be killed: " + e.getCause(), e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted while killing the peer", e);
            }
        }

        /** Stops the peer instead of returning it to the pool. */
        void discard() {
            closeQuietly(server);
        }

        /** Returns the peer to the pool, or stops it if it cannot be healed. */
        @Override
        public void close() {
            try {
                heal();
                pool.idle.add(server);
            } catch (IOException e) {
                closeQuietly(server);
            }
        }
    }
}
