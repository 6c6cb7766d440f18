package dev.penstock.gateway.jms;

import dev.penstock.gateway.config.ConfigMapping;
import dev.penstock.gateway.config.ConfigValue;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.HeaderNames;
import dev.penstock.gateway.config.Key;
import dev.penstock.gateway.config.KeyType;
import dev.penstock.gateway.config.RedeliverConfig;
import dev.penstock.gateway.config.Schema;
import dev.penstock.gateway.config.Secret;
import dev.penstock.jms.JmsBroker;
import dev.penstock.jms.source.JmsSource;
import dev.penstock.jms.source.JmsSourceBuilder;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The keys of {@code from.jms} and {@code to.jms}. */
final class JmsReader {
    static final String EXAMPLE = "jms: { url: embedded, queue: payments }";
    private static final String URL_EXAMPLE =
            "url: \"tcp://broker.example:61616\", url: \"amqp://broker.example\", or url: embedded";
    private static final String CLASS_EXAMPLE = "class: com.example.jms.ExampleConnectionFactory";

    /** Accepted by all known brokers, and as a file name where a broker stores queues in files. */
    private static final Pattern QUEUE = Pattern.compile("[^\\p{Cntrl}\\s]{1,255}");

    private static final KeyType<String> QUEUE_NAME = name("queue");

    private static final Schema FACTORY_KEYS = Schema.of("factory", "factory: { " + CLASS_EXAMPLE + " }");
    private static final Key<String> CLASS = FACTORY_KEYS
            .key("class", KeyType.text(), "the connection factory: a jakarta.jms.ConnectionFactory")
            .required(CLASS_EXAMPLE)
            .alias("name type");
    private static final Schema PROPERTIES_BY_NAME =
            Schema.named("properties", "properties: { hostName: broker.example }", KeyType.secret());
    private static final Key<Map<String, Secret>> PROPERTIES = FACTORY_KEYS
            .key("properties", KeyType.secrets(PROPERTIES_BY_NAME), "its properties, by name")
            .or(Map.of())
            .without("none");

    private static final String FOR_TOPIC = "is for a topic, but the source is a queue";
    private static final String TOPIC_REMEDY = "write topic: %s instead of queue, or remove it";
    private static final Schema SOURCE = Schema.of("from.jms", EXAMPLE)
            .removed("by", "the client decides how messages are acknowledged; remove it")
            .removed("acknowledge", "the client decides how messages are acknowledged; remove it");
    private static final EndpointKeys SOURCE_ENDPOINT = EndpointKeys.in(SOURCE);
    private static final Key<String> SUBSCRIPTION = SOURCE.key(
                    "subscription",
                    name("subscription"),
                    "the name of a durable subscription of the topic: the broker keeps messages while the source is away")
            .without("a subscription while the source is connected")
            .excludes(SOURCE_ENDPOINT.queue, FOR_TOPIC, TOPIC_REMEDY)
            .alias("durable");
    private static final Key<Boolean> SHARED = SOURCE.key(
                    "shared",
                    KeyType.bool(),
                    "whether sources with this subscription, or of flows with this name, share the messages of the topic")
            .or(false)
            .excludes(SOURCE_ENDPOINT.queue, FOR_TOPIC, TOPIC_REMEDY);
    private static final Key<String> SELECTOR = SOURCE.key(
                    "selector",
                    KeyType.text("a JMS selector", JmsReader::selector),
                    "a condition on properties: which messages are received")
            .without("all messages")
            .alias("filter where");
    private static final Key<Integer> IN_FLIGHT = SOURCE.key(
                    "in_flight",
                    KeyType.integer(1, JmsSourceBuilder.MOST_IN_FLIGHT, "or auto"),
                    "the maximum number of messages in flight")
            .auto("as many as the flow processes, and an eighth more")
            .alias("concurrency prefetch max");
    private static final Key<String> KEY = SOURCE.key(
                    "key",
                    HeaderNames.name("key: JMSMessageID"),
                    "what identifies a message that is sent again: JMSMessageID, or a property")
            .without("a message with an unknown outcome becomes a dead letter");
    private static final Key<RedeliverConfig> REDELIVER = RedeliverConfig.in(SOURCE);
    private static final Key<String> DEAD_LETTER = SOURCE.key(
                    "dead_letter", QUEUE_NAME, "the queue of messages that could not be processed")
            .without("QUEUE.DLQ; TOPIC.SUBSCRIPTION.DLQ")
            .alias("dlq");
    private static final Key<String> ORDER = SOURCE.key(
                    "order",
                    HeaderNames.name("order: JMSXGroupID"),
                    "the property whose equal values keep messages in order")
            .without("no order")
            .alias("group");
    private static final Key<List<String>> REPLY_TO = SOURCE.key(
                    "reply_to",
                    KeyType.text("destinations, separated by commas, * for any characters", JmsReader::destinations),
                    "where replies may be sent")
            .without("anywhere")
            .alias("replies reply");
    private static final Key<Long> MAX_BODY = SOURCE.key(
                    "max_body", KeyType.size("1B", "1GB"), "the largest body; a larger one becomes a dead letter")
            .or(JmsSourceBuilder.DEFAULT_MAX_BODY)
            .alias("max_size");
    static final Key<JmsFrom> FROM = Key.of(
                    "jms", KeyType.keys(SOURCE, JmsReader::from), "a queue or topic of a broker")
            .alias("queue amqp artemis");

