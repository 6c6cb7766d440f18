package dev.penstock.jms.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.jms.JmsBroker;
import dev.penstock.jms.JmsMessage;
import dev.penstock.jms.JmsTarget;
import dev.penstock.jms.broker.EmbeddedBroker;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class TopicArtemisTest extends TopicSourceContract {
    @Override
    String url(EmbeddedBroker started) {
        return started.url();
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

    @Test
    void reportsTheMessagesOfAQueue() throws Exception {
        CountDownLatch open = new CountDownLatch(1);
        JmsBroker at = JmsBroker.at(url());
        try (JmsTarget target = JmsTarget.at(at).queue(topic).build()) {
            for (int n = 0; n < 20; n++) {
                target.call(JmsMessage.text("m" + n));
            }
        }
        JmsSourceBuilder built = JmsSource.at(at).queue(topic);
        assertThat(built.to(message -> "done", () -> 1).queued()).isEmpty();
        JmsSource source = subscribed(holding(built, open));
        assertThat(source.queued()).hasValue(20);
        open.countDown();
        await(() -> source.queued().equals(OptionalLong.of(0)));
    }
}
