package dev.penstock.http.pool;

import static dev.penstock.http.pool.PoolScene.LONG;
import static dev.penstock.http.pool.PoolScene.SECOND;
import static dev.penstock.http.pool.PoolScene.limits;
import static dev.penstock.http.pool.PoolScene.until;
import static dev.penstock.http.pool.PoolScene.untilWaiting;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Ticker;
import java.io.IOException;
import java.net.Socket;
import java.nio.channels.ClosedByInterruptException;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** However an exchange ends, nothing is left of it: no place, no permit of the total, no half-open socket. */
@Timeout(120)
class EndingsRealClockTest {
    private static final byte[] ANSWER = "HTTP/1.1 200 OK".getBytes(US_ASCII);

    private final ConnectionTotal total = ConnectionTotal.of(2);
    private PoolScene scene;

    @BeforeEach
    void start() throws Exception {
        scene = new PoolScene(limits(2), total, Ticker.SYSTEM);
    }

    @AfterEach
    void stop() throws Exception {
        assertThat(scene.count("leased")).isZero();
        assertThat(total.open()).isEqualTo((int) scene.count("idle"));
        scene.close();
        assertThat(total.open()).isZero();
    }

    private interface Action {
        void run() throws Exception;
    }

    /** What an action throws on a thread of its own that waits when something is done to it. */
    private static Throwable thrown(Action action, ThreadAction meanwhile) throws Exception {
        FutureTask<Throwable> task = new FutureTask<>(new Callable<>() {
            @Override
            public Throwable call() {
                try {
                    action.run();
                    return new AssertionError("it went well");
                } catch (Throwable e) {
                    return e;
                }
            }
        });
        Thread thread = Thread.ofVirtual().start(task);
        untilWaiting(thread);
        meanwhile.to(thread);
        return task.get();
    }

    private interface ThreadAction {
        void to(Thread thread) throws Exception;
    }

    private static void writeWithoutEnd(Connection connection) throws IOException {
        byte[] much = new byte[1 << 20];
        while (true) {
            connection.out().write(much);
        }
    }

    @Test
    void anInterruptEndsARead() throws Exception {
        Connection connection = scene.lease();
        assertThat(thrown(() -> connection.in().read(), Thread::interrupt))
                .isInstanceOf(ClosedByInterruptException.class);
        assertThat(connection.isClosed()).isTrue();
        scene.discard(connection);
    }

    @Test
    void anInterruptEndsAWriteThatHasNoRoom() throws Exception {
        Connection connection = scene.lease();
        assertThat(thrown(() -> writeWithoutEnd(connection), Thread::interrupt))
                .isInstanceOf(ClosedByInterruptException.class);
        assertThat(connection.hasSent()).isTrue();
        scene.discard(connection);
    }

    @Test
    void anInterruptEndsTheWaitForAPlace() throws Exception {
        Connection one = scene.lease();
        Connection other = scene.lease();
        assertThat(thrown(() -> scene.pool.acquire(60 * SECOND), Thread::interrupt))
                .isInstanceOf(InterruptedException.class);
        scene.release(one);
        scene.release(other);
    }

    @Test
    void whoIsInterruptedBeforeReadsWhatIsThereAndNoMore() throws Exception {
        Connection connection = scene.lease();
        scene.peer().getOutputStream().write(ANSWER);
        connection.awaitAnswer();
        Thread.currentThread().interrupt();
        assertThat(connection.in().readNBytes(ANSWER.length)).isEqualTo(ANSWER);
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
        scene.release(connection);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(scene.lease()).isSameAs(connection);
        scene.release(connection);
    }

    @Test
    void aCutEndsAWriteThatHasNoRoom() throws Exception {
        Connection connection = scene.lease();
        assertThat(thrown(
                        () -> writeWithoutEnd(connection),
                        thread -> scene.pool.setTimeout(connection, Ticker.SYSTEM.nanos())))
                .isInstanceOf(IOException.class);
        assertThat(connection.hasTimedOut()).isTrue();
        scene.discard(connection);
    }

    @Test
    void whatCameBeforeTheCutCanBeReadAndThenItEnds() throws Exception {
        Connection connection = scene.lease();
        // More than an inbox holds, so the loop does not listen any more.
        scene.peer().getOutputStream().write(new byte[3 * SocketInput.Buffer.SIZE]);
        until(connection.socketTransport().input()::isPaused);
        scene.pool.setTimeout(connection, Ticker.SYSTEM.nanos());
        until(connection::isClosed);
        assertThat(connection.in().readNBytes(SocketInput.Buffer.SIZE)).hasSize(SocketInput.Buffer.SIZE);
        assertThat(thrown(() -> connection.in().read(), thread -> {})).isInstanceOf(IOException.class);
        scene.discard(connection);
    }

    @Test
    void oneThatIsStillToBeCutDoesNotBecomeIdle() throws Exception {
        Connection connection = scene.lease();
        scene.pool.setTimeout(connection, Ticker.SYSTEM.nanos() + 60 * SECOND);
        scene.release(connection);
        assertThat(connection.isClosed()).isTrue();
        assertThat(total.open()).isZero();
    }

    @Test
    void oneWithAnAnswerThatNobodyReadDoesNotBecomeIdle() throws Exception {
        Connection connection = scene.lease();
        scene.peer().getOutputStream().write(ANSWER);
        connection.awaitAnswer();
        scene.release(connection);
        assertThat(connection.isClosed()).isTrue();
    }

    @Test
    void oneThatWasResetAfterItsAnswerDoesNotBecomeIdle() throws Exception {
        Connection connection = scene.lease();
        Socket peer = scene.peer();
        peer.getOutputStream().write(ANSWER);
        connection.awaitAnswer();
        peer.setSoLinger(true, 0);
        peer.close();
        until(connection::isSpent);
        // Over loopback the answer is there still; what follows it is the reset.
        assertThat(connection.in().readNBytes(ANSWER.length)).isEqualTo(ANSWER);
        scene.release(connection);
        assertThat(connection.isClosed()).isTrue();
    }

    @Test
    void aDiscardedOneIsGoneForItsPeerAtOnceThoughNothingElseHappens() throws Exception {
        Connection connection = scene.lease();
        Socket peer = scene.peer();
        scene.discard(connection);
        assertThat(peer.getInputStream().read()).isEqualTo(-1);
        // Half closed it would take what its peer sends.
        assertThat(thrown(
                        () -> {
                            while (true) {
                                peer.getOutputStream().write(new byte[1_000]);
                            }
                        },
                        thread -> {}))
                .isInstanceOf(IOException.class);
        peer.close();
    }

    @Test
    void oneThatEndsBeforeItTookAByteIsReplacedUnderTheSamePlace() throws Exception {
        Connection connection = scene.lease();
        scene.release(connection);
        Connection again = scene.lease();
        Lease lease = scene.leaseOf(again);
        lease.discardStale();
        assertThat(scene.count("leased")).isEqualTo(1);
        assertThat(scene.count("found_closed")).isEqualTo(1);
        Connection next = scene.open(lease);
        assertThat(next.isReused()).isFalse();
        scene.release(next, LONG);
    }
}
