package dev.penstock.gateway.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.gateway.file.FlowFile;
import dev.penstock.gateway.file.Written;
import dev.penstock.gateway.status.TransactionIds;
import dev.penstock.http.HttpCall;
import dev.penstock.http.header.Headers;
import dev.penstock.kafka.KafkaRecord;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KafkaReaderTest {
    @TempDir
    Path folder;

    Written written;

    @BeforeEach
    void file() {
        written = new Written(folder, Map.of("PASSWORD", "s3cr3t"));
    }

    private static String to(String kafka) {
        return "flows:\n  a:\n    from: { http: { port: 8080, path: /a } }\n    to: { kafka: { " + kafka + " } }\n";
    }

    @Test
    void onlyUrlAndTopicAreRequired() throws Exception {
        FlowFile file = written.read(to("url: \"b.example:9092\", topic: orders"));
        assertThat(file.warnings()).isEmpty();
        KafkaTo to = (KafkaTo) file.config().flows().getFirst().to();
        assertThat(to).hasToString("topic orders at b.example:9092");
        assertThat(to.key()).isNull();
        assertThat(file.config().hasStatusPage(file.config().flows().getFirst()))
                .isFalse();
        FlowFile stored = written.read(to("url: \"b.example:9092\", topic: orders") + "    status: 1h\n");
        assertThat(stored.config().hasStatusPage(stored.config().flows().getFirst()))
                .isTrue();
    }

    @Test
    void readsAllKeysAndHidesProperties() throws Exception {
        FlowFile file = written.read(
                to("url: \"a.example:9092, b.example:9092\", topic: orders, key: Customer-Id, properties: {"
                        + " security.protocol: SASL_SSL, sasl.jaas.config: \"x password='${PASSWORD}';\" }"));
        KafkaTo to = (KafkaTo) file.config().flows().getFirst().to();
        assertThat(to.key()).isEqualTo("Customer-Id");
        assertThat(to.topic().properties()).containsOnlyKeys("security.protocol", "sasl.jaas.config");
        assertThat(to + to.topic().properties().toString())
                .doesNotContain("s3cr3t")
                .contains("topic orders at a.example:9092,b.example:9092");
    }

    @Test
    void keyIsAPlaceInTheBody() throws Exception {
        FlowFile file = written.read(to("url: \"b.example:9092\", topic: orders, key: { json: /customer/id }"));
        KafkaTo to = (KafkaTo) file.config().flows().getFirst().to();
        TopicTarget target = new TopicTarget(to.builder().build(), "/", to.key(), null);
        Map<String, @Nullable String> keys = new LinkedHashMap<>();
        for (String body : new String[] {
            "{\"customer\": {\"id\": \"c-7\"}}",
            "{\"customer\": {\"id\": 7}}",
            "{\"customer\": {\"id\": null}}",
            "{}",
            "c-7",
            ""
        }) {
            HttpCall call = HttpCall.of(
                    "POST",
                    "/",
                    Headers.none().with(TransactionIds.HEADER, "x"),
                    body.getBytes(StandardCharsets.UTF_8));
            keys.put(body, target.record(call).key(KafkaRecord.RECORD_KEY));
        }
        assertThat(keys.values()).containsExactly("c-7", "7", null, null, null, null);
    }

    private static String from(String kafka) {
        return "flows:\n  a:\n    from: { kafka: { " + kafka + " } }\n    to: { http: { url: \"https://h/\" } }\n";
    }

    @Test
    void readsSource() throws Exception {
        FlowFile file = written.read(
                from("url: \"b.example:9092\", topic: orders, group: g, by: share, in_flight: 7, key: penstock_id,"
                        + " redeliver: { attempts: 2, backoff: 1s }, dead_letter: lost"));
        assertThat(file.warnings()).isEmpty();
        KafkaFrom from = (KafkaFrom) file.config().flows().getFirst().from();
        assertThat(from).hasToString("topic orders at b.example:9092");
        assertThat(from.isShared()).isTrue();
        assertThat(Objects.requireNonNull(from.inFlight()).value()).isEqualTo(7);
        assertThat(Objects.requireNonNull(from.redeliver().attempts()).value()).isEqualTo(2);
    }

    @Test
    void byKeyUnlessTheOrderDoesNotMatter() throws Exception {
        FlowFile file = written.read(from("url: \"b.example:9092\", topic: orders, group: g, by: auto, key: k"));
        assertThat(((KafkaFrom) file.config().flows().getFirst().from()).by()).isNull();
        assertThat(written.errors(from("url: \"b.example:9092\", topic: orders, group: g, by: shared, key: k")))
                .singleElement()
                .asString()
                .contains("which is none of its values; did you mean share?");
    }

    @Test
    void warnsOfRecordsWithoutAKey() throws Exception {
        assertThat(written.warnings(from("url: \"b.example:9092\", topic: orders, group: g")))
                .singleElement()
                .asString()
                .contains("add for instance key: penstock_id");
    }

    @Test
    void refusesDeadLettersInTheSameTopic() {
        assertThat(written.errors(
                        from("url: \"b.example:9092\", topic: orders, group: g, key: k, dead_letter: orders")))
                .singleElement()
                .asString()
                .contains("is the source topic itself");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "topic: orders | url",
                "url: \"b.example:9092\" | topic",
                "url: \"kafka://b.example:9092\", topic: orders | does not name brokers; write for instance url:",
                "url: \"b.example:9092\", topic: \"a b\" | which is not a valid topic name",
                "url: \"b.example:9092\", topic: orders, key: { json: id } | which is not a JSON pointer; write for instance /customer/id",
                "url: \"b.example:9092\", topic: orders, key: {} | to.kafka.key has no 'json'; add for instance json: /customer/id",
                "url: \"b.example:9092\", topic: orders, properties: { acks: 1 } | the target sets acks itself; remove it",
                "url: \"b.example:9092\", topic: orders, properties: { batch.size: s3cr3t } | invalid value for batch.size",
            })
    void explainsWhatIsWrong(String kafka, String why) {
        assertThat(written.errors(to(kafka)))
                .singleElement()
                .asString()
                .contains(why)
                .doesNotContain("s3cr3t");
    }

    private static String transactional(String from, String to, String more) {
        String topic = "url: \"b.example:9092\", topic: orders";
        return "flows:\n  a:\n    from: { kafka: { " + topic + ", group: g, transactional: true" + from
                + " } }\n    to: " + to.replace("TOPIC", topic + "-eu") + "\n    " + more + "\n";
    }

    @Test
    void transactionIsFromTopicToTopicAndNeedsNoKey() throws Exception {
        FlowFile file = written.read(transactional(
                ", properties: { client.id: a, compression.type: lz4 }",
                "{ kafka: { TOPIC, properties: { compression.type: lz4 } } }",
                ""));
        assertThat(file.warnings()).isEmpty();
        assertThat(((KafkaFrom) file.config().flows().getFirst().from())
                        .transactional()
                        .value())
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                ", by: share | { kafka: { TOPIC } } | | a share group has no transactions; write by: key",
                "'' | { http: { url: \"https://h/\" } } | | the target is no topic, so its effects are in no transaction",
                "'' | { kafka: { url: \"c.example:9092\", topic: t } } | | a transaction is of one cluster; write the same url",
                "'' | { kafka: { TOPIC, properties: { compression.type: lz4 } } } | | repeat those of 'to.kafka' there",
                "'' | { kafka: { TOPIC } } | dedupe: { key: k } | 'dedupe' would keep answers of what is rolled back",
            })
    void refusesWhatNoTransactionCanHave(String from, String to, @Nullable String more, String why) {
        assertThat(written.errors(transactional(from, to, more == null ? "" : more)))
                .singleElement()
                .asString()
                .contains("'from.kafka.transactional' of flow 'a' cannot be true: ")
                .contains(why);
    }
}
