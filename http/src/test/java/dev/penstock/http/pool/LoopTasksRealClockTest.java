package dev.penstock.http.pool;

import static dev.penstock.http.pool.PoolScene.SECOND;
import static dev.penstock.http.pool.PoolScene.limits;
import static dev.penstock.http.pool.PoolScene.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kit.ManualTicker;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What fails in one task of a pool's loop leaves the others, on real sockets and threads. */
@Timeout(60)
class LoopTasksRealClockTest {
    private final ManualTicker ticker = new ManualTicker();
    private final AtomicInteger asked = new AtomicInteger();

    /** Fails on the loop's thread only. */
    private SSLContext context() {
        if (Thread.currentThread().getName().startsWith("penstock-pool")) {
            asked.incrementAndGet();
            throw new NoClassDefFoundError("com/example/KeyStore");
        }
        try {
            return SSLContext.getDefault();
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    private Connection added(PoolScene scene) throws IOException {
        SocketChannel channel = SocketChannel.open(scene.socketAddress());
        channel.configureBlocking(false);
        Connection connection = new Connection(channel, new BufferPool<>(SocketInput.Buffer::new), ticker);
        scene.pool.add(connection);
        return connection;
    }

    @Test
    void connectionsAreCutWhileTheTlsMaterialCannotBeRead() throws Exception {
        try (PoolScene scene = new PoolScene(limits(3), null, ticker, this::context)) {
            for (int round = 1; round <= 3; round++) {
                Connection connection = added(scene);
                ticker.advance(Duration.ofNanos(PoolSize.WINDOW + SECOND));
                scene.pool.setTimeout(connection, ticker.nanos());
                // One more wakes the loop, which sleeps by the clock of the system.
                added(scene);
                int expected = round;
                until(() -> connection.isClosed() && asked.get() == expected);
                assertThat(connection.hasTimedOut()).isTrue();
            }
        }
    }
}
