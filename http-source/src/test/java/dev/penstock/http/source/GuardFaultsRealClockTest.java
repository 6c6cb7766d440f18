package dev.penstock.http.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.supervise.Supervisor;
import io.helidon.common.buffers.BufferData;
import io.helidon.common.socket.HelidonSocket;
import io.helidon.common.socket.PeerInfo;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.spi.ServerConnection;
import io.helidon.webserver.spi.ServerConnectionSelector;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What closing one overdue connection throws leaves the others to be closed in time. */
@Timeout(60)
class GuardFaultsRealClockTest {
    private static final Duration SHORT = Duration.ofMillis(10);
    private static final HttpSource.Limits LIMITS = new HttpSource.Limits(2_000, SHORT, SHORT, SHORT, 10);

    private final Supervisor supervisor = Supervisor.create();
    private final IdleConnectionReaper guard =
            supervisor.whileCurrent(() -> new IdleConnectionReaper("test", new NoServer(), LIMITS));

    private static final class NoServer implements ServerConnectionSelector {
        @Override
        public int bytesToIdentifyConnection() {
            return 0;
        }

        @Override
        public Support supports(BufferData data) {
            return Support.SUPPORTED;
        }

        @Override
        public Set<String> supportedApplicationProtocols() {
            return Set.of();
        }

        @Override
        public ServerConnection connection(ConnectionContext context) {
            return (ServerConnection) Proxy.newProxyInstance(
                    NoServer.class.getClassLoader(), new Class<?>[] {ServerConnection.class}, (proxy, method, args) -> {
                        throw new AssertionError("not handled here: " + method);
                    });
        }
    }

    /** A connection that runs this to close its socket. */
    private TimedConnection connection(Runnable close) {
        ClassLoader loader = getClass().getClassLoader();
        Object peer = Proxy.newProxyInstance(
                loader,
                new Class<?>[] {PeerInfo.class},
                (proxy, method, args) -> new InetSocketAddress(InetAddress.getLoopbackAddress(), 1));
        Object socket = Proxy.newProxyInstance(loader, new Class<?>[] {HelidonSocket.class}, (proxy, method, args) -> {
            close.run();
            return null;
        });
        ConnectionContext context = (ConnectionContext) Proxy.newProxyInstance(
                loader,
                new Class<?>[] {ConnectionContext.class},
                (proxy, method, args) -> "remotePeer".equals(method.getName()) ? peer : socket);
        return new TimedConnection(context, guard, LIMITS, new NoServer());
    }

    @Test
    void aConnectionThatCannotBeClosedLeavesTheOthersToBeClosed() throws Exception {
        CountDownLatch failed = new CountDownLatch(1);
        CountDownLatch failedAgain = new CountDownLatch(2);
        AtomicInteger tries = new AtomicInteger();
        CountDownLatch other = new CountDownLatch(1);
        guard.add(connection(() -> {
            failed.countDown();
            failedAgain.countDown();
            if (tries.incrementAndGet() == 1) {
                throw new NoClassDefFoundError("com/example/Gone");
            }
        }));
        guard.start();
        assertThat(failed.await(30, TimeUnit.SECONDS)).isTrue();
        guard.add(connection(other::countDown));

        assertThat(other.await(30, TimeUnit.SECONDS))
                .as("the other one is closed")
                .isTrue();
        assertThat(failedAgain.await(30, TimeUnit.SECONDS))
                .as("it is tried again")
                .isTrue();
        assertThat(supervisor.faults()).containsEntry("http-connection-reaper", 1L);
        guard.close();
        assertThat(supervisor.down()).isEmpty();
    }
}
