package dev.penstock.jms.kit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Accepts connections, reads everything, and never writes. Safe for many threads. */
public final class SilentBroker implements AutoCloseable {
    private final ServerSocket server;
    /** Keeps a reference to the sockets, since the garbage collector closes unreferenced ones. */
    private final List<Socket> accepted = new CopyOnWriteArrayList<>();

    private final AtomicInteger open = new AtomicInteger();

    private SilentBroker(ServerSocket server) {
        this.server = server;
    }

    /** Listens on a free port of the loopback interface. */
    public static SilentBroker start() throws IOException {
        SilentBroker started = new SilentBroker(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
        Thread.ofVirtual().name("silent-broker").start(started::accept);
        return started;
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = server.accept();
                accepted.add(socket);
                open.incrementAndGet();
                Thread.ofVirtual().name("silent-broker").start(() -> read(socket));
            }
        } catch (IOException closed) {
            return;
        }
    }

    private void read(Socket socket) {
        try {
            while (socket.getInputStream().read() >= 0) {
                // Never answered.
            }
        } catch (IOException reset) {
            // The client closed it.
        } finally {
            open.decrementAndGet();
        }
    }

    public int port() {
        return server.getLocalPort();
    }

    /** The number of connections so far. */
    public int accepted() {
        return accepted.size();
    }

    /** The number of connections that their clients have not closed. */
    public int open() {
        return open.get();
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket socket : accepted) {
            socket.close();
        }
    }
}
