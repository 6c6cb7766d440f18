package dev.penstock.gateway.jms;

import dev.penstock.gateway.config.ConfigMapping;
import dev.penstock.gateway.config.ConfigValue;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.HeaderNames;
import dev.penstock.gateway.config.Keys;
import dev.penstock.gateway.config.Secret;
import dev.penstock.jms.JmsBroker;
import dev.penstock.jms.source.JmsSourceBuilder;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads {@code from.jms} and {@code to.jms}. */
final class JmsReader {
    static final String EXAMPLE = "jms: { url: embedded, queue: payments }";
    private static final String URL_EXAMPLE =
            "url: \"tcp://broker.example:61616\", url: \"amqp://broker.example\", or url: embedded";
    private static final int MAX_ATTEMPTS = 1_000;

    private static final String QUEUE_KEYS =
            "url (uri broker host), user (username), password, queue (destination name)";
    private static final Keys FROM = Keys.of(
                    "from.jms",
                    QUEUE_KEYS + ", in_flight (concurrency prefetch max), key, redeliver (retry), dead_letter (dlq), "
                            + "order (group), by (acknowledge), reply_to (replies reply), max_body (max_size)")
            .later("topic", "selector");
    private static final Keys TO = Keys.of("to.jms", QUEUE_KEYS + ", persistent (durable delivery_mode), group (order)")
            .later("topic");
    private static final Keys REDELIVER =
            Keys.of("redeliver", "attempts (times max count), backoff (delay), backoff_max");

    /** Accepted by all known brokers, and as a file name where a broker stores queues in files. */
    private static final Pattern QUEUE = Pattern.compile("[^\\p{Cntrl}\\s]{1,255}");

    private JmsReader() {}

    static @Nullable JmsFrom from(ConfigValue value) {
        ConfigMapping given = value.mapping(FROM, EXAMPLE);
        JmsQueue queue = given == null ? null : queue(given);
        if (given == null) {
            return null;
        }
        JmsFrom.Redeliver redeliver = redeliver(given.get("redeliver"));
        Configured<Integer> inFlight =
                given.unlessAuto("in_flight", number -> number.integer(1, JmsSourceBuilder.MOST_IN_FLIGHT, "or auto"));
        Configured<String> key = given.ifGiven("key", name -> HeaderNames.one(name, "key: JMSMessageID"));
        Configured<String> deadLetter = given.ifGiven("dead_letter", JmsReader::queueName);
        Configured<String> order = given.ifGiven("order", name -> HeaderNames.one(name, "order: JMSXGroupID"));
        Configured<JmsFrom.By> by = given.unlessAuto("by", JmsReader::by);
        Configured<List<String>> replyTo = given.ifGiven("reply_to", JmsReader::destinations);
        Configured<Long> maxBody = given.size("max_body", "1MB", "1B", "1GB");
        return queue == null
                ? null
                : new JmsFrom(queue, inFlight, key, redeliver, deadLetter, order, by, replyTo, maxBody);
    }

    static @Nullable JmsTo to(ConfigValue value) {
        ConfigMapping given = value.mapping(TO, EXAMPLE);
        JmsQueue queue = given == null ? null : queue(given);
        if (given == null) {
            return null;
        }
        Configured<Boolean> persistent = given.bool("persistent", true);
        Configured<String> group = given.ifGiven("group", name -> HeaderNames.one(name, "group: Customer-Id"));
        return queue == null ? null : new JmsTo(queue, persistent, group);
    }

    private static @Nullable JmsQueue queue(ConfigMapping given) {
        Configured<String> url = given.required("url", URL_EXAMPLE, JmsReader::url);
        Configured<String> name = given.required("queue", "queue: payments", JmsReader::queueName);
        Configured<String> user = given.ifGiven("user", ConfigValue::text);
        Configured<Secret> password = given.ifGiven("password", ConfigValue::secret);
        return url == null || name == null ? null : new JmsQueue(url, user, password, name);
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

    private static JmsFrom.Redeliver redeliver(@Nullable ConfigValue value) {
        ConfigMapping given =
                value == null ? null : value.mapping(REDELIVER, "redeliver: { attempts: 5, backoff: 1s }");
        return given == null
                ? JmsFrom.Redeliver.AUTOMATIC
                : new JmsFrom.Redeliver(
                        given.ifGiven("attempts", number -> number.integer(1, MAX_ATTEMPTS)),
                        given.ifGiven("backoff", time -> time.duration("0s", "1h")),
                        given.ifGiven("backoff_max", time -> time.duration("0s", "1h")));
    }

    private static JmsFrom.@Nullable By by(ConfigValue value) {
        return value.oneOf(
                JmsFrom.By.values(),
                JmsFrom.By::keyword,
                "which is not a way to acknowledge",
                "write auto, individual, batches or sessions");
    }
}
