package dev.penstock.http.pool;

import static dev.penstock.http.pool.PoolScene.SECOND;
import static dev.penstock.http.pool.PoolScene.limits;
import static dev.penstock.http.pool.PoolScene.until;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.Ticker;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class ConnectionPoolRealClockTest {
    private PoolScene scene;

    @BeforeEach
    void start() throws IOException {
        scene = new PoolScene(limits(3));
    }

    @AfterEach
    void close() throws IOException {
        scene.close();
    }

    private static long now() {
        return Ticker.SYSTEM.nanos();
    }

    @Test
    void theNewestIdleOneIsTakenFirst() throws Exception {
        Connection first = scene.lease();
        Connection second = scene.lease();
        scene.release(first);
        scene.release(second);

        assertThat(scene.lease()).isSameAs(second);
        assertThat(scene.lease()).isSameAs(first);
        assertThat(first.isReused()).isTrue();
        assertThat(scene.pool.counts()).containsEntry("opened", 2L).containsEntry("leased", 2L);
    }

    @Test
    void bytesGoBothWaysAlsoAfterItWasWatched() throws Exception {
        Connection connection = scene.lease();
        Socket peer = scene.peer();
        scene.release(connection);

        Connection again = scene.lease();
        assertThat(again).isSameAs(connection);
        again.out().write(new byte[] {1, 2, 3});
        assertThat(peer.getInputStream().readNBytes(3)).containsExactly(1, 2, 3);
        peer.getOutputStream().write(new byte[] {4, 5});
        assertThat(again.in().readNBytes(2)).containsExactly(4, 5);
        scene.release(again);
    }

    @Test
    void aPeersCloseIsSeenAtOnceAndTheConnectionClosed() throws Exception {
        Connection connection = scene.lease();
        Socket peer = scene.peer();
        scene.release(connection);

        peer.shutdownOutput();

        assertThat(peer.getInputStream().read()).isEqualTo(-1);
        until(() -> scene.count("found_closed") == 1);
        assertThat(scene.pool.counts()).containsEntry("idle", 0L);
    }

    @Test
    void aClosedOneIsNeverLeased() throws Exception {
        Connection connection = scene.lease();
        Socket peer = scene.peer();
        scene.release(connection);
        peer.close();

        Connection other = scene.lease();

        assertThat(other).isNotSameAs(connection);
        assertThat(other.isReused()).isFalse();
    }

    @Test
    void oneThatTalksOutOfTurnIsNeverLeased() throws Exception {
        Connection connection = scene.lease();
        Socket peer = scene.peer();
        scene.release(connection);
        peer.getOutputStream().write("HTTP/1.1 408".getBytes(US_ASCII));
        until(connection::isClosed);

        assertThat(scene.lease().isReused()).isFalse();
    }

    @Test
    void thereAreNeverMoreThanPlaces() throws Exception {
        List<Connection> leased = new ArrayList<>(List.of(scene.lease(), scene.lease(), scene.lease()));
        assertThat(scene.pool.acquire(1_000_000)).isNull();

        scene.release(leased.removeFirst());

        assertThat(scene.lease().isReused()).isTrue();
        assertThat(scene.pool.counts()).containsEntry("opened", 3L);
    }

    @Test
    void aCutEndsAReadThatWaits() throws Exception {
        Connection connection = scene.lease();
        scene.pool.setTimeout(connection, now() + SECOND / 10);

        InputStream in = connection.in();
        assertThatThrownBy(in::read).isInstanceOf(IOException.class);

        assertThat(connection.hasTimedOut()).isTrue();
        assertThat(connection.clearTimeout()).isFalse();
        scene.discard(connection);
        assertThat(scene.pool.counts()).containsEntry("leased", 0L).containsEntry("idle", 0L);
    }

    @Test
    void aConnectionIsRetiredWhenThePeerWantsItNoLonger() throws Exception {
        Connection connection = scene.lease();
        scene.release(connection, SECOND / 10);

        until(() -> scene.count("retired") == 1);

        assertThat(connection.isClosed()).isTrue();
        assertThat(scene.pool.counts()).containsEntry("found_closed", 0L);
    }

    @Test
    void closingThePoolClosesAllAndEndsItsThreads() throws Exception {
        Connection idle = scene.lease();
        Connection busy = scene.lease();
        Socket peer = scene.peer();
        scene.release(idle);

        assertThat(Thread.getAllStackTraces().keySet())
                .anyMatch(thread -> thread.getName().equals("penstock-pool " + scene.address()));

        scene.pool.close();

        assertThat(peer.getInputStream().read()).isEqualTo(-1);
        InputStream in = busy.in();
        assertThatThrownBy(in::read).isInstanceOf(IOException.class);
        until(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().endsWith(scene.address())));
    }

    /** Their entries stay among the idle ones until a sweep. */
    @Test
    void onesThatHadEndedBeforeAreNotEvicted() throws Exception {
        Connection ended = scene.lease();
        Socket peer = scene.peer();
        Connection alive = scene.lease();
        Connection dead = scene.lease();
        scene.release(ended);
        scene.release(alive);
        scene.release(dead);
        peer.close();
        until(() -> scene.count("found_closed") == 1);

        assertThat(scene.lease()).isSameAs(dead);
        scene.pool.unanswered(dead);

        assertThat(scene.pool.counts()).containsEntry("evicted", 1L).containsEntry("retired", 1L);
        scene.discard(dead);
    }
}
