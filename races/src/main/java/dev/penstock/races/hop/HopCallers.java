package dev.penstock.races.hop;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.penstock.lab.load.Arrivals;
import dev.penstock.lab.load.EndListener;
import dev.penstock.lab.load.Intake;
import dev.penstock.lab.load.OpenLoad;
import dev.penstock.lab.measure.LoadResult;
import dev.penstock.races.machine.Cores;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * An open-model client of a hop. The pacing thread writes each request to an idle connection, and opens a new one if
 * all are busy, because a hop may close a connection that stays unused. One other thread reads all answers. Both
 * threads are pinned to the sender's core.
 */
final class HopCallers implements Intake<byte[], Boolean>, AutoCloseable {
    /** The maximum number of connections, and so of requests in flight. */
    static final int MAX_CONNECTIONS = 256;

    private static final Duration GRID = Duration.ofNanos(100_000);
    private static final byte[] OK = "HTTP/1.1 200 ".getBytes(US_ASCII);

    private final int port;
    private final int answerBytes;
    private final Selector selector;
    private final List<CallerConnection> connections = new CopyOnWriteArrayList<>();
    private final ConcurrentLinkedDeque<CallerConnection> free = new ConcurrentLinkedDeque<>();
    private volatile boolean closed;

    private HopCallers(int port, int answerBytes) throws IOException {
        this.port = port;
        this.answerBytes = answerBytes;
        this.selector = Selector.open();
    }

    /**
     * Loads a hop.
     *
     * @param rate requests per second, as a Poisson process
     * @param warmUp the time before the measurement, in which this client and the hop are compiled for this load, and
     *     the hop's per-connection objects move to the old generation
     * @param lasting the duration of the measurement
     * @param seed the seed of the arrivals
     * @param listener notified of the outcome of each request, including those of the warm-up
     */
    static LoadResult run(Relay relay, double rate, Duration warmUp, Duration lasting, long seed, EndListener listener)
            throws Exception {
        return Cores.here().onSender(() -> load(relay, rate, warmUp, lasting, seed, listener));
    }

    private static LoadResult load(
            Relay relay, double rate, Duration warmUp, Duration lasting, long seed, EndListener listener)
            throws IOException, InterruptedException {
        byte[] request = HopClient.PLAIN.request(relay.port());
        try (HopCallers callers = new HopCallers(relay.port(), relay.answer().bytes())) {
            Thread.ofPlatform().name("answers").daemon().start(callers::read);
            return OpenLoad.at(Arrivals.poisson(rate, seed))
                    .sparing(GRID)
                    .lasting(lasting.plus(warmUp))
                    .warmUp(warmUp)
                    .maxInFlight(MAX_CONNECTIONS)
                    .listen(listener)
                    .offer(callers, number -> request, right -> right);
        }
    }

    @Override
    public Boolean call(byte[] request) {
        throw new UnsupportedOperationException("this intake is asynchronous");
    }

    @Override
    public void take(byte[] request, Reply<? super Boolean> reply) throws IOException {
        CallerConnection connection = free.poll();
        while (connection != null && !connection.channel.isOpen()) {
            connection = free.poll();
        }
        (connection == null ? open() : connection).send(request, reply);
    }

    private CallerConnection open() throws IOException {
        if (connections.size() == MAX_CONNECTIONS) {
            throw new IOException("no connection is idle: some are closed, or answers are missing");
        }
        CallerConnection connection = new CallerConnection(port);
        connections.add(connection);
        selector.wakeup();
        return connection;
    }

    private void read() {
        try {
            while (!closed) {
                selector.select(key -> ((CallerConnection) key.attachment()).ready());
            }
        } catch (IOException | RuntimeException e) {
            connections.forEach(connection -> connection.failed(e));
        }
    }

    @Override
    public void close() throws IOException {
        closed = true;
        selector.wakeup();
        for (CallerConnection connection : connections) {
            connection.channel.close();
        }
        selector.close();
    }

    /** A connection with at most one request in flight. */
    private final class CallerConnection {
        private final SocketChannel channel;
        private final ByteBuffer in = ByteBuffer.allocateDirect(16 << 10);
        private volatile Reply<? super Boolean> reply = new NoReply();
        private int received;
        private boolean right = true;

        CallerConnection(int port) throws IOException {
            channel = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ, this);
        }

        void send(byte[] request, Reply<? super Boolean> to) throws IOException {
            reply = to;
            ByteBuffer out = ByteBuffer.wrap(request);
            while (out.hasRemaining()) { // a request of 100 bytes fits into an empty send buffer
                channel.write(out);
            }
        }

        void ready() {
            try {
                in.clear();
                int read = channel.read(in);
                if (read < 0) {
                    throw new IOException("the hop closed the connection");
                }
                right &= received >= OK.length || startsRight();
                received += read;
                if (received >= answerBytes) {
                    answered(right && received == answerBytes);
                }
            } catch (IOException e) {
                failed(e);
            }
        }

        private boolean startsRight() {
            boolean same = received == 0 && in.position() >= OK.length;
            for (int i = 0; same && i < OK.length; i++) {
                same = in.get(i) == OK[i];
            }
            return same;
        }

        private void answered(boolean correct) {
            received = 0;
            right = true;
            Reply<? super Boolean> who = reply;
            free.addFirst(this);
            who.answered(correct);
        }

        /** Fails the request and closes the connection. */
        void failed(Exception e) {
            reply.threw(e);
            try {
                channel.close();
            } catch (IOException ignored) {
                // The connection is closed anyway.
            }
        }
    }

    /** The reply before the first request. */
    private static final class NoReply implements Reply<Boolean> {
        @Override
        public void answered(Boolean answer) {}

        @Override
        public void threw(Throwable thrown) {}
    }
}
