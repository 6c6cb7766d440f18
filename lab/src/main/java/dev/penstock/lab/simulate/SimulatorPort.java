package dev.penstock.lab.simulate;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A port that a simulator listens on, and the one thread that takes what connects to it.
 *
 * <p>Safe for many threads.
 */
public final class SimulatorPort implements AutoCloseable {
    private static final int BACKLOG = 4096;
    private static final long JOIN_MS = 5_000;

    private final ServerSocket server;
    private volatile boolean closing;
    private @Nullable Thread acceptor;

    private SimulatorPort(ServerSocket server) {
        this.server = server;
    }

    /**
     * Listens; connections wait until it is opened.
     *
     * @param address of this machine
     * @param port 0 for a free one
     * @throws IOException when it cannot listen there, in one line that says what to do
     */
    public static SimulatorPort listen(InetAddress address, int port) throws IOException {
        ServerSocket server = new ServerSocket();
        try {
            server.setReuseAddress(true);
            server.bind(new InetSocketAddress(address, port), BACKLOG);
            return new SimulatorPort(server);
        } catch (IOException e) {
            server.close();
            String where = "cannot listen on " + address.getHostAddress() + " port " + port + ": ";
            String why = String.valueOf(e.getMessage());
            boolean taken = e instanceof BindException && why.contains("in use");
            throw new IOException(where + (taken ? "it is in use; choose another port, or 0 for a free one" : why), e);
        }
    }

    /**
     * Hands every connection over, one after the other; to be called once.
     *
     * @param taker is called on one thread, and must not wait
     */
    public synchronized void open(Consumer<Socket> taker) {
        acceptor = Thread.ofVirtual().name("simulator-accept").start(() -> accept(taker));
    }

    /** The number of the port. */
    public int number() {
        return server.getLocalPort();
    }

    /** The address that it listens on. */
    public InetAddress address() {
        return server.getInetAddress();
    }

    /** Host and port as in a URL, for instance {@code 127.0.0.1:8081}. */
    @Override
    public String toString() {
        String host = address().getHostAddress();
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + number();
    }

    /** Listens no more; waits up to 5 s until the last connection was handed over. */
    @Override
    public void close() {
        closing = true;
        try {
            server.close();
        } catch (IOException e) {
            // It listens no more either way.
        }
        join();
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
                // One connection less, for instance for want of file descriptors: give it a moment.
                LockSupport.parkNanos(1_000_000);
            }
        }
    }
}
