package dev.penstock.http;

import dev.penstock.supervise.Part;
import dev.penstock.supervise.Supervisor;
import io.helidon.common.concurrency.limits.FixedLimit;
import io.helidon.common.concurrency.limits.Limit;
import io.helidon.common.socket.SocketWriterException;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.ListenerConfig;
import io.helidon.webserver.ListenerContext;
import io.helidon.webserver.Router;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Listens on an address, and serves each connection on a virtual thread of its own. Safe for many threads.
 *
 * <h2>Design note</h2>
 *
 * <p>Helidon's own listener stops for good when accepting one connection fails, and it fails whenever the process has no file
 * descriptor left. This one accepts again after a pause. Helidon still serves what is accepted.
 */
final class Acceptor implements AutoCloseable {
    private static final Duration PAUSE = Duration.ofMillis(50);
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(1);

    private final InetSocketAddress address;
    private final IdleConnectionReaper reaper;
    private final ListenerContext context;
    private final Router router;
    private final Limit requests = FixedLimit.create();
    private final Semaphore permits;
    private final ExecutorService connections = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("penstock-http-connection").factory());
    private final Part part;
    private @Nullable ServerSocketChannel channel;
    private volatile int port;
    private @Nullable Thread thread;

    /**
     * One that does not listen yet.
     *
     * @param maxConnections how many are served at the same time; further ones wait in the backlog of the system
     * @param reaper watches connections
     * @param context what Helidon reads its settings from
     * @param router what answers requests
     */
    Acceptor(InetSocketAddress address, int maxConnections, IdleConnectionReaper reaper, ListenerContext context, Router router) {
        this.address = address;
        this.permits = new Semaphore(maxConnections);
        this.reaper = reaper;
        this.context = context;
        this.router = router;
        this.part = Supervisor.current().part("http-acceptor", address.getHostString() + ":" + address.getPort());
    }

    /**
     * Begins to listen. Once only.
     *
     * @throws IOException the address cannot be bound
     */
    synchronized void start() throws IOException {
        waitOnce();
        ServerSocketChannel opened = ServerSocketChannel.open();
        try {
            ListenerConfig config = context.config();
            config.configureSocket(opened);
            opened.bind(address, config.backlog());
        } catch (Throwable failure) {
            opened.close();
            throw failure;
        }
        channel = opened;
        port = opened.socket().getLocalPort();
        thread = part.start(Thread.ofPlatform().name("penstock-http-acceptor"), () -> acceptUntilClosed(opened));
    }

    /**
     * The JDK opens what virtual threads wait for sockets with at their first wait. If no descriptor is left at that moment, no
     * virtual thread can wait for a socket any more until the process ends. So one waits now.
     */
    private static void waitOnce() throws IOException {
        try (ServerSocket nobodyConnects = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            nobodyConnects.setSoTimeout(1);
            Thread.ofVirtual()
                    .start(() -> {
                        try {
                            nobodyConnects.accept().close();
                        } catch (IOException timedOut) {
                            // As it was to.
                        }
                    })
                    .join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The port that it listens on, once started. */
    int port() {
        return port;
    }

    private void acceptUntilClosed(ServerSocketChannel listening) throws IOException, InterruptedException {
        while (listening.isOpen()) {
            permits.acquire();
            boolean serves = false;
            try {
                serves = acceptOne(listening);
            } finally {
                if (!serves) {
                    permits.release();
                }
            }
        }
    }

    private boolean acceptOne(ServerSocketChannel listening) throws IOException {
        SocketChannel accepted;
        try {
            accepted = listening.accept();
        } catch (ClosedChannelException closed) {
            return false;
        } catch (IOException e) {
            part.failed("it accepts again after " + PAUSE.toMillis() + " ms", e);
            LockSupport.parkNanos(PAUSE.toNanos());
            return false;
        }
        boolean serves = false;
        try {
            connections.execute(() -> serve(accepted));
            serves = true;
        } catch (RejectedExecutionException closed) {
            // It came too late: nothing of it was read.
        } finally {
            if (!serves) {
                accepted.close();
            }
        }
        return serves;
    }

    private void serve(SocketChannel accepted) {
        try (accepted) {
            context.config().connectionOptions().configureSocket(accepted);
            try (AcceptedConnection connection = AcceptedConnection.of(accepted, context, router)) {
                reaper.connection(connection).handle(requests);
            }
        } catch (CloseConnectionException | SocketWriterException | UncheckedIOException | IOException ended) {
            // By either side: what it meant for a request is known by now.
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        } catch (Throwable failure) { // an Error too: nobody else reports it
            part.failedOnce("its connection is closed; the others are served", failure);
        } finally {
            permits.release();
        }
    }

    /**
     * Accepts no further connection; what is accepted by now is served. Returns when the port is free, within a second. Does
     * nothing the second time.
     */
    synchronized void stop() {
        part.close();
        if (channel == null || thread == null) {
            return;
        }
        try {
            channel.close();
            // The system frees the port when the thread has left the channel. It may also wait for a permit.
            permits.release();
            boolean _ = thread.join(STOP_PATIENCE);
        } catch (IOException e) {
            // It listens no longer all the same.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        channel = null;
        connections.shutdown();
    }

    /** Stops, and waits until every connection has ended; false when some have not within a time. */
    boolean awaitEnd(Duration atMost) throws InterruptedException {
        stop();
        return connections.awaitTermination(atMost.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Stops, and interrupts what handles connections. */
    @Override
    public void close() {
        stop();
        connections.shutdownNow();
    }
}
