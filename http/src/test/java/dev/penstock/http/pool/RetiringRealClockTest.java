package dev.penstock.http.pool;

import static dev.penstock.http.pool.PoolScene.LONG;
import static dev.penstock.http.pool.PoolScene.SECOND;
import static dev.penstock.http.pool.PoolScene.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kit.ManualTicker;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When idle connections are given up. The times are the test's; sockets and threads are real. */
@SuppressWarnings("NullAway.Init") // each test starts one
@Timeout(120)
class RetiringRealClockTest {
    private final ManualTicker ticker = new ManualTicker(Long.MAX_VALUE - 5 * SECOND);
    private @Nullable PoolScene started;

    @AfterEach
    void stop() throws Exception {
        scene().close();
    }

    private PoolScene scene() {
        return Objects.requireNonNull(started, "start first");
    }

    private void start(ConnectionPool.Limits limits) throws Exception {
        started = new PoolScene(limits, null, ticker);
    }

    /** Moves the clock on; the loop looks at it when something happens, so something does. */
    private void pass(long nanos) throws Exception {
        ticker.advance(Duration.ofNanos(nanos));
        scene().discard(scene().open());
    }

    /** Returns when the loop has looked at the clock since. */
    private void turn() throws Exception {
        for (int i = 0; i < 2; i++) {
            Connection closed = scene().open();
            scene().newestPeer().close();
            scene().release(closed);
            until(closed::isClosed);
        }
    }

    private static ConnectionPool.Limits idle(long nanos) {
        return new ConnectionPool.Limits(10, nanos, false, LONG);
    }

    @Test
    void theSweepTakesThoseThatAreDueAndNoOther() throws Exception {
        start(idle(60 * SECOND));
        Connection asked = scene().lease();
        Connection early = scene().lease();
        Connection late = scene().lease();
        scene().release(asked, 5 * SECOND);
        scene().release(early);
        pass(6 * SECOND);
        until(asked::isClosed);
        scene().release(late);
        pass(55 * SECOND);
        // Counted a moment after it is closed.
        until(() -> scene().count("retired") == 2);
        assertThat(early.isClosed()).isTrue();
        assertThat(late.isIdle()).isTrue();
        assertThat(scene().lease()).isSameAs(late);
    }

    @Test
    void aLeaseDoesNotWaitForTheSweep() throws Exception {
        start(idle(SECOND));
        Connection connection = scene().lease();
        scene().release(connection);
        ticker.advance(Duration.ofSeconds(1));
        assertThat(scene().lease()).isNotSameAs(connection);
        assertThat(scene().count("retired")).isEqualTo(1);
    }

    @Test
    void maxAgeEndsAlsoOneThatIsAlwaysBusy() throws Exception {
        start(new ConnectionPool.Limits(10, 60 * SECOND, false, 10 * SECOND));
        Connection connection = scene().lease();
        for (int i = 0; i < 10; i++) {
            scene().release(connection);
            ticker.advance(Duration.ofMillis(900));
            assertThat(scene().lease()).isSameAs(connection);
        }
        ticker.advance(Duration.ofSeconds(2));
        assertThat(connection.isClosed())
                .as("it carries on to the end of its exchange")
                .isFalse();
        scene().release(connection);
        pass(SECOND);
        until(() -> scene().count("retired") == 1);
        assertThat(connection.isClosed()).isTrue();
    }

    @Test
    void whatEndedInTimeIsNotCut() throws Exception {
        start(idle(60 * SECOND));
        Connection connection = scene().lease();
        scene().pool.setTimeout(connection, ticker.nanos() + SECOND);
        assertThat(connection.clearTimeout()).isTrue();
        scene().release(connection);
        ticker.advance(Duration.ofSeconds(2));
        turn();
        assertThat(connection.isIdle()).isTrue();
        assertThat(scene().lease()).isSameAs(connection);
    }

    @Test
    void oneThatCameBackAfterTheReadingOfTheClockIsLookedAtToo() throws Exception {
        start(idle(60 * SECOND));
        Connection connection = scene().lease();
        Socket peer = scene().peer();
        long before = ticker.nanos();
        ticker.advance(Duration.ofSeconds(1));
        peer.setSoLinger(true, 0);
        scene().release(connection);
        peer.close();
        assertThat(scene().pool.borrow(before)).isNull();
    }

    @Test
    void onDeathInSilenceThoseThatLayAsLongAreClosedAndTheOthersWhenTheirTimeIsUp() throws Exception {
        start(idle(60 * SECOND));
        List<Connection> all = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            all.add(scene().lease());
        }
        scene().release(all.get(0));
        scene().release(all.get(1));
        ticker.advance(Duration.ofSeconds(10));
        assertThat(scene().lease()).isSameAs(all.get(1));
        scene().release(all.get(2));
        ticker.advance(Duration.ofSeconds(2));
        scene().pool.answered(all.get(3), ticker.nanos());
        scene().pool.unanswered(all.get(1));
        assertThat(all.get(0).isClosed()).isTrue();
        until(all.get(2)::isClosed);
        assertThat(scene().pool.idleTimeout()).isEqualTo(SECOND);
    }

    @Test
    void afterTheSettingsOfTlsHaveChangedThoseOpenedBeforeAreNotUsedAgain() throws Exception {
        AtomicReference<SSLContext> context = new AtomicReference<>(TlsEnd.client());
        started = new PoolScene(idle(600 * SECOND), null, ticker, context::get);
        Connection idle = secure();
        Connection busy = secure();
        scene().release(idle);
        context.set(TlsEnd.client());
        // Nothing is due before that, so the loop does not look whether they have.
        ticker.advance(Duration.ofSeconds(60));
        Connection fresh = secure();
        until(idle::isClosed);
        assertThat(busy.isClosed()).isFalse();
        scene().release(busy);
        until(busy::isClosed);
        ticker.advance(Duration.ofSeconds(1));
        scene().release(fresh);
        assertThat(scene().lease()).isSameAs(fresh);
    }

    private Connection secure() throws Exception {
        FutureTask<Connection> opening = new FutureTask<>(scene()::open);
        Thread.ofVirtual().start(opening);
        TlsEnd.of(scene().peer(), "TLSv1.3");
        return opening.get();
    }
}
