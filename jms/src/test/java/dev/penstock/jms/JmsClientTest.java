package dev.penstock.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A connect without an answer in time is abandoned, and ends as soon as the client allows it. */
@Timeout(60)
class JmsClientTest {
    private static final Duration SOON = Duration.ofMillis(1);
    private static final Duration LONG = Duration.ofSeconds(30);

    private final CountDownLatch answer = new CountDownLatch(1);
    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();
    private final AtomicInteger closed = new AtomicInteger();
    private final AtomicInteger abandoned = new AtomicInteger();

    private JmsClient client(Duration within, Callable<Connection> creates) {
        ConnectionFactory factory = proxy(ConnectionFactory.class, call -> {
            asked.incrementAndGet();
            try {
                return creates.call();
            } finally {
                ended.incrementAndGet();
            }
        });
        return new JmsClient(JmsBroker.of(factory, "a slow broker"), factory, false, abandoned, within);
    }

    private interface Answers {
        @Nullable
        Object to(String call) throws Exception;
    }

    private interface Step {
        void run() throws Exception;
    }

    private static <T> T proxy(Class<T> type, Answers answers) {
        return type.cast(Proxy.newProxyInstance(
                JmsClientTest.class.getClassLoader(),
                new Class<?>[] {type},
                (self, method, given) -> answers.to(method.getName())));
    }

    private Connection connection(Step start) {
        return proxy(Connection.class, call -> {
            switch (call) {
                case "start" -> start.run();
                case "close" -> closed.incrementAndGet();
                default -> throw new AssertionError(call);
            }
            return null;
        });
    }

    private Connection late() {
        boolean interrupted = false;
        while (answer.getCount() > 0) {
            try {
                answer.await();
            } catch (InterruptedException ignored) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return connection(() -> {});
    }

    private static void assertAbandoned(JmsClient client) {
        assertThatThrownBy(client::open).isExactlyInstanceOf(JMSException.class).hasMessage("no answer within 1 ms");
    }

    @Test
    void startsTheConnection() throws Exception {
        AtomicInteger started = new AtomicInteger();
        Connection made = connection(started::incrementAndGet);
        assertThat(client(LONG, () -> made).open()).isSameAs(made);
        assertThat(started).hasValue(1);
        assertThat(closed).hasValue(0);
    }

    @Test
    void closesALateConnection() {
        assertAbandoned(client(SOON, this::late));
        assertThat(abandoned).hasValue(1);
        answer.countDown();
        JmsTargetContract.await(() -> closed.get() == 1 && abandoned.get() == 0);
    }

    @Test
    void interruptsAnAbandonedConnect() {
        CountDownLatch never = new CountDownLatch(1);
        assertAbandoned(client(SOON, () -> {
            never.await();
            throw new AssertionError("nobody opens it");
        }));
        JmsTargetContract.await(() -> ended.get() == 1 && abandoned.get() == 0);
    }

    @Test
    void closesAConnectionThatDoesNotStartInTime() {
        CountDownLatch never = new CountDownLatch(1);
        assertAbandoned(client(SOON, () -> connection(never::await)));
        JmsTargetContract.await(() -> closed.get() == 1 && abandoned.get() == 0);
    }

    @Test
    void interruptedCallerAbandonsTheConnect() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(client(LONG, this::late)::open).hasMessage("interrupted while connecting");
        assertThat(Thread.interrupted()).isTrue();
        answer.countDown();
        JmsTargetContract.await(() -> closed.get() == 1 && abandoned.get() == 0);
    }

    @Test
    void limitsTheNumberOfHangingConnects() throws Exception {
        JmsClient client = client(SOON, this::late);
        for (int i = 0; i < JmsClient.MAX_ABANDONED; i++) {
            assertAbandoned(client);
        }
        assertThatThrownBy(client::open)
                .hasMessage("16 earlier connection attempts are still blocked in the JMS client;"
                        + " restart the process if they stay blocked");
        answer.countDown();
        JmsTargetContract.await(() -> abandoned.get() == 0);
        assertThat(asked).hasValue(JmsClient.MAX_ABANDONED);
        Connection _ = new JmsClient(client.broker(), client.broker().factory(), false, abandoned, LONG).open();
    }

    @Test
    void throwsTheErrorOfTheClient() {
        for (Throwable failure : new Throwable[] {
            new JMSSecurityException("who are you"),
            new IllegalStateException("broken"),
            new NoClassDefFoundError("gone")
        }) {
            assertThatThrownBy(client(LONG, () -> {
                        if (failure instanceof Error error) {
                            throw error;
                        }
                        throw (Exception) failure;
                    })::open)
                    .isSameAs(failure);
        }
        assertThat(abandoned).hasValue(0);
    }
}
