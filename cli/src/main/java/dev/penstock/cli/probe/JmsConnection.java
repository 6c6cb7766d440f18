package dev.penstock.cli.probe;

import dev.penstock.lab.probe.IdleConnection;
import dev.penstock.lab.probe.IdleConnection.KillKind;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * An idle connection to a broker. The client reads the socket, so how a connection ended is derived from its
 * exceptions: anything other than a reset counts as closed.
 */
final class JmsConnection implements IdleConnection {
    private final Connection connection;
    private final CompletableFuture<KillKind> end = new CompletableFuture<>();

    private JmsConnection(Connection connection) {
        this.connection = connection;
    }

    /** Wraps a connection and uses it once; closes it if that fails. */
    static JmsConnection of(Connection connection) throws JMSException {
        JmsConnection idle = new JmsConnection(connection);
        try {
            connection.setExceptionListener(ended -> idle.end.complete(SocketClose.of(ended)));
            connection.start();
            roundTrip(connection);
            return idle;
        } catch (JMSException | RuntimeException e) {
            idle.close();
            throw e;
        }
    }

    /** Opens and closes a session, which the broker answers. */
    static void roundTrip(Connection connection) throws JMSException {
        connection.createSession().close();
    }

    @Override
    public @Nullable KillKind ended(Duration atMost) throws InterruptedException {
        try {
            return end.get(atMost.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return null;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    /** Runs in a thread of its own, because client timeouts are half a minute. */
    @Override
    public @Nullable KillKind use(Duration atMost) throws InterruptedException {
        CompletableFuture<@Nullable KillKind> answer = new CompletableFuture<>();
        Thread.ofVirtual().name("penstock-probe-jms").start(() -> {
            try {
                roundTrip(connection);
                answer.complete(null);
            } catch (JMSException | RuntimeException e) {
                answer.complete(end.getNow(SocketClose.of(e)));
            }
        });
        try {
            return answer.get(atMost.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return KillKind.SILENT;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    /** Runs in a thread of its own, because closing waits for the broker. */
    @Override
    public void close() {
        Thread.ofVirtual().name("penstock-probe-jms-close").start(() -> {
            try {
                connection.close();
            } catch (JMSException | RuntimeException e) {
                // Closed anyway.
            }
        });
    }
}
