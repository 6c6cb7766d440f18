package dev.penstock.gateway.jms;

import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.GatewayConfig;
import dev.penstock.gateway.config.Secret;
import dev.penstock.jms.JmsBroker;
import org.jspecify.annotations.Nullable;

/**
 * A queue of a broker.
 *
 * @param url the broker URL for {@link JmsBroker#at}, or {@link #EMBEDDED}
 * @param user null uses the user of the URL
 * @param password null uses the password of the URL
 * @param name the queue name
 */
record JmsQueue(
        Configured<String> url,
        @Nullable Configured<String> user,
        @Nullable Configured<Secret> password,
        Configured<String> name) {
    /** The broker embedded in this process, with its journal beside the state file. */
    static final String EMBEDDED = "embedded";

    /** Whether the queue is on the embedded broker. */
    boolean isEmbedded() {
        return url.value().equals(EMBEDDED);
    }

    /** Whether any flow uses the embedded broker. */
    static boolean anyEmbedded(GatewayConfig config) {
        return config.flows().stream()
                .anyMatch(flow ->
                        (flow.from() instanceof JmsFrom from && from.queue().isEmbedded())
                                || (flow.to() instanceof JmsTo to && to.queue().isEmbedded()));
    }

    /** Whether URL and queue name are equal. */
    boolean isSame(JmsQueue other) {
        return url.value().equals(other.url.value()) && name.value().equals(other.name.value());
    }

    /** Whether the broker is known to drop a second message with the same id: Artemis does; an AMQP broker may not. */
    boolean dropsDuplicateIds() {
        return isEmbedded() || JmsBroker.at(url.value()).kind() == JmsBroker.Kind.ARTEMIS;
    }

    /** A short description without secrets. */
    String where() {
        return "queue " + name.value() + " of "
                + (isEmbedded() ? EMBEDDED : JmsBroker.at(url.value()).where());
    }

    @Override
    public String toString() {
        return where();
    }
}
