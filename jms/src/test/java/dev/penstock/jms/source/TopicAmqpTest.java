package dev.penstock.jms.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.jms.broker.EmbeddedBroker;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class TopicAmqpTest extends TopicSourceContract {
    @Override
    String url(EmbeddedBroker started) {
        return started.url().replace("tcp:", "amqp:");
    }

    @Test
    void reportsNoMessageCount() throws Exception {
        CountDownLatch open = new CountDownLatch(0);
        assertThat(subscribed(holding(prices().durable(subscription), open)).queued())
                .isEmpty();
    }
}
