package dev.penstock.http.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.Ticker;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ConnectionPoolRealClockTest {
    private static final long SECOND = 1_000_000_000L;

    private final BlockingQueue<Socket> accepted = new LinkedBlockingQueue<>();
    private final List<InetAddress> here = List.of(InetAddress.getLoopbackAddress());
    private ServerSocket server;
    private ConnectionPool pool;

    @BeforeEach
    void listen() throws IOException {
        server = new ServerSocket();
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1_000);
        Thread.ofVirtual().start(() -> {
            try {
                while (true) {
                    accepted.add(server.accept());
                }
            } catch (IOException e) {
                // The test is over.
            }
        });
        Connector connector = new Connector("localhost", server.getLocalPort(), null, null, Ticker.SYSTEM);
        pool = new ConnectionPool(
                connector, new PoolLimits(3, 60 * SECOND, false, 0, Long.MAX_VALUE, 0), null, Ticker.SYSTEM);
    }

    @AfterEach
    void close() throws IOException {
        pool.close();
        server.close();
        for (Socket socket : accepted) {
            socket.close();
        }
    }

    private Connection lease() throws Exception {
        assertThat(pool.enter(SECOND)).isTrue();
        Connection idle = pool.idle(Ticker.SYSTEM.nanos());
        return idle != null ? idle : pool.open(here, Ticker.SYSTEM.nanos() + SECOND);
    }

    private Socket peer() throws InterruptedException {
        return Objects.requireNonNull(accepted.poll(5, TimeUnit.SECONDS), "nobody connected");
    }

    @Test
    void theNewestIdleOneIsTakenFirst() throws Exception {
        Connection first = lease();
        Connection second = lease();
        pool.release(first, Long.MAX_VALUE, Ticker.SYSTEM.nanos());
        pool.release(second, Long.MAX_VALUE, Ticker.SYSTEM.nanos());

        assertThat(lease()).isSameAs(second);
        assertThat(lease()).isSameAs(first);
        assertThat(first.isReused()).isTrue();
        assertThat(pool.counts()).containsEntry("opened", 2L).containsEntry("leased", 2L);
    }

    @Test
    void bytesGoBothWaysAlsoAfterItWasWatched() throws Exception {
        Connection connection = lease();
        Socket peer = peer();
        pool.release(connection, Long.MAX_VALUE, Ticker.SYSTEM.nanos());

        Connection again = lease();
        assertThat(again).isSameAs(connection);
        again.out().write(new byte[] {1, 2, 3});
        assertThat(peer.getInputStream().readNBytes(3)).containsExactly(1, 2, 3);
        peer.getOutputStream().write(new byte[] {4, 5});
        assertThat(again.in().readNBytes(2)).containsExactly(4, 5);
        pool.release(again, Long.MAX_VALUE, Ticker.SYSTEM.nanos());
    }

    @Test
    void aPeersCloseIsSeenAtOnceAndTheConnectionClosed() throws Exception {
        Connection connection = lease();
        Socket peer = peer();
        pool.release(connection, Long.MAX_VALUE, Ticker.SYSTEM.nanos());

        peer.shutdownOutput();

        assertThat(peer.getInputStream().read()).isEqualTo(-1);
        until(() -> pool.counts().getOrDefault("found_closed", 0L) == 1);
        assertThat(pool.counts()).containsEntry("idle", 0L);
    }

    @Test
    void aClosedOneIsNeverLeased() throws Exception {
        Connection connection = lease();
        Socket peer = peer();
        pool.release(connection, Long.MAX_VALUE, Ticker.SYSTEM.nanos());
        peer.close();

        Connection other = lease();

        assertThat(other).isNotSameAs(connection);
        assertThat(other.isReused()).isFalse();
    }

    @Test
    void oneThatTalksOutOfTurnIsNeverLeased() throws Exception {
        Connection connection = lease();
        Socket peer = peer();
        pool.release(connection, Long.MAX_VALUE, Ticker.SYSTEM.nanos());
        peer.getOutputStream().write("HTTP/1.1 408".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        until(() -> connection.isClosed());

        assertThat(lease().isReused()).isFalse();
    }

    @Test
    void thereAreNeverMoreThanPlaces() throws Exception {
        List<Connection> leased = new ArrayList<>(List.of(lease(), lease(), lease()));
        assertThat(pool.enter(1_000_000)).isFalse();

        pool.release(leased.removeFirst(), Long.MAX_VALUE, Ticker.SYSTEM.nanos());

        assertThat(lease().isReused()).isTrue();
        assertThat(pool.counts()).containsEntry("opened", 3L);
    }

    @Test
    void aCutEndsAReadThatWaits() throws Exception {
        Connection connection = lease();
        pool.cutAt(connection, Ticker.SYSTEM.nanos() + SECOND / 10);

        InputStream in = connection.in();
        assertThatThrownBy(in::read).isInstanceOf(IOException.class);

        assertThat(connection.wasCut()).isTrue();
        assertThat(connection.endCut()).isFalse();
        pool.discard(connection);
        assertThat(pool.counts()).containsEntry("leased", 0L).containsEntry("idle", 0L);
    }

    @Test
    void whatEndedInTimeIsNotCut() throws Exception {
        Connection connection = lease();
        pool.cutAt(connection, Ticker.SYSTEM.nanos() + SECOND / 10);
        assertThat(connection.endCut()).isTrue();
        pool.release(connection, Long.MAX_VALUE, Ticker.SYSTEM.nanos());

        long over = Ticker.SYSTEM.nanos() + SECOND / 5;
        until(() -> Ticker.SYSTEM.nanos() - over > 0);
        assertThat(lease()).isSameAs(connection);
    }

    @Test
    void aConnectionIsRetiredWhenThePeerWantsItNoLonger() throws Exception {
        Connection connection = lease();
        pool.release(connection, SECOND / 10, Ticker.SYSTEM.nanos());

        until(() -> pool.counts().getOrDefault("retired", 0L) == 1);

        assertThat(connection.isClosed()).isTrue();
        assertThat(pool.counts()).containsEntry("found_closed", 0L);
    }

    @Test
    void closingThePoolClosesAllAndEndsItsThreads() throws Exception {
        Connection idle = lease();
        Connection busy = lease();
        Socket peer = peer();
        pool.release(idle, Long.MAX_VALUE, Ticker.SYSTEM.nanos());

        pool.close();

        assertThat(peer.getInputStream().read()).isEqualTo(-1);
        InputStream in = busy.in();
        assertThatThrownBy(in::read).isInstanceOf(IOException.class);
        until(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().equals("penstock-idle")));
    }

    private interface Condition {
        boolean holds();
    }

    @SuppressWarnings("ThreadPriorityCheck")
    private static void until(Condition condition) {
        while (!condition.holds()) {
            Thread.onSpinWait();
        }
    }
}
