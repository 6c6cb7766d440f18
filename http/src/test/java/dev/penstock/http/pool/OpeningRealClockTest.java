package dev.penstock.http.pool;

import static dev.penstock.http.pool.PoolScene.SECOND;
import static dev.penstock.http.pool.PoolScene.limits;
import static dev.penstock.http.pool.PoolScene.until;
import static dev.penstock.http.pool.PoolScene.untilWaiting;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Ticker;
import dev.penstock.http.RefusedPort;
import dev.penstock.kit.ManualTicker;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is left when a connection cannot be opened, wherever that breaks off. */
@Timeout(120)
class OpeningRealClockTest {
    /** The type of a record of TLS in a handshake (RFC 8446, 5.1). */
    private static final int HANDSHAKE = 22;

    private final ConnectionTotal total = ConnectionTotal.of(5);
    private final List<AutoCloseable> opened = new ArrayList<>();

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable each : opened) {
            each.close();
        }
        assertThat(total.open()).isZero();
    }

    private ConnectionPool pool(int port) {
        ConnectionPool pool = new ConnectionPool(
                new Connector("localhost", port, null, null, Ticker.SYSTEM), limits(5), total, Ticker.SYSTEM);
        opened.add(pool);
        return pool;
    }

    private PoolScene secureScene() throws Exception {
        return secureScene(Ticker.SYSTEM);
    }

    private PoolScene secureScene(Ticker ticker) throws Exception {
        SSLContext context = TlsEnd.client();
        PoolScene scene = new PoolScene(limits(5), total, ticker, () -> context);
        opened.add(scene);
        return scene;
    }

    /** Opens one on a thread of its own, and tells what that threw. */
    private static final class Opening {
        private final FutureTask<Throwable> task;
        private final Thread thread;

        Opening(ConnectionPool pool, long nanos) throws Exception {
            this(pool, nanos, Ticker.SYSTEM);
        }

        Opening(ConnectionPool pool, long nanos, Ticker ticker) throws Exception {
            assertThat(pool.acquire(0)).isNotNull();
            assertThat(pool.acquireOpenPermit(0)).isTrue();
            task = new FutureTask<>(() -> {
                try {
                    pool.open(_ -> List.of(InetAddress.getLoopbackAddress()), ticker.nanos() + nanos);
                    return new AssertionError("opened");
                } catch (IOException e) {
                    return e;
                }
            });
            thread = Thread.ofVirtual().start(task);
        }

        Throwable end() throws Exception {
            return task.get();
        }
    }

    private void assertNothingIsLeft(ConnectionPool pool) {
        pool.releasePermit();
        assertThat(pool.counts())
                .containsEntry("leased", 0L)
                .containsEntry("idle", 0L)
                .containsEntry("opened", 0L);
        assertThat(total.open()).isZero();
    }

    /** A port at which nobody is accepted: the system drops what wants to connect. */
    private int fullPort() throws IOException {
        ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        opened.add(full);
        for (int i = 0; i < 4; i++) {
            SocketChannel filler = SocketChannel.open();
            opened.add(filler);
            filler.configureBlocking(false);
            filler.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), full.getLocalPort()));
        }
        return full.getLocalPort();
    }

    @Test
    void aRefusedOne() throws Exception {
        RefusedPort refused = new RefusedPort();
        opened.add(refused);
        ConnectionPool pool = pool(refused.number());
        assertThat(new Opening(pool, 600 * SECOND).end()).isInstanceOf(ConnectException.class);
        assertNothingIsLeft(pool);
    }

    @Test
    void oneThatTakesTooLong() throws Exception {
        ConnectionPool pool = pool(fullPort());
        assertThat(new Opening(pool, SECOND / 20).end()).isInstanceOf(SocketTimeoutException.class);
        assertNothingIsLeft(pool);
    }

    @Test
    void anInterruptedOne() throws Exception {
        ConnectionPool pool = pool(fullPort());
        Opening opening = new Opening(pool, 600 * SECOND);
        untilWaiting(opening.thread);
        opening.thread.interrupt();
        assertThat(opening.end()).isInstanceOf(IOException.class);
        assertNothingIsLeft(pool);
    }

    @Test
    void aHandshakeThatTakesTooLong() throws Exception {
        ManualTicker ticker = new ManualTicker();
        PoolScene scene = secureScene(ticker);
        Opening opening = new Opening(scene.pool, 600 * SECOND, ticker);
        Socket peer = scene.peer();
        assertThat(peer.getInputStream().read()).as("its first byte").isEqualTo(HANDSHAKE);
        ticker.advance(Duration.ofSeconds(600));
        // The loop looks at the clock when something comes.
        peer.getOutputStream().write(HANDSHAKE);
        assertThat(opening.end()).isInstanceOf(SocketTimeoutException.class).hasMessage("TLS handshake timed out");
        assertNothingIsLeft(scene.pool);
    }

    @Test
    void aPoolThatIsClosedInAHandshake() throws Exception {
        PoolScene scene = secureScene();
        Opening opening = new Opening(scene.pool, 600 * SECOND);
        until(() -> scene.count("leased") == 1 && scene.peer() != null);
        scene.pool.close();
        assertThat(opening.end()).isInstanceOf(IOException.class);
        assertNothingIsLeft(scene.pool);
    }

    @Test
    void aPeerThatSpeaksNoTls() throws Exception {
        PoolScene scene = secureScene();
        Opening opening = new Opening(scene.pool, 600 * SECOND);
        scene.peer().getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(US_ASCII));
        assertThat(opening.end()).isInstanceOf(SSLException.class);
        assertNothingIsLeft(scene.pool);
    }
}
