package dev.penstock.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kafka.kit.KafkaBroker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.IntegerDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.annotation.EnableKafka;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.messaging.handler.annotation.SendTo;

/** Methods with {@code @KafkaListener} receive by sources of Penstock, from a real broker. */
class KafkaListenerTest {
    /** As many as fit into a minute. */
    private static final int POLLS = 300;

    private static KafkaBroker broker;

    @BeforeAll
    static void start() throws Exception {
        broker = KafkaBroker.start();
        for (String topic : List.of("orders", "receipts", "numbers", "numbers.DLQ", "fails", "fails.DLQ")) {
            broker.createTopic(topic, 2, Map.of());
        }
    }

    @AfterAll
    static void stop() throws Exception {
        broker.close();
    }

    static class Listeners {
        final BlockingQueue<String> processed = new LinkedBlockingQueue<>();

        @KafkaListener(topics = "orders", groupId = "shop", containerFactory = "penstockKafka")
        @SendTo("receipts")
        String order(ConsumerRecord<String, String> order) {
            return order.key() + " paid " + order.value() + " in " + order.topic();
        }

        @KafkaListener(id = "failing", topics = "fails", groupId = "shop", containerFactory = "penstockKafka")
        void fails(String text) {
            processed.add(text);
            throw new IllegalStateException("cannot");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableKafka
    static class Kafka {
        @Bean
        ConsumerFactory<?, ?> consumers() {
            return new DefaultKafkaConsumerFactory<>(Map.of(
                    "bootstrap.servers",
                    List.of(broker.servers()),
                    "key.deserializer",
                    StringDeserializer.class,
                    "value.deserializer",
                    StringDeserializer.class.getName(),
                    "max.poll.records",
                    3));
        }

        @Bean
        KafkaTemplate<String, String> template() {
            return new KafkaTemplate<>(new DefaultKafkaProducerFactory<>(
                    Map.of("bootstrap.servers", broker.servers()), new StringSerializer(), new StringSerializer()));
        }
    }

    private static ApplicationContextRunner listeners(String... properties) {
        return PenstockContext.runner()
                .withUserConfiguration(Kafka.class)
                .withBean(Listeners.class)
                .withPropertyValues(properties);
    }

    private static List<ConsumerRecord<String, String>> read(String topic, int count) {
        Map<String, Object> settings = Map.of("bootstrap.servers", broker.servers(), "auto.offset.reset", "earliest");
        try (var consumer = new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
            consumer.assign(List.of(new TopicPartition(topic, 0), new TopicPartition(topic, 1)));
            List<ConsumerRecord<String, String>> read = new ArrayList<>();
            for (int polls = 0; read.size() < count; polls++) {
                assertThat(polls).as("records in %s", topic).isLessThan(POLLS);
                consumer.poll(Duration.ofMillis(200)).forEach(read::add);
            }
            return read;
        }
    }

    private static String header(ConsumerRecord<?, ?> record, String name) {
        return new String(record.headers().lastHeader(name).value());
    }

    @Test
    @SuppressWarnings("unchecked")
    void recordsAreProcessedAndAnswered() {
        listeners().run(context -> {
            context.getBean(KafkaTemplate.class)
                    .send("orders", "customer-1", "7")
                    .get();
            assertThat(read("receipts", 1).getFirst().value()).isEqualTo("customer-1 paid 7 in orders");
            assertThat(context.getBean(PenstockFlows.class).flows())
                    .extracting(flow -> flow.name())
                    .contains("orders", "failing");
        });
    }

    @Test
    @SuppressWarnings("unchecked")
    void whatCannotBeProcessedIsADeadLetter() {
        listeners("penstock.flows.failing.retry.key=penstock_id", "penstock.flows.failing.breaker=off")
                .run(context -> {
                    context.getBean(KafkaTemplate.class)
                            .send("fails", "customer-1", "7")
                            .get();
                    ConsumerRecord<String, String> dead = read("fails.DLQ", 1).getFirst();
                    assertThat(dead.value()).isEqualTo("7");
                    assertThat(header(dead, "penstock_reason")).contains("IllegalStateException: cannot");
                    assertThat(context.getBean(Listeners.class).processed)
                            .isNotEmpty()
                            .containsOnly("7");
                });
    }

    @Configuration(proxyBeanMethods = false)
    @EnableKafka
    static class Numbers {
        @Bean
        static ConsumerFactory<String, Integer> consumers() {
            return new DefaultKafkaConsumerFactory<>(
                    Map.of("bootstrap.servers", broker.servers()), new StringDeserializer(), new IntegerDeserializer());
        }

        @KafkaListener(topics = "numbers", groupId = "shop", containerFactory = "penstockKafka")
        void number(int number) {
            throw new AssertionError("not a number");
        }
    }

    @Test
    void whatCannotBeReadIsADeadLetter() throws Exception {
        PenstockContext.runner().withUserConfiguration(Numbers.class).run(context -> {
            assertThat(context).hasNotFailed();
            new Kafka().template().send("numbers", "k", "no").get();
            assertThat(header(read("numbers.DLQ", 1).getFirst(), "penstock_reason"))
                    .contains("cannot be read");
        });
    }
}
