package dev.penstock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.supervise.Supervisor;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A driver that throws an Error while a late call is cancelled does not prevent the abort of a connection. */
@Timeout(120)
class CallTimeoutsFaultsRealClockTest {
    private static <T> T proxy(Class<T> type, Runnable onCall) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, args) -> {
            onCall.run();
            return null;
        }));
    }

    @Test
    void errorInCancelIsCountedAndConnectionIsAborted() throws Exception {
        Supervisor supervisor = Supervisor.create();
        CountDownLatch cut = new CountDownLatch(2);
        Connection connection = proxy(Connection.class, () -> {
            cut.countDown();
            throw new StackOverflowError("in abort");
        });
        Statement statement = proxy(Statement.class, () -> {
            throw new StackOverflowError("in cancel");
        });
        try (CallTimeouts watch = supervisor.whileCurrent(() -> new CallTimeouts("test", Duration.ofMillis(1)));
                CallTimeouts.Call first = watch.start(connection, TimeUnit.SECONDS.toNanos(2));
                CallTimeouts.Call second = watch.start(connection, TimeUnit.SECONDS.toNanos(2))) {
            first.executing(statement);
            second.executing(statement);
            assertThat(cut.await(30, TimeUnit.SECONDS)).as("both are cut").isTrue();
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            while (supervisor.faults().getOrDefault("jdbc-deadlines", 0L) < 4 && System.nanoTime() - end < 0) {
                Thread.onSpinWait();
            }
            assertThat(supervisor.faults()).containsEntry("jdbc-deadlines", 4L);
        }
    }
}
