package dev.penstock.jms.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.jms.FaultyClient;
import dev.penstock.jms.JmsBroker;
import dev.penstock.jms.JmsMessage;
import dev.penstock.jms.JmsTarget;
import dev.penstock.jms.broker.EmbeddedBroker;
import dev.penstock.kit.StablePort;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A broker restarts while messages are in process. */
@Timeout(300)
class BrokerRestartArtemisTest {
    private static final int MESSAGES = 60;

    @TempDir
    Path folder;

    private static final class Commits implements FaultyClient.Fault {
        private final AtomicInteger count = new AtomicInteger();

        @Override
        public void before(String call, int received) {}

        @Override
        public void after(String call) {
            if (call.equals("Session.commit")) {
                count.incrementAndGet();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void restartNeitherRepeatsNorLosesMessagesInProcess(boolean anyClient) throws Exception {
        Map<String, Integer> carried = new ConcurrentHashMap<>();
        CountDownLatch busy = new CountDownLatch(10);
        CountDownLatch goOn = new CountDownLatch(1);
        Commits commits = new Commits();
        int port = StablePort.free();
        EmbeddedBroker broker = EmbeddedBroker.on(folder, "127.0.0.1", port);
        JmsBroker at = JmsBroker.at(broker.url());
        try (JmsTarget target = JmsTarget.at(at).queue("q").build()) {
            for (int n = 0; n < MESSAGES; n++) {
                target.call(JmsMessage.text("m" + n));
            }
        }
        try (JmsSource source = JmsSource.at(
                        anyClient ? FaultyClient.broker(broker.url() + "?consumerWindowSize=0", commits) : at)
                .queue("q")
                .key(JmsMessage.MESSAGE_ID)
                .inFlight(20)
                .to(
                        message -> {
                            carried.merge(message.text(), 1, Integer::sum);
                            busy.countDown();
                            goOn.await();
                            return "done";
                        },
                        () -> 20)) {
            source.start();
            assertThat(busy.await(60, TimeUnit.SECONDS)).isTrue();
            broker.close();
            goOn.countDown();
            broker = EmbeddedBroker.on(folder, "127.0.0.1", port);
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
            while ((broker.count("q") > 0 || source.inFlight() > 0) && System.nanoTime() < end) {
                LockSupport.parkNanos(1_000_000);
            }
            assertThat(broker.count("q")).as(() -> source.counts().toString()).isZero();
            assertThat(carried)
                    .hasSize(MESSAGES)
                    .allSatisfy((text, times) -> assertThat(times).isOne());
            assertThat(broker.count("q.DLQ")).isZero();
            if (anyClient) {
                assertThat(commits.count).as("successful commits").hasValue(MESSAGES);
            }
            assertThat(source.connections().get("opened")).isGreaterThan(1);
        } finally {
            broker.close();
        }
    }
}
