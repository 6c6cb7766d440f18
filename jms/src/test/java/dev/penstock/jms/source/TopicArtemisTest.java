package dev.penstock.jms.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.jms.FaultyClient;
import dev.penstock.jms.JmsBroker;
import dev.penstock.jms.JmsMessage;
import dev.penstock.jms.JmsTarget;
import dev.penstock.jms.broker.EmbeddedBroker;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class TopicArtemisTest extends TopicSourceContract {
    @Override
    String url(EmbeddedBroker started) {
        return started.url();
    }

    /** Any other client, in batches. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void batchesOfAnotherClient(boolean isShared) throws Exception {
        JmsSourceBuilder prices =
                JmsSource.at(FaultyClient.broker(url(), (call, received) -> {})).topic(topic);
        Map<String, Integer> seen = new ConcurrentHashMap<>();
        JmsSource source = started((isShared ? prices.sharedDurable(subscription) : prices.durable(subscription))
                .to(message -> seen.merge(message.text(), 1, Integer::sum), () -> 50));
        assertThat(source.ackMode()).isEqualTo(JmsSource.AckMode.BATCHES);
        subscribed(source);
        publish(300);
        await(() -> seen.size() == 300 && source.inFlight() == 0);
        assertThat(seen.values()).containsOnly(1);
        assertThat(source.queued()).isEmpty();
    }

    @Test
    void reportsTheMessagesOfASubscription() throws Exception {
        CountDownLatch open = new CountDownLatch(1);
        JmsSource source = holding(prices().durable(subscription), open);
        subscribed(source);
        await(() -> source.queued().equals(OptionalLong.of(0)));
        publish(20);
        assertThat(source.queued()).hasValue(20);
        open.countDown();
        await(() -> source.queued().equals(OptionalLong.of(0)));
        source.close();
        assertThat(source.queued()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(JmsSource.AckMode.class)
    void reportsTheMessagesOfAQueue(JmsSource.AckMode mode) throws Exception {
        CountDownLatch open = new CountDownLatch(1);
        JmsBroker at = JmsBroker.at(url());
        try (JmsTarget target = JmsTarget.at(at).queue(topic).build()) {
            for (int n = 0; n < 20; n++) {
                target.call(JmsMessage.text("m" + n));
            }
        }
        JmsSourceBuilder built = JmsSource.at(at).queue(topic).by(mode);
        assertThat(built.to(message -> "done", () -> 1).queued()).isEmpty();
        JmsSource source = subscribed(holding(built, open));
        assertThat(source.queued()).hasValue(20);
        open.countDown();
        await(() -> source.queued().equals(OptionalLong.of(0)));
    }
}
