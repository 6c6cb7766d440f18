package dev.penstock.jms.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.jms.JmsMessage;
import dev.penstock.jms.JmsTarget;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** The behavior at brokers with selectors and named subscriptions. */
abstract class AmqpTopicContract extends AmqpBrokerContract {
    /** Whether several sources can share a subscription. */
    boolean hasSharedSubscriptions() {
        return true;
    }

    private JmsSourceBuilder fromTopic(String name) {
        return JmsSource.at(broker.at())
                .topic(broker.topic(name))
                .deadLetter(broker.address("topic.DLQ"))
                .key(JmsMessage.MESSAGE_ID)
                .backoff(Duration.ofMillis(1), Duration.ofMillis(2));
    }

    private static void assertEachOnce(Map<String, Integer> carried, int count) {
        await(() -> carried.size() == count);
        assertThat(carried)
                .allSatisfy((text, times) -> assertThat(times).as(text).isOne());
    }

    @Test
    void topicReachesEachSubscriberThatSelectsTheMessage() throws Exception {
        Map<String, Integer> one = new ConcurrentHashMap<>();
        Map<String, Integer> other = new ConcurrentHashMap<>();
        try (JmsSource all = fromTopic("prices").to(message -> one.merge(message.text(), 1, Integer::sum), () -> 20);
                JmsSource some = fromTopic("prices")
                        .selector("n >= 50")
                        .to(message -> other.merge(message.text(), 1, Integer::sum), () -> 20)) {
            all.start();
            some.start();
            await(() -> all.outage() == null && some.outage() == null);
            publish("prices", 0, 100);
            assertEachOnce(one, 100);
            assertEachOnce(other, 50);
        }
    }

    @Test
    void topicKeepsMessagesOfADurableSubscriptionWhenTheBrokerIsKilled() throws Exception {
        Map<String, Integer> carried = new ConcurrentHashMap<>();
        JmsSourceBuilder billing = fromTopic("bills").durable("billing");
        try (JmsSource source = billing.to(message -> carried.merge(message.text(), 1, Integer::sum), () -> 20)) {
            source.start();
            await(() -> source.outage() == null);
            publish("bills", 0, 50);
            assertEachOnce(carried, 50);
            broker.kill();
            await(() -> source.outage() != null);
            broker.restart();
            await(() -> source.outage() == null);
            publish("bills", 50, 100);
            assertEachOnce(carried, 100);
        }
        publish("bills", 100, 150);
        broker.restart();
        try (JmsSource source = billing.to(message -> carried.merge(message.text(), 1, Integer::sum), () -> 20)) {
            source.start();
            assertEachOnce(carried, 150);
        }
    }

    private void publish(String topic, int from, int to) throws Exception {
        try (JmsTarget target =
                JmsTarget.at(broker.at()).topic(broker.topic(topic)).build()) {
            for (int n = from; n < to; n++) {
                target.call(JmsMessage.text("m" + n).withProperty("n", n));
            }
        }
    }

    @Test
    void topicIsSharedOrTheSourceReportsThatItCannotBe() throws Exception {
        Map<String, Integer> carried = new ConcurrentHashMap<>();
        JmsSourceBuilder shared = fromTopic("shares").sharedDurable("billing-shared");
        try (JmsSource one = shared.to(message -> carried.merge(message.text(), 1, Integer::sum), () -> 20);
                JmsSource other = shared.to(message -> carried.merge(message.text(), 1, Integer::sum), () -> 20)) {
            one.start();
            other.start();
            if (!hasSharedSubscriptions()) {
                await(() -> String.valueOf(one.outage()).contains("shared subscriptions"));
                return;
            }
            await(() -> one.outage() == null && other.outage() == null);
            publish("shares", 0, 200);
            assertEachOnce(carried, 200);
        }
    }
}
