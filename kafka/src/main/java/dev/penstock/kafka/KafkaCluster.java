package dev.penstock.kafka;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * A Kafka cluster by its bootstrap servers, with the settings of its clients, such as those of TLS and SASL. Immutable.
 *
 * <pre>{@code
 * KafkaCluster.at("broker-1.example:9093,broker-2.example:9093")
 *         .with("security.protocol", "SASL_SSL")
 *         .with("sasl.mechanism", "SCRAM-SHA-512")
 *         .with("sasl.jaas.config", loginModule)
 * }</pre>
 */
public final class KafkaCluster {
    private static final String SERVER = "[^\\s,/:\\[\\]]+:\\d{1,5}|\\[[\\p{XDigit}:.]+]:\\d{1,5}";
    private static final Pattern SERVERS = Pattern.compile("(%s)(,(%s))*".formatted(SERVER, SERVER));

    /** A value may have several lines. */
    private static final Pattern REFUSED_VALUE = Pattern.compile("Invalid value .* for configuration ", Pattern.DOTALL);

    private final String servers;
    private final Map<String, String> settings;

    private KafkaCluster(String servers, Map<String, String> settings) {
        this.servers = servers;
        this.settings = settings;
    }

    /**
     * A cluster.
     *
     * @param servers one broker or more, each as {@code host:port}, separated by commas; they are only the first to be asked
     *     for all others
     * @throws IllegalArgumentException when they are not of this form
     */
    public static KafkaCluster at(String servers) {
        String stripped = servers.replaceAll("\\s*,\\s*", ",").strip();
        if (!SERVERS.matcher(stripped).matches()) {
            throw new IllegalArgumentException(
                    "bootstrap servers must be host:port, separated by commas, but are '" + servers + "'");
        }
        return new KafkaCluster(stripped, Map.of());
    }

    /**
     * A copy with a setting of Kafka's clients.
     *
     * @param name as in Kafka's documentation, for instance {@code security.protocol}
     * @param value its value; may be a secret
     */
    public KafkaCluster with(String name, String value) {
        Map<String, String> more = new TreeMap<>(settings);
        more.put(name, value);
        return new KafkaCluster(servers, Collections.unmodifiableMap(more));
    }

    /**
     * The first line of a message of Kafka's client, without the value of a setting that it refuses, which may be a secret.
     *
     * @param message of an exception
     */
    public static String withoutValue(String message) {
        return REFUSED_VALUE
                .matcher(message)
                .replaceAll("invalid value for ")
                .lines()
                .findFirst()
                .orElse("");
    }

    /** The bootstrap servers, for display too. */
    public String servers() {
        return servers;
    }

    /** The settings of its clients, by name. Values may be secrets. */
    public Map<String, String> settings() {
        return settings;
    }

    /** Without the settings, which may be secret. */
    @Override
    public String toString() {
        return servers;
    }
}
