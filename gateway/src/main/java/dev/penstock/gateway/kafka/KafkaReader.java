package dev.penstock.gateway.kafka;

import dev.penstock.gateway.config.ConfigMapping;
import dev.penstock.gateway.config.ConfigProblems;
import dev.penstock.gateway.config.ConfigValue;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.HeaderNames;
import dev.penstock.gateway.config.Key;
import dev.penstock.gateway.config.KeyType;
import dev.penstock.gateway.config.RedeliverConfig;
import dev.penstock.gateway.config.Schema;
import dev.penstock.gateway.config.Secret;
import dev.penstock.gateway.transport.JsonBody;
import dev.penstock.kafka.KafkaCluster;
import dev.penstock.kafka.source.KafkaSource;
import dev.penstock.kafka.source.KafkaSourceBuilder;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The keys of {@code from.kafka} and {@code to.kafka}. */
final class KafkaReader {
    private static final String URL_EXAMPLE = "url: \"broker.example:9092\"";
    private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9._-]{1,249}");

    private static final KeyType<String> TOPIC_TYPE = name("topic");
    private static final Key<KafkaCluster> URL = Key.of(
                    "url",
                    KeyType.text("HOST:PORT of one broker or more, separated by commas", KafkaReader::cluster),
                    "the brokers to ask for all others")
            .required(URL_EXAMPLE)
            .alias("servers brokers bootstrap_servers host");
    private static final Key<String> TOPIC = Key.of("topic", TOPIC_TYPE, "the name of the topic")
            .required("topic: payments")
            .alias("name destination");
    private static final Schema PROPERTIES_BY_NAME =
            Schema.named("properties", "properties: { security.protocol: SASL_SSL }", KeyType.secret());
    private static final Key<Map<String, Secret>> PROPERTIES = Key.of(
                    "properties",
                    KeyType.secrets(PROPERTIES_BY_NAME),
                    "properties of Kafka's client, by name, such as those of TLS and SASL")
            .or(Map.of())
            .without("none")
            .alias("settings config");

    private static final Schema SOURCE = Schema.of(
                    "from.kafka", "kafka: { " + URL_EXAMPLE + ", topic: payments, group: gateway }")
            .with(List.of(URL, TOPIC, PROPERTIES));
    private static final Key<String> GROUP = SOURCE.key(
                    "group",
                    name("group"),
                    "the consumer group, or share group, whose members share the records of the topic")
            .required("group: gateway");
    private static final Key<String> BY = SOURCE.key(
                    "by",
                    KeyType.oneOf(List.of("key", KafkaFrom.SHARE)),
                    "how records are received: those of a key in order, by a consumer group, or each for itself, by a share group")
            .auto("key, since nothing else tells that their order does not matter")
            .alias("mode");
    private static final Key<Integer> IN_FLIGHT = SOURCE.key(
                    "in_flight",
                    KeyType.integer(1, KafkaSourceBuilder.MOST_IN_FLIGHT, "or auto"),
                    "the maximum number of records in process")
            .auto("as many as the flow processes, and an eighth more")
            .alias("concurrency max");
    private static final Key<String> KEY = SOURCE.key(
                    "key",
                    HeaderNames.name("key: " + KafkaSource.ID),
                    "what identifies a record that is sent again: penstock_id, or another header of the record")
            .without("a record with an unknown outcome becomes a dead letter");
    private static final Key<RedeliverConfig> REDELIVER = RedeliverConfig.in(SOURCE);
    private static final Key<String> DEAD_LETTER = SOURCE.key(
                    "dead_letter", TOPIC_TYPE, "the topic of records that could not be processed")
            .without("TOPIC.DLQ")
            .alias("dlq");
    private static final Key<Boolean> TRANSACTIONAL = SOURCE.key(
                    "transactional",
                    KeyType.bool(),
                    "whether a record and what becomes of it, in other topics of the same brokers, are committed in one transaction")
            .or(false)
            .alias("transaction exactly_once");
    static final Key<KafkaFrom> FROM = Key.of("kafka", KeyType.keys(SOURCE, KafkaReader::from), "a topic of Kafka");

    private static final Schema TARGET = Schema.of("to.kafka", "kafka: { " + URL_EXAMPLE + ", topic: payments }")
            .with(List.of(URL, TOPIC, PROPERTIES));
    private static final KeyType<String> HEADER = HeaderNames.name("key: Customer-Id");
    private static final Schema FIELD = Schema.of("to.kafka.key", "key: { json: /customer/id }");
    private static final Key<String> JSON = FIELD.key("json", JsonBody.POINTER, "a place in the body")
            .required("json: /customer/id")
            .alias("body path field");
    private static final Key<String> RECORD_KEY = TARGET.key(
                    "key",
                    KeyType.mapping(FIELD, KafkaReader::recordKey).or(HEADER),
                    "what is sent as the key of the record, which keeps records of equal value in order: a header, or a"
                            + " place in the body")
            .without("records without a key, in no order")
            .alias("order group");
    static final Key<KafkaTo> TO = Key.of("kafka", KeyType.keys(TARGET, KafkaReader::to), "a topic of Kafka");

    private KafkaReader() {}

    record TopicConfig(Configured<KafkaCluster> url, Configured<String> name, Map<String, Secret> properties) {
        /** The brokers, with the properties of their clients. */
        KafkaCluster cluster() {
            KafkaCluster all = url.value();
            for (Map.Entry<String, Secret> property : properties.entrySet()) {
                all = all.with(property.getKey(), property.getValue().get());
            }
            return all;
        }

        String servers() {
            return url.value().servers();
        }

        /** Asks the brokers for this topic and another one. */
        void ask(boolean isShared, String other, ConfigProblems problems) {
            cluster().missing(isShared, name.value(), other).forEach(missing -> problems.add(name.location(), missing));
        }

        /** Without secrets. */
        @Override
        public String toString() {
            return "topic " + name.value() + " at " + url.value();
        }
    }

    private static @Nullable TopicConfig topic(ConfigMapping given) {
        Configured<KafkaCluster> url = given.find(URL);
        Configured<String> name = given.find(TOPIC);
        Map<String, Secret> properties = given.get(PROPERTIES).value();
        return url == null || name == null ? null : new TopicConfig(url, name, properties);
    }

    private static @Nullable KafkaFrom from(ConfigMapping given) {
        TopicConfig topic = topic(given);
        Configured<String> group = given.find(GROUP);
        Configured<String> by = given.find(BY);
        Configured<Integer> inFlight = given.find(IN_FLIGHT);
        Configured<String> key = given.find(KEY);
        RedeliverConfig redeliver = given.get(REDELIVER).value();
        Configured<String> deadLetter = given.find(DEAD_LETTER);
        return topic == null || group == null
                ? null
                : new KafkaFrom(topic, group, by, inFlight, key, redeliver, deadLetter, given.get(TRANSACTIONAL));
    }

    /** A header, or a JSON pointer, which begins with a slash. */
    private static @Nullable String recordKey(ConfigValue value) {
        ConfigMapping field = value.isMapping() ? value.mapping(FIELD) : null;
        return field != null
                ? field.valueOf(JSON)
                : value.isMapping() ? null : HEADER.read().apply(value);
    }

    private static @Nullable KafkaTo to(ConfigMapping given) {
        TopicConfig topic = topic(given);
        String key = given.valueOf(RECORD_KEY);
        if (topic == null) {
            return null;
        }
        KafkaTo to = new KafkaTo(topic, key);
        try {
            to.builder().build().close();
            return to;
        } catch (IllegalArgumentException refused) {
            given.refuse(PROPERTIES, "cannot be used: " + refused.getMessage(), "correct or remove it");
            return null;
        }
    }

    private static @Nullable KafkaCluster cluster(ConfigValue value) {
        String servers = value.text();
        if (servers == null) {
            return null;
        }
        try {
            return KafkaCluster.at(servers);
        } catch (IllegalArgumentException none) {
            value.refuse(
                    "does not name brokers", "write for instance " + URL_EXAMPLE + ", or several with commas between");
            return null;
        }
    }

    private static KeyType<String> name(String of) {
        return KeyType.matching(
                "letters, digits, dots, _ and -",
                NAME,
                value -> value.text(
                        name -> NAME.matcher(name).matches() && !name.equals(".") && !name.equals(".."),
                        "which is not a valid " + of + " name",
                        "write 1 to 249 letters, digits, dots, _ and -"));
    }
}
