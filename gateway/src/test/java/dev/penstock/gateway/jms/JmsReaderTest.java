package dev.penstock.gateway.jms;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.GatewayConfig;
import dev.penstock.gateway.config.PlainCollapse;
import dev.penstock.gateway.file.FlowFile;
import dev.penstock.gateway.file.Written;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JmsReaderTest {
    @TempDir
    Path folder;

    Written written;

    @BeforeEach
    void file() {
        written = new Written(folder, Map.of("PASSWORD", "s3cr3t"));
    }

    private static String from(String jms, String... lines) {
        return "flows:\n  a:\n    from: { jms: { " + jms + " } }\n    to: { http: { url: \"https://h/\" } }\n    "
                + String.join("\n    ", lines) + "\n";
    }

    private static String to(String jms, String... lines) {
        return "flows:\n  a:\n    from: { http: { port: 8080, path: /a } }\n    to: { jms: { " + jms + " } }\n    "
                + String.join("\n    ", lines) + "\n";
    }

    @Test
    void onlyUrlAndQueueAreRequired() throws Exception {
        FlowConfig flow = written.read(from("url: embedded, queue: payments"))
                .config()
                .flows()
                .getFirst();
        JmsFrom from = (JmsFrom) flow.from();
        assertThat(from.endpoint().where()).isEqualTo("queue payments of embedded");
        assertThat(from.inFlight()).isNull();
        assertThat(from.base()).isEqualTo("/");
    }

    @Test
    void readsAllKeys() throws Exception {
        FlowFile file = written.read(from(
                "url: \"tcp://me:s3cr3t@b.example:61616?x=s3cr3t\", user: me, password: \"${PASSWORD}\", queue: payments,"
                        + " in_flight: 500, key: Idempotency-Key, redeliver: { attempts: 5, backoff: 1s },"
                        + " dead_letter: payments.DLQ, order: JMSXGroupID, reply_to: \"a.*, b\""));
        assertThat(file.warnings()).isEmpty();
        JmsFrom from = (JmsFrom) file.config().flows().getFirst().from();
        assertThat(Objects.requireNonNull(from.inFlight()).value()).isEqualTo(500);
        assertThat(Objects.requireNonNull(from.replyTo()).value()).containsExactly("a.*", "b");
        assertThat(Objects.requireNonNull(from.redeliver().attempts()).value()).isEqualTo(5);
        assertThat(from.toString() + from.endpoint())
                .doesNotContain("s3cr3t")
                .contains("queue payments of tcp://b.example:61616");
    }

    @Test
    void readsTopicWithSubscription() throws Exception {
        JmsFrom from = (JmsFrom) written.read(
                        from(
                                "url: embedded, topic: prices, subscription: billing, shared: true, selector: \"amount > 100\""))
                .config()
                .flows()
                .getFirst()
                .from();
        assertThat(from.endpoint().where()).isEqualTo("topic prices of embedded");
        assertThat(Objects.requireNonNull(from.subscription()).value()).isEqualTo("billing");
        assertThat(from.shared().value()).isTrue();
        assertThat(Objects.requireNonNull(from.selector()).value()).isEqualTo("amount > 100");
        written.read(from("url: embedded, topic: prices, dead_letter: prices"));
        written.read(from("url: embedded, queue: q, shared: false"));
    }

    @Test
    void readsConnectionFactoryWithSecretProperties() throws Exception {
        FlowFile file = written.read(from("factory: { class: org.apache.qpid.jms.JmsConnectionFactory,"
                + " properties: { remoteURI: \"amqp://b.example\", password: \"${PASSWORD}\", receiveLocalOnly: true } },"
                + " queue: q, key: JMSMessageID"));
        assertThat(file.warnings()).isEmpty();
        JmsFrom from = (JmsFrom) file.config().flows().getFirst().from();
        assertThat(from.endpoint().where()).isEqualTo("queue q of class:org.apache.qpid.jms.JmsConnectionFactory");
        assertThat(from.endpoint().address().toString()).doesNotContain("s3cr3t");
    }

    @Test
    void reportsUnusableConnectionFactoryWithoutItsValues() {
        String qpid = "org.apache.qpid.jms.JmsConnectionFactory";
        assertThat(written.errors(from("factory: { class: " + qpid + ", properties: { host: s3cr3t } }, queue: q")))
                .singleElement()
                .asString()
                .startsWith("f.yaml:3:29: 'from.jms.factory' names a JMS client that cannot be used; the class " + qpid
                        + " has no property host; it has ")
                .doesNotContain("s3cr3t");
        assertThat(written.errors(from("factory: { class: com.example.None }, queue: q")))
                .singleElement()
                .asString()
                .contains("cannot be used; class not found: com.example.None; put the jars");
        assertThat(written.errors(from("factory: { class: \"a\\nb\", properties: { \"\": 1 } }, queue: q")))
                .singleElement()
                .asString()
                .contains("class not found: a b;");
        assertThat(written.errors(from("factory: { class: " + qpid + ", properties: { \"\": 1 } }, queue: q")))
                .singleElement()
                .asString()
                .contains("has no property ; it has ");
        assertThat(written.errors(from("factory: { class: \"${NOT_SET}\" }, queue: q")))
                .singleElement()
                .asString()
                .contains("NOT_SET");
    }

    @Test
    void reportsInvalidSelectorInOneLine() {
        assertThat(written.errors(from("url: embedded, queue: q, selector: \"amount >\\n\"")))
                .singleElement()
                .asString()
                .startsWith("f.yaml:3:55: 'from.jms.selector' cannot be used; invalid selector 'amount > ': ")
                .doesNotContain("\n");
    }

    @Test
    void topicHasNoStatusAndIsNoQueue() throws Exception {
        GatewayConfig config = written.read(to("url: embedded, topic: t")).config();
        assertThat(config.hasStatusPage(config.flows().getFirst())).isFalse();
        assertThat(
                        written.warnings(
                                to("url: embedded, topic: t")
                                        + "  b:\n    from: { jms: { url: embedded, queue: t, key: K } }\n    to: { http: { url: \"https://h/\" } }\n"))
                .singleElement()
                .asString()
                .contains("topic t has no consumer");
        assertThat(
                        written.warnings(
                                to("url: embedded, topic: t")
                                        + "  b:\n    from: { jms: { url: embedded, topic: t, key: K } }\n    to: { http: { url: \"https://h/\" } }\n"))
                .isEmpty();
        assertThat(written.errors(from("url: embedded, topic: t", "status: 1h")))
                .singleElement()
                .asString()
                .contains("'status' is for transactions that pass a queue");
    }

    @Test
    void readsQueueTarget() throws Exception {
        GatewayConfig config = written.read(to("url: \"amqp://b.example\", queue: q, group: Customer-Id"))
                .config();
        FlowConfig flow = config.flows().getFirst();
        JmsTo to = (JmsTo) flow.to();
        assertThat(Objects.requireNonNull(to.group()).value()).isEqualTo("Customer-Id");
        assertThat(config.hasStatusPage(flow)).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "queue: q | 3:13: from.jms has no 'url'; add for instance url: \"tcp://broker.example:61616\", url: \"amqp://broker.example\", or url: embedded",
                "url: embedded | 3:13: from.jms has no 'queue'; add for instance queue: payments, or topic: prices",
                "url: \"http://s3cr3t@h\", queue: q | 3:25: 'from.jms.url' is not a supported broker URL; write for instance url: \"tcp://broker.example:61616\", url: \"amqp://broker.example\", or url: embedded",
                "url: embedded, queue: \"a b\" | 3:42: 'from.jms.queue' is \"a b\", which is not a valid queue name; write 1 to 255 characters without spaces",
                "url: embedded, queue: q, prefetch: 1 | 3:45: unknown key 'prefetch' in from.jms; did you mean 'in_flight'?",
                "url: embedded, queue: q, topic: t | 3:52: 'from.jms.topic' is combined with 'from.jms.queue'; keep one of the two",
                "url: embedded, topic: \"a b\" | 3:42: 'from.jms.topic' is \"a b\", which is not a valid topic name; write 1 to 255 characters without spaces",
                "url: embedded, factory: { class: org.apache.qpid.jms.JmsConnectionFactory }, queue: q | 3:44: 'from.jms.factory' is combined with 'from.jms.url'; keep one of the two",
                "factory: { properties: { a: 1 } }, queue: q | 3:20: factory has no 'class'; add for instance class: com.example.jms.ExampleConnectionFactory",
                "url: embedded, queue: q, subscription: s | 3:59: 'from.jms.subscription' is for a topic, but the source is a queue; write topic: q instead of queue, or remove it",
                "url: embedded, queue: q, shared: true | 3:53: 'from.jms.shared' is for a topic, but the source is a queue; write topic: q instead of queue, or remove it",
                "url: embedded, topic: t, subscription: \"\" | 3:59: 'from.jms.subscription' is \"\", which is not a valid subscription name; write 1 to 255 characters without spaces",
                "url: embedded, queue: q, by: batches | 3:45: 'from.jms.by' was removed: the client decides how messages are acknowledged; remove it",
                "url: \"amqp://b\", queue: /amq/queue/q, key: a, selector: \"a = 1\" | 3:44: flow 'a': RabbitMQ ignores selectors; leave out 'selector', and have the broker route these messages to a queue",
                "url: \"amqp://b\", queue: /amq/queue/q | 3:44: flow 'a': RabbitMQ does not report to a JMS client which messages are delivered again; set a 'key', by which the target or dedupe recognizes them",
                "url: \"amqp://b\", topic: /topic/t, key: a, subscription: s | 3:44: flow 'a': RabbitMQ keeps no subscription s; bind a queue to the topic, and receive from that",
                "url: embedded, queue: q, replies: a | 3:45: unknown key 'replies' in from.jms; did you mean 'reply_to'?",
                "url: embedded, queue: q, reply_to: \"a,,b\" | 3:55: 'from.jms.reply_to' is \"a,,b\", which is not a list of reply destinations; write for instance reply_to: \"replies.*\", or several separated by commas",
                "url: embedded, queue: q, in_flight: 0 | 3:56: 'from.jms.in_flight' is 0, which is out of range; write a number from 1 to 10000, or auto",
                "url: embedded, queue: q, in_flight: 10001 | 3:56: 'from.jms.in_flight' is 10001, which is out of range; write a number from 1 to 10000, or auto",
                "url: embedded, queue: q, dead_letter: q | 3:58: 'from.jms.dead_letter' is the source queue itself; give another queue",
            })
    void reportsMistakesWithLocation(String jms, String message) {
        assertThat(written.errors(from(jms.strip()))).containsExactly("f.yaml:" + message.strip());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "pool: { max: 2 } | 'pool' only applies to HTTP and databases",
                "settle: { url: \"https://h/{Id}\" } | 'settle' queries over HTTP",
                "collapse: { url: \"https://h/\" } | unknown key 'url' in collapse",
            })
    void rejectsSettingsThatDoNotFitAQueue(String line, String message) {
        assertThat(written.errors(to("url: embedded, queue: q", line.strip())))
                .singleElement()
                .asString()
                .contains(message.strip());
    }

    @Test
    void sendsManyMessagesByOneCommit() throws Exception {
        for (String given : new String[] {"auto", "{ max: 20, budget: 5ms }"}) {
            FlowConfig flow = written.read(to("url: embedded, queue: q", "collapse: " + given))
                    .config()
                    .flows()
                    .getFirst();
            PlainCollapse collapse = (PlainCollapse) Objects.requireNonNull(flow.collapse());
            assertThat(collapse.max().inFile()).isEqualTo(!given.equals("auto"));
            assertThat(collapse.budget() == null).isEqualTo(given.equals("auto"));
        }
    }

    @Test
    void isRepeatableByIdIfTheBrokerDropsDuplicates() throws Exception {
        String retry = "retry: { attempts: 2 }";
        assertThat(written.warnings(to("url: \"tcp://h\", queue: q", retry))).isEmpty();
        assertThat(written.warnings(to("url: \"amqp://h\", queue: q", retry)))
                .singleElement()
                .asString()
                .contains("retries without an idempotency key");
    }

    @Test
    void rejectsStatusWithoutAQueue() {
        assertThat(new Written(folder).errorsWith("status: 1h"))
                .singleElement()
                .asString()
                .contains("'status' is for transactions that pass a queue");
    }

    @Test
    void embeddedBrokerServesOnlyFlowsThatNameIt() {
        assertThat(written.errors("broker: { port: 61616 }\n" + from("url: \"amqp://h\", queue: q")))
                .singleElement()
                .asString()
                .contains("no flow uses it");
        assertThat(written.errors("broker: { port: 8080 }\n" + to("url: embedded, queue: q")))
                .singleElement()
                .asString()
                .contains("'broker.port' is 8080, where flow 'a' listens");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            port: 1, host: 0.0.0.0 | f.yaml:1:26: 'broker' listens on 0.0.0.0, which other machines can reach, without authentication; add user: penstock, password: "${file:/run/secrets/broker}", or use host 127.0.0.1
            port: 1, host: broker.example | f.yaml:1:26: 'broker' listens on broker.example, which other machines can reach, without authentication; add user: penstock, password: "${file:/run/secrets/broker}", or use host 127.0.0.1
            port: 1, user: u | f.yaml:1:1: broker has a 'user' and no 'password'; add password: "${file:/run/secrets/broker}"
            port: 1, password: p | f.yaml:1:1: broker has a 'password' and no 'user'; add for instance user: penstock
            port: 1, user: u, password: "" | f.yaml:1:39: 'broker.password' is empty; write 1 character or more, or leave user and password out
            port: 1, username: u | f.yaml:1:20: unknown key 'username' in broker; did you mean 'user'?
            """)
    void brokerBeyondLoopbackRequiresLogin(String broker, String error) {
        assertThat(written.errors("broker: { " + broker + " }\n" + to("url: embedded, queue: q")))
                .containsExactly(error);
    }

    @Test
    void rejectsFlowOnTheStatusPath() {
        assertThat(
                        written.errors(
                                to("url: embedded, queue: q")
                                        + "  b:\n    from: { http: { port: 8080, path: /transactions } }\n    to: { http: { url: \"https://h/\" } }\n"))
                .singleElement()
                .asString()
                .contains("serves the transaction status of flow 'a'");
    }

    @Test
    void warnsAboutProbablyUnintendedSettings() throws Exception {
        List<String> warnings = written.warnings("broker: { port: 1, host: 0.0.0.0, user: u, password: p }\n"
                + from(
                        "url: embedded, queue: q, order: Customer, redeliver: { attempts: 5 }",
                        "retry: { attempts: 3, key: K }"));
        assertThat(warnings)
                .anyMatch(line -> line.contains("the broker listens on 0.0.0.0 without TLS, so its password"))
                .anyMatch(line -> line.contains("messages of flow 'a' have no idempotency key"))
                .anyMatch(line -> line.contains("keeps the order of Customer within this process only"))
                .anyMatch(line -> line.contains("up to 5 x 3 times"))
                .hasSize(4);
        assertThat(written.warnings(to("url: embedded, queue: q")))
                .singleElement()
                .asString()
                .contains("queue q");
    }
}
