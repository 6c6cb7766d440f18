package dev.penstock.http.pool;

import static dev.penstock.http.pool.PoolScene.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.penstock.Ticker;
import dev.penstock.kit.ManualTicker;
import dev.penstock.supervise.Supervisor;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What one connection's handler or a timer throws ends that connection at most, and never the loop; on real sockets. */
@Timeout(60)
class EventLoopRealClockTest {
    private final ManualTicker ticker = new ManualTicker();
    private final Supervisor supervisor = Supervisor.create();
    private final FailingHandler pool = new FailingHandler();
    private final List<Socket> peers = new ArrayList<>();
    private final ServerSocketChannel server = ServerSocketChannel.open();
    private final EventLoop loop = supervisor.whileCurrent(() -> started("test", ticker));

    EventLoopRealClockTest() throws IOException {}

    private EventLoop started(String name, Ticker clock) {
        EventLoop loop = new EventLoop(name, clock);
        loop.start(pool);
        return loop;
    }

    private static void raise(@Nullable Throwable fault) {
        if (fault instanceof Error error) {
            throw error;
        }
        if (fault != null) {
            throw (RuntimeException) fault;
        }
    }

    private static final class FailingHandler implements EventLoop.Handler {
        private final List<Connection> failed = new CopyOnWriteArrayList<>();
        private final AtomicInteger due = new AtomicInteger();
        private volatile @Nullable Throwable fault;

        @Override
        public void closedWhileIdle(Connection connection) {
            raise(fault);
        }

        @Override
        public void failed(Connection connection) {
            failed.add(connection);
        }

        @Override
        public long runDue(long now) {
            due.incrementAndGet();
            raise(fault);
            return now + 3_600_000_000_000L;
        }
    }

    private long faultCount() {
        return supervisor.faults().getOrDefault("http-event-loop", 0L);
    }

    static Stream<Throwable> faults() {
        return Stream.of(
                new IllegalStateException("a bug"),
                new OutOfMemoryError("no space for it"),
                new NoClassDefFoundError("com/example/Gone"));
    }

    @BeforeEach
    void listen() throws IOException {
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    @AfterEach
    void close() throws IOException {
        loop.close();
        server.close();
        for (Socket peer : peers) {
            peer.close();
        }
    }

    private Connection open(BufferPool<SocketInput.Buffer> readBuffers) throws IOException {
        SocketChannel channel = SocketChannel.open(server.getLocalAddress());
        peers.add(server.accept().socket());
        channel.configureBlocking(false);
        Connection connection = new Connection(channel, readBuffers, ticker);
        loop.add(connection);
        return connection;
    }

    private Connection open() throws IOException {
        return open(new BufferPool<>(SocketInput.Buffer::new));
    }

    private void assertThatItServes(Connection connection, Socket peer) throws IOException {
        peer.getOutputStream().write(7);
        assertThat(connection.in().read()).isEqualTo(7);
    }

    @ParameterizedTest
    @MethodSource("faults")
    void aHandlerThatFailsEndsItsOwnConnectionAlone(Throwable fault) throws Exception {
        Connection bad = open(new BufferPool<>(() -> {
            raise(fault);
            return new SocketInput.Buffer();
        }));
        Connection good = open();
        peers.getFirst().getOutputStream().write(7);

        Throwable thrown = catchThrowable(() -> bad.in().read());

        assertThat(thrown).isInstanceOf(IOException.class).hasCause(fault).hasMessageContaining(fault.getMessage());
        assertThat(peers.getFirst().getInputStream().read()).isEqualTo(-1);
        assertThatItServes(good, peers.getLast());
        assertThat(pool.failed).containsExactly(bad);
        assertThat(bad.isClosed()).isTrue();
        assertThat(faultCount()).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("faults")
    void anIdleConnectionWhoseEndCannotBeNotedIsForgotten(Throwable fault) throws Exception {
        Connection idle = open();
        Connection good = open();
        idle.makeIdle(ticker.nanos(), Long.MAX_VALUE);
        pool.fault = fault;
        peers.getFirst().close();

        until(() -> !pool.failed.isEmpty());
        pool.fault = null;

        assertThat(pool.failed).containsExactly(idle);
        assertThatItServes(good, peers.getLast());
        assertThat(faultCount()).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("faults")
    void aLoopThatFailsRunsAgain(Throwable fault) throws Exception {
        AtomicBoolean fails = new AtomicBoolean();
        Ticker failing = new Ticker() {
            @Override
            public long nanos() {
                if (Thread.currentThread().getName().equals("penstock-pool failing") && fails.getAndSet(false)) {
                    raise(fault);
                }
                return ticker.nanos();
            }

            @Override
            public void parkUntil(long nanos) {
                ticker.parkUntil(nanos);
            }
        };
        EventLoop loop = supervisor.whileCurrent(() -> started("failing", failing));
        fails.set(true);
        loop.wakeAt(ticker.nanos());
        until(() -> faultCount() == 1);
        until(() -> pool.due.get() == 1);
        loop.close();
        assertThat(supervisor.down()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("faults")
    void aTimerThatFailsIsTriedAgainLaterAndTheLoopGoesOn(Throwable fault) throws Exception {
        Connection good = open();
        pool.fault = fault;
        loop.wakeAt(ticker.nanos());
        until(() -> faultCount() == 1);
        assertThatItServes(good, peers.getFirst());
        // Not at once, or it would never do anything else.
        assertThat(pool.due).hasValue(1);

        pool.fault = null;
        ticker.advance(Duration.ofSeconds(1));
        loop.wakeAt(ticker.nanos());
        until(() -> pool.due.get() == 2);

        assertThatItServes(good, peers.getFirst());
        assertThat(faultCount()).isEqualTo(1);
    }
}