    private static final Schema TARGET = Schema.of("to.jms", EXAMPLE)
            .removed("persistent", "the broker keeps every message that was answered with 202; remove it");
    private static final EndpointKeys TARGET_ENDPOINT = EndpointKeys.in(TARGET);
    private static final Key<String> GROUP = TARGET.key(
                    "group",
                    HeaderNames.name("group: Customer-Id"),
                    "the header that is sent as JMSXGroupID, which keeps messages of equal value in order")
            .without("no order")
            .alias("order");
    static final Key<JmsTo> TO = Key.of("jms", KeyType.keys(TARGET, JmsReader::to), "a queue or topic of a broker")
            .alias("queue");

    private JmsReader() {}

    /** The keys that source and target have in common. */
    private record EndpointKeys(
            String where,
            Key<JmsEndpoint.Url> url,
            Key<JmsEndpoint.Factory> factory,
            Key<Secret> user,
            Key<Secret> password,
            Key<String> queue,
            Key<String> topic) {
        static EndpointKeys in(Schema schema) {
            EndpointKeys keys = new EndpointKeys(
                    schema.where(),
                    schema.key("url", KeyType.text("a broker URL, or embedded", JmsReader::url), "the broker")
                            .alias("uri broker host"),
                    schema.key(
                                    "factory",
                                    KeyType.mapping(FACTORY_KEYS, JmsReader::factory),
                                    "the client of any other broker, in place of url")
                            .alias("connection_factory client"),
                    schema.key("user", KeyType.user(), "the user of the broker").alias("username"),
                    schema.key("password", KeyType.secret(), "the password of that user"),
                    schema.key("queue", QUEUE_NAME, "the name of the queue").alias("destination name"),
                    schema.key("topic", name("topic"), "the name of the topic, in place of queue"));
            schema.either(keys.url, keys.factory).either(keys.queue, keys.topic);
            return keys;
        }

        @Nullable
        JmsEndpoint read(ConfigMapping given) {
            boolean hasAddress = isOne(given, url, factory, URL_EXAMPLE);
            boolean hasName = isOne(given, queue, topic, "queue: payments, or topic: prices");
            Configured<JmsEndpoint.Url> at = given.find(url);
            Configured<JmsEndpoint.Factory> client = given.find(factory);
            Configured<String> ofQueue = given.find(queue);
            Configured<String> ofTopic = given.find(topic);
            Configured<Secret> login = given.find(user);
            Configured<Secret> secret = given.find(password);
            Configured<? extends JmsEndpoint.Address> address = at == null ? client : at;
            Configured<String> name = ofQueue == null ? ofTopic : ofQueue;
            return !hasAddress || !hasName || address == null || name == null
                    ? null
                    : new JmsEndpoint(address, login, secret, ofQueue == null, name);
        }

        private boolean isOne(ConfigMapping given, Key<?> first, Key<?> second, String example) {
            if (given.has(first) && given.has(second)) {
                given.refuse(second, "is combined with '" + where + "." + first.name() + "'", "keep one of the two");
            } else if (!given.has(first) && !given.has(second)) {
                given.refuse(where + " has no '" + first.name() + "'; add for instance " + example);
            }
            return given.has(first) != given.has(second);
        }
    }

