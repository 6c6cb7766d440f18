package dev.penstock.lab.simulate;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A listening port of a simulator, with the thread that accepts connections.
 *
 * <p>Thread-safe.
 */
public final class SimulatorPort implements AutoCloseable {
    private static final int BACKLOG = 4096;
    private static final long JOIN_MS = 5_000;

    private volatile ServerSocket server;
    private final InetAddress address;
    private final int number;
    private volatile boolean closing;
    private @Nullable SocketChannel refusing;
    private @Nullable Thread acceptor;

    private SimulatorPort(ServerSocket server) {
        this.server = server;
        this.address = server.getInetAddress();
        this.number = server.getLocalPort();
    }

    /**
     * Listens; connections wait in the backlog until it is opened.
     *
     * @param address a local address
     * @param port 0 for any free port
     * @throws IOException when it cannot listen there; the message says what to do
     */
    public static SimulatorPort listen(InetAddress address, int port) throws IOException {
        try {
            return new SimulatorPort(bind(address, port));
        } catch (IOException e) {
            String where = "cannot listen on " + address.getHostAddress() + " port " + port + ": ";
            String why = String.valueOf(e.getMessage());
            boolean taken = e instanceof BindException && why.contains("in use");
            throw new IOException(
                    where + (taken ? "the port is in use; choose another port, or 0 for any free one" : why), e);
        }
    }

    private static ServerSocket bind(InetAddress address, int port) throws IOException {
        ServerSocket server = new ServerSocket();
        try {
            server.setReuseAddress(true);
            server.bind(new InetSocketAddress(address, port), BACKLOG);
            return server;
        } catch (IOException e) {
            server.close();
            throw e;
        }
    }

    /**
     * Refuses connections until {@link #admit()}. The port stays reserved: a socket that does not listen is bound to
     * it, so that no other program and no client socket gets it.
     *
     * @throws IOException when another program took the port first
     */
    public synchronized void refuse() throws IOException {
        if (refusing == null && !closing) {
            server.close();
            refusing = hold();
        }
    }

    /** The port is free only after the accepting thread has left it. */
    private SocketChannel hold() throws IOException {
        SocketChannel holder = SocketChannel.open();
        holder.setOption(StandardSocketOptions.SO_REUSEADDR, true);
        long begin = System.nanoTime();
        while (true) {
            try {
                return holder.bind(new InetSocketAddress(address, number));
            } catch (BindException e) {
                if (System.nanoTime() - begin > TimeUnit.MILLISECONDS.toNanos(JOIN_MS)) {
                    holder.close();
                    throw e;
                }
                LockSupport.parkNanos(100_000);
            }
        }
    }

    /**
     * Listens again after {@link #refuse()}; no effect when it already does.
     *
     * @throws IOException when another program took the port first
     */
    public synchronized void admit() throws IOException {
        if (refusing != null && !closing) {
            refusing.close();
            refusing = null;
            server = bind(address, number);
        }
    }

    /**
     * Hands over every connection, one at a time; call once.
     *
     * @param taker called on one thread, must not block
     */
    public synchronized void open(Consumer<Socket> taker) {
        acceptor = Thread.ofVirtual().name("simulator-accept").start(() -> accept(taker));
    }

    /** The port number. */
    public int number() {
        return number;
    }

    /** The local address. */
    public InetAddress address() {
        return address;
    }

    /** Host and port as in a URL, for instance {@code 127.0.0.1:8081}. */
    @Override
    public String toString() {
        String host = address().getHostAddress();
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + number();
    }

    /** Stops listening; waits up to 5 s until the last connection was handed over. */
    @Override
    public void close() {
        closing = true;
        try {
            server.close();
            release();
        } catch (IOException e) {
            // It does not listen any more in any case.
        }
        join();
    }

    private synchronized void release() throws IOException {
        if (refusing != null) {
            refusing.close();
        }
    }

    private synchronized void join() {
        try {
            if (acceptor != null) {
                acceptor.join(JOIN_MS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void accept(Consumer<Socket> taker) {
        while (!closing) {
            try {
                taker.accept(server.accept());
            } catch (IOException e) {
                // Accepting failed, for instance for lack of file descriptors: retry after a moment.
                LockSupport.parkNanos(1_000_000);
            }
        }
    }
}
