package dev.penstock.http.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kit.ManualTicker;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IdleLifetimeTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long ANY = Long.MAX_VALUE;

    private final List<Connection> opened = new ArrayList<>();
    private ManualTicker ticker = new ManualTicker();
    private ServerSocketChannel peer;

    @AfterEach
    void close() throws IOException {
        opened.forEach(Connection::close);
        peer.close();
    }

    @BeforeEach
    void listen() throws IOException {
        peer = ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    private Connection open() throws IOException {
        SocketChannel channel = SocketChannel.open(peer.getLocalAddress());
        channel.configureBlocking(false);
        Connection connection = new Connection(channel, new BufferPool<>(SocketInput.Buffer::new), ticker);
        opened.add(connection);
        return connection;
    }

    private IdleLifetime life(boolean pinned, long maxAge) {
        return new IdleLifetime(new ConnectionPool.Limits(null, 60 * SECOND, pinned, maxAge), ticker.nanos());
    }

    private void pass(long nanos) {
        ticker.advance(Duration.ofNanos(nanos));
    }

    private void rest(Connection connection, IdleLifetime life) {
        connection.makeIdle(ticker.nanos(), life.until(connection, ticker.nanos(), ANY));
    }

    /** A connection that is leased after lying idle for so long. */
    private Connection leasedAfter(long idle, IdleLifetime life) throws IOException {
        Connection connection = open();
        rest(connection, life);
        pass(idle);
        assertThat(connection.lease(ticker.nanos())).isEqualTo(TransportLayer.Liveness.ALIVE);
        assertThat(connection.idleAge()).isEqualTo(idle);
        return connection;
    }

    /** One dies in silence after lying idle for so long, while others answer. */
    private void oneDies(long idle, IdleLifetime life) throws IOException {
        Connection dead = leasedAfter(idle, life);
        pass(SECOND);
        life.answered(open(), ticker.nanos());
        life.unanswered(dead);
    }

    /** Also where readings of the clock overflow. */
    @ParameterizedTest
    @ValueSource(longs = {0, -SECOND, Long.MAX_VALUE - 30 * SECOND, Long.MIN_VALUE})
    void itIsTheShortestOfWhatIsGivenSaidAndLeft(long start) throws IOException {
        ticker = new ManualTicker(start);
        IdleLifetime life = life(true, 100 * SECOND);
        Connection connection = open();
        long now = ticker.nanos();
        assertThat(life.until(connection, now, ANY) - now).isEqualTo(60 * SECOND);
        assertThat(life.until(connection, now, 5 * SECOND) - now).isEqualTo(5 * SECOND);
        assertThat(life.until(connection, now, 70 * SECOND) - now).isEqualTo(60 * SECOND);
        pass(90 * SECOND);
        assertThat(life.until(connection, ticker.nanos(), ANY) - ticker.nanos()).isEqualTo(10 * SECOND);
        pass(20 * SECOND);
        assertThat(life.until(connection, ticker.nanos(), ANY) - ticker.nanos()).isEqualTo(-10 * SECOND);
        connection.makeIdle(now, life.until(connection, now, 5 * SECOND));
        assertThat(life.retireAt(connection) - now).isEqualTo(5 * SECOND);
    }

    @Test
    void whatIsLearnedHoldsForThoseThatAreIdleAlready() throws IOException {
        IdleLifetime life = life(false, ANY);
        Connection idle = open();
        rest(idle, life);
        long since = ticker.nanos();
        assertThat(life.retireAt(idle) - since).isEqualTo(60 * SECOND);
        assertThat(life.reason()).isEqualTo("no drops of idle connections observed yet; the maximum is 60 s");
        oneDies(30 * SECOND, life);
        assertThat(life.retireAt(idle) - since).isEqualTo(SECOND);
        assertThat(life.timeout()).isEqualTo(SECOND);
        assertThat(life.reason()).contains("one was dead after 30 s idle").doesNotContain("maximum");
    }

    @Test
    void aGivenTimeStaysWhateverIsSeen() throws IOException {
        IdleLifetime life = life(true, ANY);
        oneDies(30 * SECOND, life);
        for (int i = 0; i < 5; i++) {
            Connection closed = open();
            rest(closed, life);
            pass(5 * SECOND);
            assertThat(life.ended(closed, ticker.nanos())).isFalse();
        }
        assertThat(life.timeout()).isEqualTo(60 * SECOND);
        assertThat(life.reason()).isEqualTo("given");
    }

    @Test
    void closesAtOneAgeAreLearned() throws IOException {
        IdleLifetime life = life(false, ANY);
        for (int i = 0; i < 3; i++) {
            Connection closed = open();
            rest(closed, life);
            pass(5 * SECOND);
            assertThat(life.ended(closed, ticker.nanos())).isEqualTo(i == 2);
        }
        assertThat(life.timeout()).isEqualTo(4_500_000_000L);
    }

    @Test
    void whereAllIsSilentThePeerMayBeDownAndNothingIsLearned() throws IOException {
        IdleLifetime life = life(false, ANY);
        Connection dead = leasedAfter(30 * SECOND, life);
        pass(SECOND);
        life.unanswered(dead);
        assertThat(life.timeout()).isEqualTo(60 * SECOND);
        // One that was idle before says nothing about it.
        Connection old = leasedAfter(10 * SECOND, life);
        assertThat(life.answered(old, ticker.nanos())).isFalse();
        assertThat(life.timeout()).isEqualTo(60 * SECOND);
        // A new one does: the peer was there.
        assertThat(life.answered(open(), ticker.nanos())).isTrue();
        assertThat(life.timeout()).isEqualTo(10 * SECOND);
        assertThat(life.answered(open(), ticker.nanos())).isFalse();
    }

    @Test
    void theLongestSeenAliveIsSafe() throws IOException {
        IdleLifetime life = life(false, ANY);
        for (long age : new long[] {3 * SECOND, 20 * SECOND, 7 * SECOND}) {
            life.answered(leasedAfter(age, life), ticker.nanos());
        }
        oneDies(40 * SECOND, life);
        assertThat(life.timeout()).isEqualTo(20 * SECOND);
    }

    @Test
    void whatWasOpenedBeforeARenewalIsNotUsedAgain() throws IOException {
        IdleLifetime life = life(false, ANY);
        Connection before = open();
        pass(1);
        life.renew(ticker.nanos());
        Connection after = open();
        pass(SECOND);
        rest(before, life);
        rest(after, life);
        assertThat(life.retireAt(before) - ticker.nanos()).isZero();
        assertThat(life.retireAt(after) - ticker.nanos()).isEqualTo(60 * SECOND);
    }
}