    private static @Nullable JmsFrom from(ConfigMapping given) {
        JmsEndpoint endpoint = SOURCE_ENDPOINT.read(given);
        Configured<String> subscription = given.find(SUBSCRIPTION);
        Configured<Boolean> shared = given.get(SHARED);
        Configured<String> selector = given.find(SELECTOR);
        RedeliverConfig redeliver = given.get(REDELIVER).value();
        Configured<Integer> inFlight = given.find(IN_FLIGHT);
        Configured<String> key = given.find(KEY);
        Configured<String> deadLetter = given.find(DEAD_LETTER);
        Configured<String> order = given.find(ORDER);
        Configured<List<String>> replyTo = given.find(REPLY_TO);
        Configured<Long> maxBody = given.get(MAX_BODY);
        return endpoint == null
                ? null
                : new JmsFrom(
                        endpoint,
                        subscription,
                        shared,
                        selector,
                        inFlight,
                        key,
                        redeliver,
                        deadLetter,
                        order,
                        replyTo,
                        maxBody);
    }

    private static @Nullable JmsTo to(ConfigMapping given) {
        JmsEndpoint endpoint = TARGET_ENDPOINT.read(given);
        Configured<String> group = given.find(GROUP);
        return endpoint == null ? null : new JmsTo(endpoint, group);
    }

    /** Messages do not show the URL: it may contain a password. */
    private static JmsEndpoint.@Nullable Url url(ConfigValue value) {
        String url = value.text();
        if (url == null) {
            return null;
        }
        JmsEndpoint.Url address = new JmsEndpoint.Url(url);
        if (url.equals(JmsEndpoint.EMBEDDED)) {
            return address;
        }
        try {
            address.broker();
            return address;
        } catch (IllegalArgumentException none) {
            if (url.startsWith("class:")) {
                value.refuse("names a JMS client that cannot be used", String.valueOf(none.getMessage()));
                return null;
            }
            value.refuse("is not a supported broker URL", "write for instance " + URL_EXAMPLE);
            return null;
        }
    }

    private static JmsEndpoint.@Nullable Factory factory(ConfigValue value) {
        int before = value.problems().count();
        ConfigMapping given = value.mapping(FACTORY_KEYS);
        if (given == null) {
            return null;
        }
        String className = given.valueOf(CLASS);
        JmsEndpoint.Factory factory = new JmsEndpoint.Factory(
                className == null ? "" : className, given.get(PROPERTIES).value());
        if (value.problems().count() > before) {
            return null;
        }
        try {
            factory.broker();
            return factory;
        } catch (IllegalArgumentException none) {
            value.refuse("names a JMS client that cannot be used", oneLine(none));
            return null;
        }
    }

    private static @Nullable String selector(ConfigValue value) {
        String selector = value.text();
        if (selector == null) {
            return null;
        }
        try {
            JmsSource.at(JmsBroker.at(Brokers.NOT_STARTED)).queue("any").selector(selector);
            return selector;
        } catch (IllegalArgumentException invalid) {
            value.refuse("cannot be used", oneLine(invalid));
            return null;
        }
    }

    /** The message, which may contain text of the file. */
    private static String oneLine(IllegalArgumentException refused) {
        return String.valueOf(refused.getMessage()).replaceAll("[\\s\\p{Cntrl}]+", " ");
    }

    private static KeyType<String> name(String of) {
        return KeyType.matching("a " + of, QUEUE, value -> name(value, of));
    }

    private static @Nullable String name(ConfigValue value, String of) {
        return value.text(
                QUEUE.asMatchPredicate(),
                "which is not a valid " + of + " name",
                "write 1 to 255 characters without spaces");
    }

    private static @Nullable List<String> destinations(ConfigValue value) {
        return value.texts(
                QUEUE.asMatchPredicate(), "which is not a list of reply destinations", "reply_to: \"replies.*\"");
    }
}
