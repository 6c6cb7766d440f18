package dev.penstock.cli.probe;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.penstock.lab.load.Load;
import dev.penstock.lab.measure.LoadResult;
import dev.penstock.lab.probe.AnnouncedLimit;
import dev.penstock.lab.probe.BatchPort;
import dev.penstock.lab.probe.IdleConnection;
import dev.penstock.lab.probe.IdlePort;
import dev.penstock.lab.probe.ProbePeer;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.jspecify.annotations.Nullable;

/**
 * Anything that takes TCP connections. A round trip is a connect; or, with something to send, an exchange over a connection
 * that is kept, where the first bytes that come back are the answer.
 */
public final class TcpPeer implements ProbePeer {
    private static final int MOST_ANSWER = 64 << 10;

    private final SocketConnector way;
    private final byte @Nullable [] question;
    private final ConcurrentLinkedDeque<Socket> free = new ConcurrentLinkedDeque<>();

    /**
     * A peer by its address.
     *
     * @param host without brackets
     * @param send what to send, with {@code \n}, {@code \r}, {@code \t} and {@code \\} as in Java; null to send nothing
     */
    public TcpPeer(String host, int port, @Nullable String send) {
        this.way = new SocketConnector(host, port, false);
        this.question = send == null ? null : send.translateEscapes().getBytes(UTF_8);
    }

    @Override
    public String where() {
        return "tcp://" + way;
    }

    @Override
    public LoadResult run(Load<?> load) throws InterruptedException {
        return load.run(question == null ? this::connect : this::exchange, number -> number);
    }

    private boolean connect(Long number) throws IOException {
        try (Socket socket = way.open()) {
            return socket.isConnected();
        }
    }

    private boolean exchange(Long number) throws IOException {
        Socket kept = free.pollFirst();
        Socket socket = kept == null ? way.open() : kept;
        try {
            ask(socket);
            free.addFirst(socket);
            return true;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    private void ask(Socket socket) throws IOException {
        if (question == null) {
            return;
        }
        socket.getOutputStream().write(question);
        if (socket.getInputStream().read(new byte[MOST_ANSWER]) < 0) {
            throw new EOFException(way + " closed the connection before it answered");
        }
    }

    /** Nothing: there are no words for that in TCP. */
    @Override
    public List<AnnouncedLimit> announced() {
        return List.of();
    }

    /** Without something to send, a connection that is ended silently looks alive. */
    @Override
    public IdlePort idle() {
        return this::open;
    }

    private IdleConnection open() throws IOException {
        Socket socket = way.open();
        try {
            ask(socket);
            return new SocketConnection(socket, this::ask);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    @Override
    public @Nullable BatchPort batch() {
        return null;
    }

    @Override
    public void close() {
        for (Socket socket = free.pollFirst(); socket != null; socket = free.pollFirst()) {
            try {
                socket.close();
            } catch (IOException e) {
                // It was to go; now it is gone.
            }
        }
    }
}
