package dev.penstock.gateway.jms;

import dev.penstock.gateway.config.ConfigMapping;
import dev.penstock.gateway.config.ConfigValue;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.HeaderNames;
import dev.penstock.gateway.config.Key;
import dev.penstock.gateway.config.KeyType;
import dev.penstock.gateway.config.Schema;
import dev.penstock.gateway.config.Secret;
import dev.penstock.jms.JmsBroker;
import dev.penstock.jms.source.JmsSourceBuilder;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The keys of {@code from.jms} and {@code to.jms}. */
final class JmsReader {
    static final String EXAMPLE = "jms: { url: embedded, queue: payments }";
    private static final String URL_EXAMPLE =
            "url: \"tcp://broker.example:61616\", url: \"amqp://broker.example\", or url: embedded";
    private static final int MAX_ATTEMPTS = 1_000;

    /** Accepted by all known brokers, and as a file name where a broker stores queues in files. */
    private static final Pattern QUEUE = Pattern.compile("[^\\p{Cntrl}\\s]{1,255}");

    private static final KeyType<String> QUEUE_NAME = KeyType.matching("a queue", QUEUE, JmsReader::queueName);

    private static final Schema REDELIVER_KEYS = Schema.of("redeliver", "redeliver: { attempts: 5, backoff: 1s }");
    private static final Key<Integer> ATTEMPTS = REDELIVER_KEYS
            .key("attempts", KeyType.integer(1, MAX_ATTEMPTS), "how often a message is processed in all")
            .without(String.valueOf(JmsSourceBuilder.DEFAULT_ATTEMPTS))
            .alias("times max count");
    private static final Key<Duration> BACKOFF = REDELIVER_KEYS
            .key(
                    "backoff",
                    KeyType.duration("0s", "1h"),
                    "the longest wait before the second attempt, doubled for each further one")
            .without("200ms; 1s with a key")
            .alias("delay");
    private static final Key<Duration> BACKOFF_MAX = REDELIVER_KEYS
            .key("backoff_max", KeyType.duration("0s", "1h"), "the upper bound of the doubling wait")
            .without("10s");

    private static final Schema SOURCE = Schema.of("from.jms", EXAMPLE).later(List.of("topic", "selector"));
    private static final QueueKeys SOURCE_QUEUE = QueueKeys.in(SOURCE);
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
    private static final Key<JmsFrom.Redeliver> REDELIVER = SOURCE.key(
                    "redeliver",
                    KeyType.mapping(REDELIVER_KEYS, JmsReader::redeliver),
                    "how often a failed message is tried")
            .or(JmsFrom.Redeliver.AUTOMATIC)
            .without("5 attempts")
            .alias("retry");
    private static final Key<String> DEAD_LETTER = SOURCE.key(
                    "dead_letter", QUEUE_NAME, "the queue of messages that could not be processed")
            .without("QUEUE.DLQ")
            .alias("dlq");
    private static final Key<String> ORDER = SOURCE.key(
                    "order",
                    HeaderNames.name("order: JMSXGroupID"),
                    "the property whose equal values keep messages in order")
            .without("no order")
            .alias("group");
    private static final Key<JmsFrom.By> BY = SOURCE.key(
                    "by",
                    KeyType.oneOf(
                            JmsFrom.By.values(),
                            JmsFrom.By::keyword,
                            "which is not a way to acknowledge",
                            "write auto, individual, batches or sessions"),
                    "how messages are acknowledged")
            .auto("by the abilities of the client")
            .alias("acknowledge");
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
    static final Key<JmsFrom> FROM = Key.of("jms", KeyType.mapping(SOURCE, JmsReader::from), "a queue of a broker")
            .alias("queue amqp artemis");

    private static final Schema TARGET = Schema.of("to.jms", EXAMPLE).later(List.of("topic"));
    private static final QueueKeys TARGET_QUEUE = QueueKeys.in(TARGET);
    private static final Key<Boolean> PERSISTENT = TARGET.key(
                    "persistent", KeyType.bool(), "whether messages survive a restart of the broker")
            .or(true)
            .alias("durable delivery_mode");
    private static final Key<String> GROUP = TARGET.key(
                    "group",
                    HeaderNames.name("group: Customer-Id"),
                    "the header that is sent as JMSXGroupID, which keeps messages of equal value in order")
            .without("no order")
            .alias("order");
    static final Key<JmsTo> TO = Key.of("jms", KeyType.mapping(TARGET, JmsReader::to), "a queue of a broker")
            .alias("queue");

