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
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Who asks a hop without waiting for anybody else's answer. The thread that paces writes each request to a connection that
 * has none under way, and opens one more when all have: a hop may end one that never asks for anything. One other thread
 * reads all answers. Both are kept on the sender's core.
 */
final class HopCallers implements Intake<byte[], Boolean>, AutoCloseable {
    /** How many connections there are at the most: so many may be under way at once. */
    static final int MOST = 256;

    private static final Duration GRID = Duration.ofNanos(100_000);
    private static final byte[] OK = "HTTP/1.1 200 ".getBytes(US_ASCII);

    private final int port;
    private final int answerBytes;
    private final Selector selector;
    private final List<Line> lines = new CopyOnWriteArrayList<>();
    private final ConcurrentLinkedDeque<Line> free = new ConcurrentLinkedDeque<>();
    private volatile boolean closed;

    private HopCallers(int port, int answerBytes) throws IOException {
        this.port = port;
        this.answerBytes = answerBytes;
        this.selector = Selector.open();
    }

    /**
     * Loads a hop.
     *
     * @param rate requests a second, at random times
     * @param warmUp how long before it is measured: who asks has to be compiled, and a hop for being asked like this, and what it
     *     keeps for a connection has to grow old
     * @param lasting how long it is measured
     * @param seed of those
     * @param listener told how each ended, those of the warm-up among them
     */
    static LoadResult run(Relay relay, double rate, Duration warmUp, Duration lasting, long seed, EndListener listener)
            throws Exception {
        // Threads that are started by one that is kept on a core stay there too.
        try (ExecutorService there = Executors.newSingleThreadExecutor(
                Thread.ofPlatform().name("callers").daemon().factory())) {
            Future<LoadResult> running = there.submit(() -> {
                Cores.here().keepSender();
                return load(relay, rate, warmUp, lasting, seed, listener);
            });
            try {
                return running.get();
            } catch (ExecutionException e) {
                throw new IOException("the callers: " + e.getCause(), e);
            } finally {
                running.cancel(true);
            }
        }
    }

    private static LoadResult load(
            Relay relay, double rate, Duration warmUp, Duration lasting, long seed, EndListener listener)
            throws IOException, InterruptedException {
        byte[] request = HopTraffic.request(relay.port());
        try (HopCallers callers = new HopCallers(relay.port(), relay.answer().bytes())) {
            Thread.ofPlatform().name("answers").daemon().start(callers::read);
            return OpenLoad.at(Arrivals.poisson(rate, seed))
                    .sparing(GRID)
                    .lasting(lasting.plus(warmUp))
                    .warmUp(warmUp)
                    .maxInFlight(MOST)
                    .listen(listener)
                    .offer(callers, number -> request, right -> right);
        }
    }

    @Override
    public Boolean call(byte[] request) {
        throw new UnsupportedOperationException("nobody waits here");
    }

    @Override
    public void take(byte[] request, Reply<? super Boolean> reply) throws IOException {
        Line line = free.poll();
        while (line != null && !line.channel.isOpen()) {
            line = free.poll();
        }
        (line == null ? opened() : line).send(request, reply);
    }

    private Line opened() throws IOException {
        if (lines.size() == MOST) {
            throw new IOException("no connection is free: some have ended, or answers are out");
        }
        Line line = new Line(port);
        lines.add(line);
        selector.wakeup();
        return line;
    }

    private void read() {
        try {
            while (!closed) {
                selector.select(key -> ((Line) key.attachment()).ready());
            }
        } catch (IOException | RuntimeException e) {
            lines.forEach(line -> line.failed(e));
        }
    }

    @Override
    public void close() throws IOException {
        closed = true;
        selector.wakeup();
        for (Line line : lines) {
            line.channel.close();
        }
        selector.close();
    }

    /** One connection; it has one request under way at most. */
    private final class Line {
        private final SocketChannel channel;
        private final ByteBuffer in = ByteBuffer.allocateDirect(16 << 10);
        private volatile Reply<? super Boolean> reply = new Nobody();
        private int got;
        private boolean right = true;

        Line(int port) throws IOException {
            channel = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ, this);
        }

        void send(byte[] request, Reply<? super Boolean> to) throws IOException {
            reply = to;
            ByteBuffer out = ByteBuffer.wrap(request);
            while (out.hasRemaining()) { // a request of 100 bytes has room in an empty buffer
                channel.write(out);
            }
        }

        void ready() {
            try {
                in.clear();
                int read = channel.read(in);
                if (read < 0) {
                    throw new IOException("the hop has ended the connection");
                }
                right &= got >= OK.length || startsRight();
                got += read;
                if (got >= answerBytes) {
                    answered(right && got == answerBytes);
                }
            } catch (IOException e) {
                failed(e);
            }
        }

        private boolean startsRight() {
            boolean same = got == 0 && in.position() >= OK.length;
            for (int i = 0; same && i < OK.length; i++) {
                same = in.get(i) == OK[i];
            }
            return same;
        }

        private void answered(boolean rightly) {
            got = 0;
            right = true;
            Reply<? super Boolean> who = reply;
            free.addFirst(this);
            who.answered(rightly);
        }

        /** It is not used again. */
        void failed(Exception e) {
            reply.threw(e);
            try {
                channel.close();
            } catch (IOException ignored) {
                // It is closed.
            }
        }
    }

    /** Before the first request. */
    private static final class Nobody implements Reply<Boolean> {
        @Override
        public void answered(Boolean answer) {}

        @Override
        public void threw(Throwable thrown) {}
    }
}
