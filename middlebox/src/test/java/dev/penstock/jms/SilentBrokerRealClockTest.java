package dev.penstock.jms;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Failed;
import dev.penstock.Unanswered;
import dev.penstock.jms.kit.SilentBroker;
import dev.penstock.jms.source.JmsSource;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A broker that accepts connections and never answers: connects are abandoned and leave nothing behind. */
@Tag("full")
@Tag("full-only")
@Timeout(120)
class SilentBrokerRealClockTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    @ParameterizedTest
    @ValueSource(strings = {"tcp://127.0.0.1:%d", "tcp://127.0.0.1:%d?sslEnabled=true", "amqp://127.0.0.1:%d"})
    void targetAbandonsAnUnansweredConnect(String url) throws Exception {
        try (SilentBroker broker = SilentBroker.start();
                var target = JmsTarget.at(JmsBroker.at(url.formatted(broker.port())))
                        .queue("q")
                        .build()) {
            Unanswered ending = LostBrokerContract.endingWithin(LONG, target, LostBrokerContract.payment("p-1"));
            assertThat(ending.why()).isEqualTo(Failed.Cause.CONNECT);
            assertThat(ending).hasMessageContaining(": no answer within 5 s");
            JmsTargetContract.await(() -> broker.accepted() == 1 && broker.open() == 0);
            assertThat(target.connections()).containsEntry("opened", 0L);
        }
    }

    /** While the first connect waits for a TLS handshake, the client holds its lock. */
    @ParameterizedTest
    @ValueSource(strings = {"tcp://127.0.0.1:%d", "tcp://127.0.0.1:%d?sslEnabled=true", "amqp://127.0.0.1:%d"})
    void sourceStartsAndKeepsTrying(String url) throws Exception {
        try (SilentBroker broker = SilentBroker.start();
                var source = JmsSource.at(JmsBroker.at(url.formatted(broker.port())))
                        .queue("q")
                        .to(message -> "done", () -> 10)) {
            source.start();
            assertThat(broker.accepted()).isEqualTo(1);
            assertThat(broker.open()).isLessThanOrEqualTo(1);
            JmsTargetContract.await(() -> broker.accepted() > 1);
            assertThat(source.connections()).containsEntry("opened", 0L);
        }
    }
}
