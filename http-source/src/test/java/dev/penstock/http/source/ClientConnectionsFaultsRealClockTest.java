package dev.penstock.http.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.supervise.Supervisor;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What closing one overdue connection throws leaves the others to be closed in time. */
@Timeout(60)
class ClientConnectionsFaultsRealClockTest {
    private static final Duration SHORT = Duration.ofMillis(10);
    private static final HttpSource.Limits LIMITS = new HttpSource.Limits(SHORT, SHORT, SHORT, 10);

    private final Supervisor supervisor = Supervisor.create();
    private final ClientConnections connections = supervisor.whileCurrent(
            () -> new ClientConnections("test", new ServerConnector(new Server()), LIMITS, null));

    /** A connection that runs this to be closed. */
    private static Connection connection(Runnable close) {
        ClassLoader loader = ClientConnectionsFaultsRealClockTest.class.getClassLoader();
        EndPoint socket = (EndPoint) Proxy.newProxyInstance(
                loader, new Class<?>[] {EndPoint.class}, (proxy, method, args) -> switch (method.getName()) {
                    case "getRemoteSocketAddress" -> new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
                    case "hashCode" -> System.identityHashCode(proxy);
                    case "equals" -> proxy == args[0];
                    case "isOutputShutdown" -> false;
                    case "close" -> {
                        close.run();
                        yield null;
                    }
                    default -> throw new AssertionError("not expected: " + method);
                });
        return (Connection) Proxy.newProxyInstance(
                loader, new Class<?>[] {Connection.class}, (proxy, method, args) -> switch (method.getName()) {
                    case "getEndPoint" -> socket;
                    case "close" -> {
                        close.run();
                        yield null;
                    }
                    default -> throw new AssertionError("not expected: " + method);
                });
    }

    @Test
    void aConnectionThatCannotBeClosedLeavesTheOthersToBeClosed() throws Exception {
        CountDownLatch failed = new CountDownLatch(1);
        AtomicInteger tries = new AtomicInteger();
        CountDownLatch other = new CountDownLatch(1);
        CountDownLatch failedAgain = new CountDownLatch(2);
        connections.onOpened(connection(() -> {
            failed.countDown();
            failedAgain.countDown();
            if (tries.incrementAndGet() == 1) {
                throw new NoClassDefFoundError("com/example/Gone");
            }
        }));
        connections.start();
        assertThat(failed.await(30, TimeUnit.SECONDS)).isTrue();
        connections.onOpened(connection(other::countDown));

        assertThat(other.await(30, TimeUnit.SECONDS))
                .as("the other one is closed")
                .isTrue();
        assertThat(failedAgain.await(30, TimeUnit.SECONDS))
                .as("it is tried again")
                .isTrue();
        assertThat(supervisor.faults()).containsEntry("http-connections", 1L);
        connections.close();
        assertThat(supervisor.down()).isEmpty();
    }
}
