package dev.penstock.jms.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Service;
import dev.penstock.jms.FaultyClient;
import dev.penstock.jms.JmsBatch;
import dev.penstock.jms.JmsBroker;
import dev.penstock.jms.JmsMessage;
import dev.penstock.jms.JmsTarget;
import dev.penstock.jms.broker.EmbeddedBroker;
import jakarta.jms.Connection;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Topics, subscriptions and selectors at a real broker, for every protocol. */
@Timeout(300)
abstract class TopicSourceContract {
    private static final AtomicInteger TOPICS = new AtomicInteger();

    @TempDir
    static Path folder;

    private static EmbeddedBroker broker;

    final String topic = "prices-" + TOPICS.incrementAndGet();
    final String subscription = "billing-" + TOPICS.get();
    private final List<JmsSource> sources = new ArrayList<>();

    /** The URL for the client under test. */
    abstract String url(EmbeddedBroker started);

    @BeforeAll
    static void start() throws Exception {
        broker = EmbeddedBroker.on(folder, "127.0.0.1", 0);
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    @AfterEach
    void close() {
        sources.forEach(JmsSource::close);
    }

    final String url() {
        return url(broker);
    }

    private JmsBroker at() {
        return JmsBroker.at(url());
    }

    final JmsSourceBuilder prices() {
        return JmsSource.at(at()).topic(topic).backoff(Duration.ofMillis(1), Duration.ofMillis(2));
    }

    private JmsSourceBuilder prices(boolean anyClient) throws Exception {
        return anyClient ? JmsSource.at(FaultyClient.unknown(url())).topic(topic) : prices();
    }

    /** A source that counts each text, started and not necessarily subscribed. */
    private JmsSource counting(JmsSourceBuilder built, Map<String, Integer> seen) throws Exception {
        return started(built.to(message -> seen.merge(message.text(), 1, Integer::sum), () -> 10));
    }

    final JmsSource started(JmsSource source) throws Exception {
        sources.add(source);
        source.start();
        return source;
    }

    final JmsSource subscribed(JmsSource source) {
        await(() -> source.outage() == null);
        return source;
    }

    final void publish(int count) throws Exception {
        try (JmsTarget target = JmsTarget.at(at()).topic(topic).build()) {
            for (int n = 0; n < count; n++) {
                target.call(JmsMessage.text("m" + n).withProperty("amount", n));
            }
        }
    }

    static void await(BooleanSupplier is) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!is.getAsBoolean() && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(1_000_000);
        }
        assertThat(is.getAsBoolean()).isTrue();
    }

    private static void assertEachOnce(Map<String, Integer> seen, int count) {
        await(() -> seen.size() >= count);
        assertThat(seen)
                .hasSize(count)
                .allSatisfy((text, times) -> assertThat(times).as(text).isOne());
    }

    /** The number of messages in a subscription that is durable, or in a queue. */
    private static void awaitEmpty(String queue) {
        await(() -> broker.count(queue) == 0);
    }

    private Message next(String queue) throws Exception {
        try (var client = at().receiving(1);
                Connection connection = client.open()) {
            Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
            MessageConsumer consumer = session.createConsumer(session.createQueue(queue));
            return Objects.requireNonNull(consumer.receive(60_000), "no message in " + queue);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void eachSubscriberReceivesWhatIsPublishedMeanwhile(boolean anyClient) throws Exception {
        Map<String, Integer> one = new ConcurrentHashMap<>();
        Map<String, Integer> other = new ConcurrentHashMap<>();
        publish(1);
        subscribed(counting(prices(anyClient), one));
        subscribed(counting(prices(anyClient), other));
        publish(100);
        assertEachOnce(one, 100);
        assertEachOnce(other, 100);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void durableSubscriptionKeepsMessages(boolean anyClient) throws Exception {
        Map<String, Integer> seen = new ConcurrentHashMap<>();
        subscribed(counting(prices(anyClient).durable(subscription), seen)).close();
        publish(100);
        assertThat(seen).isEmpty();
        counting(prices(anyClient).durable(subscription), seen);
        assertEachOnce(seen, 100);
        awaitEmpty(subscription + "." + subscription);
    }

    /** Also the second process with the same file, which takes over. */
    @Test
    void durableSubscriptionHasOneSourceAtATime() throws Exception {
        Map<String, Integer> first = new ConcurrentHashMap<>();
        Map<String, Integer> second = new ConcurrentHashMap<>();
        JmsSource active = subscribed(counting(prices().durable(subscription), first));
        JmsSource standby = counting(prices().durable(subscription), second);
        assertThat(standby.outage())
                .startsWith("no messages from subscription " + subscription + " of topic " + topic)
                .contains("another client has subscription " + subscription);
        publish(10);
        assertEachOnce(first, 10);
        active.close();
        subscribed(standby);
        publish(20);
        assertEachOnce(second, 20);
        assertThat(first).hasSize(10);
    }

    @ParameterizedTest
    @CsvSource({"false, false", "false, true", "true, false", "true, true"})
    void sourcesOfASharedSubscriptionShareTheMessages(boolean isDurable, boolean anyClient) throws Exception {
        JmsSourceBuilder prices = prices(anyClient);
        JmsSourceBuilder shared = isDurable ? prices.sharedDurable(subscription) : prices.shared(subscription);
        Map<String, Integer> seen = new ConcurrentHashMap<>();
        subscribed(counting(shared, seen));
        subscribed(counting(shared, seen));
        publish(200);
        assertEachOnce(seen, 200);
        close();
        publish(1);
        Map<String, Integer> later = new ConcurrentHashMap<>();
        subscribed(counting(shared, later));
        if (!isDurable) {
            publish(1);
        }
        assertEachOnce(later, 1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void selectorLeavesOtherMessagesInTheQueue(boolean anyClient) throws Exception {
        Map<String, Integer> seen = new ConcurrentHashMap<>();
        try (JmsTarget target = JmsTarget.at(at()).queue(topic).build()) {
            for (int n = 0; n < 10; n++) {
                target.call(JmsMessage.text("m" + n).withProperty("amount", n));
            }
        }
        JmsBroker from = anyClient ? FaultyClient.unknown(url()) : at();
        counting(JmsSource.at(from).queue(topic).selector("amount >= 6"), seen);
        assertEachOnce(seen, 4);
        assertThat(seen).containsOnlyKeys("m6", "m7", "m8", "m9");
        await(() -> broker.count(topic) == 6);
    }

    @Test
    void selectorOfASubscription() throws Exception {
        Map<String, Integer> plain = new ConcurrentHashMap<>();
        Map<String, Integer> durable = new ConcurrentHashMap<>();
        Map<String, Integer> shared = new ConcurrentHashMap<>();
        subscribed(counting(prices().selector("amount = 1"), plain));
        subscribed(counting(prices().durable(subscription).selector("amount = 2"), durable));
        subscribed(counting(prices().shared(subscription).selector("amount BETWEEN 3 AND 4"), shared));
        publish(10);
        assertEachOnce(shared, 2);
        assertEachOnce(plain, 1);
        assertEachOnce(durable, 1);
        assertThat(plain).containsKey("m1");
        assertThat(durable).containsKey("m2");
        assertThat(shared).containsKeys("m3", "m4");
        awaitEmpty(subscription + "." + subscription);
    }

    @Test
    void refusesAnInvalidSelector() {
        assertThatThrownBy(() -> prices().selector("amount >"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("invalid selector 'amount >': Parse error at line 1, column 8. Encountered: <EOF>");
        assertThatThrownBy(() -> prices().selector(" ")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> JmsSource.at(at()).queue("q").durable("s"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("a queue has no subscriptions; call topic(...) instead of queue(...)");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void deadLetterIsOfOneSubscription(boolean anyClient) throws Exception {
        Map<String, Integer> other = new ConcurrentHashMap<>();
        Service<JmsMessage, String> refuses = message -> {
            throw new Failed(Failed.Cause.REFUSED, "never");
        };
        subscribed(counting(prices(), other));
        subscribed(started(prices(anyClient).to(refuses, () -> 10)));
        subscribed(started(prices(anyClient).durable(subscription).to(refuses, () -> 10)));
        try (JmsTarget target = JmsTarget.at(at()).topic(topic).key("amount").build()) {
            target.call(JmsMessage.text("m").withProperty("amount", 7));
        }
        Message plain = next(topic + ".DLQ");
        Message named = next(topic + "." + subscription + ".DLQ");
        for (Message letter : List.of(plain, named)) {
            assertThat(letter.getBody(String.class)).isEqualTo("m");
            assertThat(letter.getStringProperty("penstock_reason")).isEqualTo("never");
            assertThat(letter.getStringProperty("penstock_topic")).isEqualTo(topic);
            assertThat(letter.propertyExists("penstock_queue")).isFalse();
        }
        assertThat(named.getStringProperty("penstock_subscription")).isEqualTo(subscription);
        assertThat(plain.propertyExists("penstock_subscription")).isFalse();
        assertEachOnce(other, 1);
        awaitEmpty(subscription + "." + subscription);
    }

    /**
     * A message given back is not published again: others would receive it twice. In a transaction it is rolled back, and
     * so delivered again.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void messageGivenBackStaysInItsSubscription(boolean anyClient) throws Exception {
        Map<String, Integer> other = new ConcurrentHashMap<>();
        Map<String, Integer> seen = new ConcurrentHashMap<>();
        CountDownLatch begun = new CountDownLatch(3);
        subscribed(counting(prices(), other));
        JmsSourceBuilder built = anyClient
                ? prices(true).sharedDurable(subscription).key(JmsMessage.MESSAGE_ID)
                : prices().durable(subscription);
        JmsSource stopping = subscribed(started(built.to(
                message -> {
                    begun.countDown();
                    throw new Rejected(Rejected.Cause.LIMIT, "full", Duration.ofHours(1), null);
                },
                () -> 10)));
        publish(3);
        assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
        stopping.stopAccepting();
        stopping.close();
        counting(built, seen);
        assertEachOnce(seen, 3);
        assertEachOnce(other, 3);
    }

    @Test
    void everySubscriberReplies() throws Exception {
        String replies = topic + ".replies";
        Map<String, Integer> texts = new ConcurrentHashMap<>();
        subscribed(started(prices().to(message -> JmsMessage.text("plain"), () -> 10)));
        subscribed(started(prices().to(message -> JmsMessage.text("another"), () -> 10)));
        subscribed(started(prices().durable(subscription).to(message -> JmsMessage.text("durable"), () -> 10)));
        subscribed(started(prices().shared(subscription + "-s").to(message -> JmsMessage.text("shared"), () -> 10)));
        try (var client = at().receiving(1);
                Connection connection = client.open();
                Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE)) {
            Message request = session.createTextMessage("m");
            request.setJMSReplyTo(session.createQueue(replies));
            session.createProducer(session.createTopic(topic)).send(request);
        }
        counting(JmsSource.at(at()).queue(replies), texts);
        assertEachOnce(texts, 4);
    }

    @Test
    void batchesReachEverySubscriber() throws Exception {
        Map<String, Integer> plain = new ConcurrentHashMap<>();
        Map<String, Integer> durable = new ConcurrentHashMap<>();
        subscribed(counting(prices(), plain));
        subscribed(counting(prices().durable(subscription), durable));
        JmsTarget target = JmsTarget.at(at()).topic(topic).key("payment").build();
        assertThat(target.where()).startsWith("topic " + topic + " at ");
        List<JmsMessage> messages = IntStream.range(0, 100)
                .mapToObj(n -> JmsMessage.text("m" + n).withProperty("payment", "p-" + n))
                .toList();
        try (JmsBatch batch = JmsBatch.over(target)) {
            batch.call(messages);
            target.call(messages.getFirst()); // Artemis drops the duplicate
        }
        assertEachOnce(plain, 100);
        assertEachOnce(durable, 100);
    }

    /** A topic keeps the order of a key for each subscription. */
    @Test
    void keepsTheOrderOfAKey() throws Exception {
        List<Integer> seen = new ArrayList<>();
        subscribed(started(prices().inOrder("customer")
                .to(
                        message -> {
                            synchronized (seen) {
                                return seen.add(Integer.valueOf(message.text()));
                            }
                        },
                        () -> 10)));
        try (JmsTarget target = JmsTarget.at(at()).topic(topic).build()) {
            for (int n = 0; n < 100; n++) {
                target.call(JmsMessage.text(Integer.toString(n)).withProperty("customer", "c"));
            }
        }
        await(() -> {
            synchronized (seen) {
                return seen.size() == 100;
            }
        });
        assertThat(seen).isSorted();
    }

    /** A source that holds its messages until the latch opens. */
    final JmsSource holding(JmsSourceBuilder built, CountDownLatch open) throws Exception {
        return started(built.inFlight(2)
                .to(
                        message -> {
                            open.await();
                            return "done";
                        },
                        () -> 2));
    }
}
