package dev.penstock.gateway.jms;

import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.GatewayConfig;
import dev.penstock.gateway.config.Secret;
import dev.penstock.jms.JmsBroker;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A queue or a topic of a broker.
 *
 * @param address how to reach the broker
 * @param user null uses the user of the URL
 * @param password null uses the password of the URL
 * @param isTopic whether it is a topic
 * @param name the name of the queue or topic
 */
record JmsEndpoint(
        Configured<? extends Address> address,
        @Nullable Configured<Secret> user,
        @Nullable Configured<Secret> password,
        boolean isTopic,
        Configured<String> name) {
    /** The broker embedded in this process, with its journal beside the state file. */
    static final String EMBEDDED = "embedded";

    /** How to reach a broker. */
    sealed interface Address {
        /** The broker, without user and password. Opens no connection. */
        JmsBroker broker();
    }

    /** The URL for {@link JmsBroker#at}, or {@link #EMBEDDED}. */
    record Url(String url) implements Address {
        @Override
        public JmsBroker broker() {
            return JmsBroker.at(url);
        }
    }

    /** The connection factory of a client and its properties, for {@link JmsBroker#of(String, Map)}. */
    record Factory(String className, Map<String, Secret> properties) implements Address {
        @Override
        public JmsBroker broker() {
            Map<String, String> values = new TreeMap<>();
            properties.forEach((name, value) -> values.put(name, value.get()));
            return JmsBroker.of(className, values);
        }
    }

    /** Whether the broker is the embedded one. */
    boolean isEmbedded() {
        return address.value().equals(new Url(EMBEDDED));
    }

    /** Whether any flow uses the embedded broker. */
    static boolean anyEmbedded(GatewayConfig config) {
        return config.flows().stream()
                .anyMatch(flow -> (flow.from() instanceof JmsFrom from
                                && from.endpoint().isEmbedded())
                        || (flow.to() instanceof JmsTo to && to.endpoint().isEmbedded()));
    }

    /** Whether the addresses and names are equal, and both are queues or both are topics. */
    boolean isSame(JmsEndpoint other) {
        return address.value().equals(other.address.value())
                && isTopic == other.isTopic
                && name.value().equals(other.name.value());
    }

    /** Whether the broker is known to drop a second message with the same id: Artemis does; an AMQP broker may not. */
    boolean dropsDuplicateIds() {
        return isEmbedded() || address.value().broker().kind() == JmsBroker.Kind.ARTEMIS;
    }

    /** A short description without secrets. */
    String where() {
        return (isTopic ? "topic " : "queue ") + name.value() + " of "
                + (isEmbedded() ? EMBEDDED : address.value().broker().where());
    }

    @Override
    public String toString() {
        return where();
    }
}
