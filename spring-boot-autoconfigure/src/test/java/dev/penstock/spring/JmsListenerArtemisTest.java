package dev.penstock.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.jms.broker.EmbeddedBroker;
import jakarta.jms.BytesMessage;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.Message;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jms.annotation.EnableJms;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.jms.config.JmsListenerEndpointRegistry;
import org.springframework.jms.connection.CachingConnectionFactory;
import org.springframework.jms.core.JmsTemplate;
import org.springframework.messaging.handler.annotation.Header;

/** Methods with {@code @JmsListener} receive by sources of Penstock, from a real broker. */
class JmsListenerArtemisTest {
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

    static class Listeners {
        final BlockingQueue<String> processed = new LinkedBlockingQueue<>();
        final CountDownLatch open = new CountDownLatch(1);

        @JmsListener(destination = "plain", containerFactory = "penstockJms")
        void plain(String text, @Header("jms_destination") Object from) {
            processed.add(text + " from " + from);
        }

        @JmsListener(destination = "asks", containerFactory = "penstockJms")
        String asks(byte[] question) {
            return "answer to " + question.length + " bytes";
        }

        @JmsListener(id = "failing", destination = "fails", containerFactory = "penstockJms")
        void fails(byte[] body) {
            processed.add("attempt with " + body.length + " bytes");
            throw new IllegalStateException("cannot");
        }

        @JmsListener(id = "slow", destination = "waits", containerFactory = "penstockJms", concurrency = "1-3")
        void waits(String text) throws InterruptedException {
            processed.add(text);
            open.await();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableJms
    static class Jms {
        @Bean
        ConnectionFactory connectionFactory() {
            return new CachingConnectionFactory(new ActiveMQConnectionFactory(broker.url()));
        }

        @Bean
        JmsTemplate template(ConnectionFactory factory) {
            JmsTemplate template = new JmsTemplate(factory);
            template.setReceiveTimeout(60_000);
            return template;
        }
    }

    private static ApplicationContextRunner listeners(String... properties) {
        return PenstockContext.runner()
                .withUserConfiguration(Jms.class)
                .withBean(Listeners.class)
                .withPropertyValues(properties);
    }

    private static JmsTemplate template(AssertableApplicationContext context) {
        return context.getBean(JmsTemplate.class);
    }

    @Test
    void messagesAreProcessedAndAnswered() {
        listeners().run(context -> {
            template(context).convertAndSend("plain", "order");
            assertThat(context.getBean(Listeners.class).processed.take())
                    .startsWith("order from")
                    .contains("plain");
            Message answer = template(context).sendAndReceive("asks", session -> {
                BytesMessage question = session.createBytesMessage();
                question.writeBytes(new byte[7]);
                return question;
            });
            assertThat(Objects.requireNonNull(answer).getBody(String.class)).isEqualTo("answer to 7 bytes");
            assertThat(context.getBean(PenstockFlows.class).flows())
                    .extracting(flow -> flow.name())
                    .contains("plain", "asks", "failing", "slow");
            assertThat(context.getBean(PenstockFlows.class).outages()).isEmpty();
        });
    }

    @Test
    void whatCannotBeProcessedIsADeadLetter() {
        listeners().run(context -> {
            template(context).convertAndSend("fails", new byte[3]);
            Message dead = Objects.requireNonNull(template(context).receive("fails.DLQ"));
            assertThat(dead.getStringProperty("penstock_reason")).contains("IllegalStateException: cannot");
            assertThat(context.getBean(Listeners.class).processed).containsExactly("attempt with 3 bytes");
        });
        listeners("penstock.flows.failing.idempotent=true", "penstock.flows.failing.breaker=off")
                .run(context -> {
                    template(context).convertAndSend("fails", new byte[3]);
                    Message dead = Objects.requireNonNull(template(context).receive("fails.DLQ"));
                    assertThat(dead.getIntProperty("penstock_attempts")).isEqualTo(5);
                    assertThat(context.getBean(Listeners.class).processed)
                            .hasSize(5)
                            .containsOnly("attempt with 3 bytes");
                });
    }

    /** A stop waits for what is in process, and leaves the rest at the broker. */
    @Test
    void onlyWhatTheFlowCanProcessIsTaken() {
        listeners("penstock.flows.slow.limit=2").run(context -> {
            Listeners listeners = context.getBean(Listeners.class);
            for (String text : List.of("a", "b", "c", "d", "e")) {
                template(context).convertAndSend("waits", text);
            }
            listeners.processed.take();
            listeners.processed.take();
            var slow = Objects.requireNonNull(
                    context.getBean(JmsListenerEndpointRegistry.class).getListenerContainer("slow"));
            CountDownLatch stopped = new CountDownLatch(1);
            slow.stop(stopped::countDown);
            assertThat(slow.isRunning()).isFalse();
            assertThat(stopped.getCount()).isEqualTo(1);
            listeners.open.countDown();
            stopped.await();
            int before = 2 + listeners.processed.size();
            slow.start();
            while (listeners.processed.size() < 3) {
                Thread.onSpinWait();
            }
            assertThat(before).isLessThanOrEqualTo(3);
            assertThat(listeners.processed).contains("e").doesNotHaveDuplicates();
        });
    }

    @Test
    void anApplicationNeedsNoListeners() {
        PenstockContext.runner()
                .withClassLoader(new FilteredClassLoader(
                        "jakarta.jms",
                        "org.springframework.jms",
                        "org.springframework.kafka",
                        "dev.penstock.jms",
                        "dev.penstock.kafka"))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean("penstockJms")
                        .doesNotHaveBean("penstockKafka"));
    }

    @Configuration(proxyBeanMethods = false)
    static class Own {
        @Bean
        PenstockJmsListenerContainerFactory penstockJms(PenstockFlows flows, ConnectionFactory broker) {
            return new PenstockJmsListenerContainerFactory(flows, broker)
                    .customize((queue, source) -> source.deadLetter("dead." + queue));
        }
    }

    @Test
    void sourcesMayBeCompleted() {
        listeners().withUserConfiguration(Own.class).run(context -> {
            template(context).convertAndSend("fails", new byte[0]);
            assertThat(template(context).receive("dead.fails")).isNotNull();
        });
    }
}