    private JmsReader() {}

    /** The keys that source and target have in common. */
    private record QueueKeys(Key<String> url, Key<String> user, Key<Secret> password, Key<String> queue) {
        static QueueKeys in(Schema schema) {
            return new QueueKeys(
                    schema.key("url", KeyType.text("a broker URL, or embedded", JmsReader::url), "the broker")
                            .required(URL_EXAMPLE)
                            .alias("uri broker host"),
                    schema.key("user", KeyType.text(), "the user of the broker").alias("username"),
                    schema.key("password", KeyType.secret(), "the password of that user"),
                    schema.key("queue", QUEUE_NAME, "the name of the queue")
                            .required("queue: payments")
                            .alias("destination name"));
        }

        @Nullable
        JmsQueue read(ConfigMapping given) {
            Configured<String> at = given.find(url);
            Configured<String> name = given.find(queue);
            Configured<String> login = given.find(user);
            Configured<Secret> secret = given.find(password);
            return at == null || name == null ? null : new JmsQueue(at, login, secret, name);
        }
    }

    private static @Nullable JmsFrom from(ConfigValue value) {
        ConfigMapping given = value.mapping(SOURCE);
        if (given == null) {
            return null;
        }
        JmsQueue queue = SOURCE_QUEUE.read(given);
        JmsFrom.Redeliver redeliver = given.get(REDELIVER).value();
        Configured<Integer> inFlight = given.find(IN_FLIGHT);
        Configured<String> key = given.find(KEY);
        Configured<String> deadLetter = given.find(DEAD_LETTER);
        Configured<String> order = given.find(ORDER);
        Configured<JmsFrom.By> by = given.find(BY);
        Configured<List<String>> replyTo = given.find(REPLY_TO);
        Configured<Long> maxBody = given.get(MAX_BODY);
        return queue == null
                ? null
                : new JmsFrom(queue, inFlight, key, redeliver, deadLetter, order, by, replyTo, maxBody);
    }

    private static @Nullable JmsTo to(ConfigValue value) {
        ConfigMapping given = value.mapping(TARGET);
        if (given == null) {
            return null;
        }
        JmsQueue queue = TARGET_QUEUE.read(given);
        Configured<Boolean> persistent = given.get(PERSISTENT);
        Configured<String> group = given.find(GROUP);
        return queue == null ? null : new JmsTo(queue, persistent, group);
    }

    /** Messages do not show the URL: it may contain a password. */
    private static @Nullable String url(ConfigValue value) {
        String url = value.text();
        if (url == null || url.equals(JmsQueue.EMBEDDED)) {
            return url;
        }
        try {
            JmsBroker.at(url);
            return url;
        } catch (IllegalArgumentException none) {
            if (url.startsWith("class:")) {
                value.refuse("names a JMS client that cannot be used", String.valueOf(none.getMessage()));
                return null;
            }
            value.refuse("is not a supported broker URL", "write for instance " + URL_EXAMPLE);
            return null;
        }
    }

    private static @Nullable String queueName(ConfigValue value) {
        String name = value.text();
        if (name == null || QUEUE.matcher(name).matches()) {
            return name;
        }
        value.refuseValue("which is not a valid queue name", "write 1 to 255 characters without spaces");
        return null;
    }

    private static @Nullable List<String> destinations(ConfigValue value) {
        String written = value.text();
        if (written == null) {
            return null;
        }
        List<String> names =
                Arrays.stream(written.split(",", -1)).map(String::strip).toList();
        if (names.stream().allMatch(name -> QUEUE.matcher(name).matches())) {
            return names;
        }
        value.refuseValue(
                "which is not a list of reply destinations",
                "write for instance reply_to: \"replies.*\", or several separated by commas");
        return null;
    }

    private static JmsFrom.@Nullable Redeliver redeliver(ConfigValue value) {
        ConfigMapping given = value.mapping(REDELIVER_KEYS);
        return given == null
                ? null
                : new JmsFrom.Redeliver(given.find(ATTEMPTS), given.find(BACKOFF), given.find(BACKOFF_MAX));
    }
}
