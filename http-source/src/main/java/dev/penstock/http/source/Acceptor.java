package dev.penstock.http.source;

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
 * Listens on an address, and serves each connection on its own virtual thread. Thread-safe.
 *
 * <h2>Design note</h2>
 *
 * <p>Helidon's listener stops permanently if accepting one connection fails, for instance because the process has no free file
 * descriptor. This one retries after a pause. Helidon still handles the accepted connections.
 */
final class Acceptor implements AutoCloseable {
    private static final Duration PAUSE = Duration.ofMillis(50);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(1);

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
     * Creates an acceptor that does not listen yet.
     *
     * @param maxConnections how many connections are served at a time; further ones wait in the backlog of the operating system
     * @param reaper enforces the time limits of connections
     * @param context the settings of Helidon
     * @param router handles requests
     */
    Acceptor(
            InetSocketAddress address,
            int maxConnections,
            IdleConnectionReaper reaper,
            ListenerContext context,
            Router router) {
        this.address = address;
        this.permits = new Semaphore(maxConnections);
        this.reaper = reaper;
        this.context = context;
        this.router = router;
        this.part = Supervisor.current().part("http-acceptor", address.getHostString() + ":" + address.getPort());
    }

    /**
     * Starts listening. May be called once.
     *
     * @throws IOException the address cannot be bound
     */
    synchronized void start() throws IOException {
        initializePoller();
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
     * Makes a virtual thread wait for a socket once, so that the JDK opens its socket poller now. The poller is opened at the
     * first wait; if that fails for lack of file descriptors, no virtual thread can ever wait for a socket in this process.
     */
    private static void initializePoller() throws IOException {
        try (ServerSocket unused = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            unused.setSoTimeout(1);
            Thread.ofVirtual()
                    .start(() -> {
                        try {
                            unused.accept().close();
                        } catch (IOException timedOut) {
                            // Expected.
                        }
                    })
                    .join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The port it listens on, once started. */
    int port() {
        return port;
    }

    private void acceptUntilClosed(ServerSocketChannel listening) throws IOException, InterruptedException {
        while (listening.isOpen()) {
            permits.acquire();
            boolean accepted = false;
            try {
                accepted = acceptOne(listening);
            } finally {
                if (!accepted) {
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
            part.failed("accepting is retried after " + PAUSE.toMillis() + " ms", e);
            LockSupport.parkNanos(PAUSE.toNanos());
            return false;
        }
        boolean serves = false;
        try {
            connections.execute(() -> serve(accepted));
            serves = true;
        } catch (RejectedExecutionException closed) {
            // Accepted during the shutdown; nothing was read from it.
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
            // Closed by either side. The request, if any, has its ending.
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        } catch (Throwable failure) { // including Errors, which nothing else reports
            part.failedOnce("its connection is closed; the others are not affected", failure);
        } finally {
            permits.release();
        }
    }

    /**
     * Stops accepting; accepted connections are still served. Returns when the port is free, within 1 s. Idempotent.
     */
    synchronized void stop() {
        part.close();
        if (channel == null || thread == null) {
            return;
        }
        try {
            channel.close();
            // The port is freed when the thread has left accept(). The thread may also be waiting for a permit.
            permits.release();
            boolean _ = thread.join(STOP_TIMEOUT);
        } catch (IOException e) {
            // The channel is closed all the same.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        channel = null;
        connections.shutdown();
    }

    /** Stops, and waits until all connections have ended; returns false on timeout. */
    boolean awaitEnd(Duration atMost) throws InterruptedException {
        stop();
        return connections.awaitTermination(atMost.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Stops, and interrupts the threads of all connections. */
    @Override
    public void close() {
        stop();
        connections.shutdownNow();
    }
}
