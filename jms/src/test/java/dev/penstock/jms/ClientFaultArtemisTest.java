package dev.penstock.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.penstock.Deadline;
import dev.penstock.Failed;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import dev.penstock.jms.broker.EmbeddedBroker;
import dev.penstock.supervise.Supervisor;
import jakarta.jms.InvalidDestinationException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An Error of a JMS client ends only the call in which it is thrown. */
@Timeout(60)
class ClientFaultArtemisTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    @TempDir
    private static Path folder;

    private static EmbeddedBroker broker;

    @BeforeAll
    static void start() throws Exception {
        broker = EmbeddedBroker.in(folder);
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    private static JmsBroker failingOnce(String where) throws Exception {
        AtomicBoolean failed = new AtomicBoolean();
        return FaultyClient.broker(broker.url(), (call, received) -> {
            if (call.equals(where) && failed.compareAndSet(false, true)) {
                throw new NoClassDefFoundError("org/example/Missing");
            }
        });
    }

    private static Unanswered ending(Duration time, JmsTarget target) {
        return catchThrowableOfType(
                Unanswered.class, () -> Deadline.in(time).call(() -> target.call(JmsMessage.text("m"))));
    }

    /**
     * The first ending that is not caused by a missing connection: the next connect waits a little. Null when answered.
     */
    private static Unanswered afterReconnecting(Duration time, JmsTarget target) {
        long end = System.nanoTime() + LONG.toNanos();
        Unanswered ended = ending(time, target);
        while (ended != null && ended.why() == Failed.Cause.CONNECT && System.nanoTime() < end) {
            LockSupport.parkNanos(5_000_000);
            ended = ending(time, target);
        }
        return ended;
    }

    @Test
    void errorWhileConnectingFailsOnlyThisCall() throws Exception {
        Supervisor supervisor = Supervisor.create();
        JmsBroker failing = failingOnce("ConnectionFactory.createConnection");
        try (var target = supervisor.whileCurrent(
                () -> JmsTarget.at(failing).queue("q-connect").build())) {
            Unanswered first = ending(LONG, target);
            assertThat(first.why()).isEqualTo(Failed.Cause.CONNECT);
            assertThat(first).hasMessageContaining("org/example/Missing");
            assertThat(afterReconnecting(LONG, target)).isNull();
            assertThat(supervisor.faults()).containsEntry("jms-connection", 1L);
        }
    }

    @Test
    void errorWhileStartingAConnectionFailsOnlyThisCall() throws Exception {
        try (var target =
                JmsTarget.at(failingOnce("Connection.start")).queue("q-start").build()) {
            assertThat(ending(LONG, target).why()).isEqualTo(Failed.Cause.CONNECT);
            assertThat(afterReconnecting(LONG, target)).isNull();
        }
    }

    @Test
    void errorWhileSendingFreesTheSession() throws Exception {
        AtomicInteger failures = new AtomicInteger();
        JmsBroker failing = FaultyClient.broker(broker.url(), (call, received) -> {
            if (call.equals("MessageProducer.send") && failures.incrementAndGet() <= 3) {
                throw new NoClassDefFoundError("org/example/Missing");
            }
        });
        try (var target = JmsTarget.at(failing).queue("q-send").sessions(1).build()) {
            for (int n = 0; n < 3; n++) {
                assertThat(ending(LONG, target).why()).isEqualTo(Unknown.Cause.ERROR);
            }
            assertThat(ending(LONG, target)).isNull();
            assertThat(target.connections()).containsEntry("sessions_leased", 0L);
        }
    }

    @Test
    void closesASessionWithoutAProducer() throws Exception {
        AtomicInteger open = new AtomicInteger();
        JmsBroker failing = FaultyClient.broker(broker.url(), (call, received) -> {
            switch (call) {
                case "Connection.createSession" -> open.incrementAndGet();
                case "Session.close" -> open.decrementAndGet();
                case "Session.createProducer" -> throw new InvalidDestinationException("no such queue");
                default -> {}
            }
        });
        try (var target = JmsTarget.at(failing).queue("q-none").build()) {
            for (int n = 0; n < 3; n++) {
                assertThat(ending(LONG, target).why()).isEqualTo(Failed.Cause.REFUSED);
            }
            assertThat(open).hasValue(0);
        }
    }
}
