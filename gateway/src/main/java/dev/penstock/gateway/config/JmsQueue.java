package dev.penstock.gateway.config;

import dev.penstock.jms.JmsBroker;
import org.jspecify.annotations.Nullable;

/**
 * A queue of a broker.
 *
 * @param url where the broker is, as {@link JmsBroker#at} reads it; or {@link #EMBEDDED}
 * @param user null for what the URL says
 * @param password null for what the URL says
 * @param name of the queue
 */
public record JmsQueue(
        Configured<String> url,
        @Nullable Configured<String> user,
        @Nullable Configured<Secret> password,
        Configured<String> name) {
    /** Stands for the broker in this process, with its journal beside the state file. */
    public static final String EMBEDDED = "embedded";

    /** Whether it is of the broker in this process. */
    public boolean isEmbedded() {
        return url.value().equals(EMBEDDED);
    }

    /** Whether it is the same queue of the same broker, as far as the file shows. */
    public boolean isSame(JmsQueue other) {
        return url.value().equals(other.url.value()) && name.value().equals(other.name.value());
    }

    /** Whether its broker surely drops a second message of the same id: Artemis does; what speaks AMQP may be any other. */
    public boolean takesIdsOnce() {
        return isEmbedded() || JmsBroker.at(url.value()).kind() == JmsBroker.Kind.ARTEMIS;
    }

    /** In one short line, without secrets. */
    public String where() {
        return "queue " + name.value() + " of "
                + (isEmbedded() ? EMBEDDED : JmsBroker.at(url.value()).where());
    }

    @Override
    public String toString() {
        return where();
    }
}
