package dev.penstock.gateway.kafka;

import dev.penstock.gateway.config.ConfigMapping;
import dev.penstock.gateway.config.ConfigValue;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.HeaderNames;
import dev.penstock.gateway.config.Key;
import dev.penstock.gateway.config.KeyType;
import dev.penstock.gateway.config.Schema;
import dev.penstock.gateway.config.Secret;
import dev.penstock.kafka.KafkaCluster;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The keys of {@code to.kafka}. */
final class KafkaReader {
    private static final String URL_EXAMPLE = "url: \"broker.example:9092\"";
    private static final Pattern TOPIC_NAME = Pattern.compile("[a-zA-Z0-9._-]{1,249}");
    /** In messages of Kafka's client: it may be a secret. */
    private static final Pattern SECRET_VALUE = Pattern.compile("Invalid value .* for configuration ", Pattern.DOTALL);

    private static final Schema TARGET = Schema.of("to.kafka", "kafka: { " + URL_EXAMPLE + ", topic: payments }");
    private static final Key<KafkaCluster> URL = TARGET.key(
                    "url",
                    KeyType.text("HOST:PORT of one broker or more, separated by commas", KafkaReader::cluster),
                    "the brokers to ask for all others")
            .required(URL_EXAMPLE)
            .alias("servers brokers bootstrap_servers host");
    private static final Key<String> TOPIC = TARGET.key(
                    "topic",
                    KeyType.matching("letters, digits, dots, _ and -", TOPIC_NAME, KafkaReader::topic),
                    "the name of the topic")
            .required("topic: payments")
            .alias("name destination");
    private static final Key<String> KEY = TARGET.key(
                    "key",
                    HeaderNames.name("key: Customer-Id"),
                    "the header that is sent as the key of the record, which keeps records of equal value in order")
            .without("records without a key, in no order")
            .alias("order group");
    private static final Schema PROPERTIES_BY_NAME =
            Schema.named("properties", "properties: { security.protocol: SASL_SSL }", KeyType.secret());
    private static final Key<Map<String, Secret>> PROPERTIES = TARGET.key(
                    "properties",
                    KeyType.secrets(PROPERTIES_BY_NAME),
                    "properties of Kafka's client, by name, such as those of TLS and SASL")
            .or(Map.of())
            .without("none")
            .alias("settings config");
    static final Key<KafkaTo> TO = Key.of("kafka", KeyType.keys(TARGET, KafkaReader::to), "a topic of Kafka");

    private KafkaReader() {}

    private static @Nullable KafkaTo to(ConfigMapping given) {
        Configured<KafkaCluster> cluster = given.find(URL);
        Configured<String> topic = given.find(TOPIC);
        Configured<String> key = given.find(KEY);
        Map<String, Secret> properties = given.get(PROPERTIES).value();
        if (cluster == null || topic == null) {
            return null;
        }
        KafkaTo to = new KafkaTo(cluster, topic, key, properties);
        try {
            to.builder().build().close();
            return to;
        } catch (IllegalArgumentException refused) {
            String why = String.valueOf(refused.getMessage());
            given.refuse(
                    PROPERTIES,
                    "cannot be used: "
                            + SECRET_VALUE
                                    .matcher(why)
                                    .replaceAll("invalid value for ")
                                    .lines()
                                    .findFirst()
                                    .orElse(""),
                    "correct or remove it");
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

    private static @Nullable String topic(ConfigValue value) {
        return value.text(
                name -> TOPIC_NAME.matcher(name).matches() && !name.equals(".") && !name.equals(".."),
                "which is not a valid topic name",
                "write 1 to 249 letters, digits, dots, _ and -");
    }
}
