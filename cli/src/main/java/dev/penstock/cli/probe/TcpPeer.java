package dev.penstock.cli.probe;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.penstock.lab.load.Load;
import dev.penstock.lab.measure.LoadResult;
import dev.penstock.lab.probe.AnnouncedLimit;
import dev.penstock.lab.probe.IdleConnection;
import dev.penstock.lab.probe.ProbePeer;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.jspecify.annotations.Nullable;

/**
 * Any TCP server. A round trip is a connect; or, with data to send, an exchange over a reused connection, where the
 * first bytes received are the answer.
 */
public final class TcpPeer implements ProbePeer {
    private static final int MAX_ANSWER = 64 << 10;

    private final SocketConnector connector;
    private final byte @Nullable [] request;
    private final ConcurrentLinkedDeque<Socket> free = new ConcurrentLinkedDeque<>();

    /**
     * Creates a peer.
     *
     * @param host without brackets
     * @param send what to send, with {@code \n}, {@code \r}, {@code \t} and {@code \\} as in Java; null to send nothing
     */
    public TcpPeer(String host, int port, @Nullable String send) {
        this.connector = new SocketConnector(host, port, false);
        this.request = send == null ? null : send.translateEscapes().getBytes(UTF_8);
    }

    @Override
    public String where() {
        return "tcp://" + connector;
    }

    @Override
    public LoadResult run(Load<?> load) throws InterruptedException {
        return load.run(request == null ? this::connect : this::exchange, number -> number);
    }

    private boolean connect(Long number) throws IOException {
        try (Socket socket = connector.open()) {
            return socket.isConnected();
        }
    }

    private boolean exchange(Long number) throws IOException {
        Socket kept = free.pollFirst();
        Socket socket = kept == null ? connector.open() : kept;
        try {
            exchangeOver(socket);
            free.addFirst(socket);
            return true;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    private void exchangeOver(Socket socket) throws IOException {
        if (request == null) {
            return;
        }
        socket.getOutputStream().write(request);
        if (socket.getInputStream().read(new byte[MAX_ANSWER]) < 0) {
            throw new EOFException(connector + " closed the connection before it answered");
        }
    }

    /** Empty: TCP servers announce no limits. */
    @Override
    public List<AnnouncedLimit> announced() {
        return List.of();
    }

    /** Without data to send, a silently dropped connection looks alive. */
    @Override
    public IdleConnection.Port idle() {
        return this::open;
    }

    private IdleConnection open() throws IOException {
        Socket socket = connector.open();
        try {
            exchangeOver(socket);
            return new SocketConnection(socket, this::exchangeOver);
        } catch (IOException e) {
            SocketClose.reset(socket);
            throw e;
        }
    }

    @Override
    public ProbePeer.@Nullable Batches batch() {
        return null;
    }

    @Override
    public void close() {
        for (Socket socket = free.pollFirst(); socket != null; socket = free.pollFirst()) {
            try {
                socket.close();
            } catch (IOException e) {
                // Closed anyway.
            }
        }
    }
}
