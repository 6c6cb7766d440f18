package dev.penstock.jms.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Service;
import dev.penstock.jms.FaultyClient;
import dev.penstock.jms.JmsBroker;
import dev.penstock.jms.JmsMessage;
import dev.penstock.jms.JmsTarget;
import dev.penstock.jms.broker.EmbeddedBroker;
import dev.penstock.supervise.Supervisor;
import jakarta.jms.JMSException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A source continues and holds no message for ever, whatever its client or the flow throws. */
@Timeout(60)
class ClientFaultSourceArtemisTest {
    private static final int COUNT = 40;

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

    private static JmsBroker failingOnce(Throwable why) throws Exception {
        AtomicBoolean failed = new AtomicBoolean();
        return FaultyClient.broker(broker.url(), (call, received) -> {
            if (call.equals("MessageConsumer.receive") && received >= 3 && failed.compareAndSet(false, true)) {
                throw why;
            }
        });
    }

    private static JmsBroker at(boolean anyClient) throws Exception {
        return anyClient ? FaultyClient.unknown(broker.url()) : JmsBroker.at(broker.url());
    }

    private static String filled(String queue) throws Exception {
        try (JmsTarget target =
                JmsTarget.at(JmsBroker.at(broker.url())).queue(queue).build()) {
            for (int n = 0; n < COUNT; n++) {
                target.call(JmsMessage.text("m" + n).withProperty("payment", "p" + n));
            }
        }
        return queue;
    }

    private static JmsSource source(JmsBroker at, String queue, Service<JmsMessage, ?> handler) {
        return JmsSource.at(at)
                .queue(queue)
                .key("payment")
                .redeliver(2)
                .backoff(Duration.ofMillis(1), Duration.ofMillis(2))
                .to(handler, () -> COUNT);
    }

    private static void await(BooleanSupplier what) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!what.getAsBoolean() && System.nanoTime() < end) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    private static void carriesAll(JmsBroker at, String queue) throws Exception {
        Set<String> carried = ConcurrentHashMap.newKeySet();
        try (JmsSource source = source(at, queue, message -> carried.add(message.text()))) {
            source.start();
            // The broker briefly counts no messages while it takes back those of a lost connection.
            await(() -> carried.size() == COUNT && broker.count(queue) == 0 && source.inFlight() == 0);
            assertThat(carried).hasSize(COUNT);
            assertThat(broker.count(queue)).isZero();
            assertThat(source.inFlight()).as(() -> source.counts().toString()).isZero();
        }
    }

    @Test
    void errorWhileReceivingIsALostConnection() throws Exception {
        Supervisor supervisor = Supervisor.create();
        JmsBroker failing = failingOnce(new NoClassDefFoundError("org/example/Missing"));
        String queue = filled("error");
        supervisor.whileCurrent(() -> {
            carriesAll(failing, queue);
            return queue;
        });
        assertThat(supervisor.faults()).containsEntry("jms-receiver", 1L);
        assertThat(supervisor.down()).isEmpty();
    }

    @Test
    void lostConnectionFreesItsPlaces() throws Exception {
        Supervisor supervisor = Supervisor.create();
        JmsBroker failing = failingOnce(new JMSException("the connection is lost"));
        String queue = filled("lost");
        supervisor.whileCurrent(() -> {
            carriesAll(failing, queue);
            return queue;
        });
        assertThat(supervisor.faults()).as("a lost connection is no fault").containsEntry("jms-receiver", 0L);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void errorOfTheTargetIsUnknown(boolean anyClient) throws Exception {
        String queue = filled("target-" + anyClient);
        Service<JmsMessage, String> broken = message -> {
            throw new StackOverflowError("in the target");
        };
        try (JmsSource source = source(at(anyClient), queue, broken)) {
            source.start();
            // The broker briefly counts no messages while it takes back those that are redelivered.
            await(() -> broker.count(queue + ".DLQ") == COUNT && broker.count(queue) == 0 && source.inFlight() == 0);
            assertThat(source.inFlight()).as(() -> source.counts().toString()).isZero();
            assertThat(source.counts()).containsEntry("dead_letters", (long) COUNT);
            assertThat(broker.count(queue + ".DLQ")).isEqualTo(COUNT);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void interruptLeftByTheTargetAffectsNoOtherMessage(boolean anyClient) throws Exception {
        String queue = filled("interrupted-" + anyClient);
        Service<JmsMessage, String> careless = message -> {
            Thread.currentThread().interrupt();
            return "done";
        };
        try (JmsSource source = source(at(anyClient), queue, careless)) {
            source.start();
            await(() -> source.counts().getOrDefault("acknowledged", 0L) == COUNT
                    && broker.count(queue) == 0
                    && source.inFlight() == 0);
            assertThat(broker.count(queue)).isZero();
            assertThat(source.counts()).containsEntry("received", (long) COUNT).containsEntry("acknowledged", (long)
                    COUNT);
        }
    }
}
