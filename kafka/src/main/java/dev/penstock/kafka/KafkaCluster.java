package dev.penstock.kafka;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.FinalizedVersionRange;
import org.apache.kafka.common.KafkaException;

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
    private static final int TIMEOUT_MILLIS = 5_000;
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

    /**
     * Asks the brokers, for about 5 s at most, whether they have what a source or target needs. Opens connections, and closes them.
     *
     * @param isShared whether it needs share groups
     * @param topics those that it needs
     * @return what is missing or wrong and what to do, a sentence each; empty for nothing
     */
    public List<String> missing(boolean isShared, String... topics) {
        List<String> missing = new ArrayList<>();
        try (Admin admin = Admin.create(adminSettings())) {
            Set<String> known = admin.listTopics().names().get();
            for (String topic : topics) {
                if (!known.contains(topic)) {
                    missing.add("topic " + topic + " does not exist at " + servers
                            + ", or this login may not see it; create it");
                }
            }
            FinalizedVersionRange groups = admin.describeFeatures()
                    .featureMetadata()
                    .get()
                    .finalizedFeatures()
                    .get("share.version");
            if (isShared && (groups == null || groups.maxVersionLevel() == 0)) {
                missing.add(
                        "the brokers at " + servers
                                + " have no share groups; they need version 4.2 and the feature share.version (kafka-features.sh)");
            }
        } catch (ExecutionException | KafkaException failed) {
            Throwable why =
                    failed instanceof ExecutionException && failed.getCause() != null ? failed.getCause() : failed;
            missing.add(withoutValue(String.valueOf(
                    new SendFault("the cluster " + servers).noTopic(why, false).getMessage())));
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
        return missing;
    }

    /** The bootstrap servers, for display too. */
    public String servers() {
        return servers;
    }

    /** The settings of its clients, by name. Values may be secrets. */
    public Map<String, String> settings() {
        return settings;
    }

    /** The settings of an admin client whose questions take 5 s at most. Values may be secrets. */
    public Map<String, Object> adminSettings() {
        Map<String, Object> all = new HashMap<>(settings);
        all.put(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, servers);
        all.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, TIMEOUT_MILLIS);
        all.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, TIMEOUT_MILLIS);
        return all;
    }

    /** Without the settings, which may be secret. */
    @Override
    public String toString() {
        return servers;
    }
}
