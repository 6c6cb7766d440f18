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
 * Peers in processes of their own. A schedule has one to itself, and may kill it; the next schedule uses it again. There are as many
 * as schedules run at the same time, and they end with this JVM.
 *
 * <p>Safe for many threads.
 *
 * @param <S> the peer
 */
final class PeerPool<S extends RestartableServer> {
    private final Starter<S> starter;
    private final Queue<S> idle = new ConcurrentLinkedQueue<>();

    /**
     * An empty one.
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

    /** A peer that no other schedule uses; close it to give it back. */
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
            // It ends with this JVM all the same.
        }
    }

    /**
     * A peer for one schedule, and the faults of its process. For one thread at a time.
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

        /** kill -9, a moment after the return: callers go on, so that it strikes in the midst of calls. */
        void kill() {
            FutureTask<Boolean> kill = new FutureTask<>(() -> {
                server.kill();
                return true;
            });
            killing = kill;
            Thread.ofVirtual().name("kill-peer").start(kill);
        }

        /** SIGSTOP. */
        void suspend() throws IOException {
            server.suspend();
        }

        /** Ends either; returns when the peer serves again. */
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
                throw new IOException("interrupted while the peer was killed", e);
            }
        }

        /** Ends the peer: it serves no schedule any more. */
        void discard() {
            closeQuietly(server);
        }

        /** Gives the peer back; ends it when it cannot be made to serve again. */
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
