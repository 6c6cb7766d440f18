package dev.penstock.gateway.jms;

import dev.penstock.Setting;
import dev.penstock.Setting.Origin;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.GatewayConfig;
import dev.penstock.gateway.config.GatewayConfig.BrokerConfig;
import dev.penstock.gateway.config.Secret;
import dev.penstock.jms.JmsBroker;
import dev.penstock.jms.broker.EmbeddedBroker;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The JMS brokers of the flows: the embedded one, which all flows share, and external ones by URL. Not thread-safe.
 *
 * @param embedded the embedded broker; null when no flow uses it, or it is not started
 * @param login the credentials for the embedded broker; null when it requires none
 */
record Brokers(@Nullable EmbeddedBroker embedded, BrokerConfig.@Nullable Login login) implements AutoCloseable {
    /** Contains a dot, which flow names do not, so it cannot collide with files of a flow. */
    private static final String FOLDER = ".broker";

    /** The URL of a broker that is not started. */
    static final String NOT_STARTED = "vm://0";

    /** For a plan: starts nothing. */
    static Brokers planned() {
        return new Brokers(null, null);
    }

    /** Starts the embedded broker, if any flow uses it. */
    static Brokers start(GatewayConfig config) throws IOException {
        if (!JmsEndpoint.anyEmbedded(config)) {
            return planned();
        }
        Path folder = folder(config);
        BrokerConfig listener = config.broker();
        if (listener == null) {
            return new Brokers(EmbeddedBroker.in(folder), null);
        }
        String host = listener.host().value();
        int port = listener.port().value();
        BrokerConfig.Login login = listener.login();
        return login == null
                ? new Brokers(EmbeddedBroker.on(folder, host, port), null)
                : new Brokers(EmbeddedBroker.on(folder, host, port, login.user(), login.password()), login);
    }

    /** The journal folder of the embedded broker: beside the state file. */
    static Path folder(GatewayConfig config) {
        return config.besideState(FOLDER);
    }

    /** The setting that shows whether the embedded broker is used, and who can connect to it. */
    static List<Setting> settings(GatewayConfig config) {
        if (!JmsEndpoint.anyEmbedded(config)) {
            return List.of();
        }
        BrokerConfig listener = config.broker();
        String folder = folder(config).getFileName() + "";
        return List.of(
                listener == null
                        ? new Setting(
                                "broker",
                                "in process",
                                "a port",
                                "its journal is beside the state, in " + folder
                                        + ": do not delete it; only this process can connect (to change: broker: { port: 61616 })",
                                Instant.now(),
                                Origin.DEFAULT)
                        : new Setting(
                                "broker",
                                listener.host().value() + ":" + listener.port().value(),
                                "a port",
                                (listener.login() == null
                                                ? "any local process may connect"
                                                : "clients log in as "
                                                        + listener.login().user())
                                        + "; its journal is beside the state, in " + folder + ": do not delete it",
                                Instant.now(),
                                listener.port().origin()));
    }

    /** The broker of a queue or topic. Opens no connection. */
    JmsBroker of(JmsEndpoint endpoint) {
        if (endpoint.isEmbedded()) {
            JmsBroker local = JmsBroker.at(embedded == null ? NOT_STARTED : embedded.localUrl());
            return login == null ? local : local.user(login::user, login.password());
        }
        JmsBroker broker = endpoint.address().value().broker();
        Configured<Secret> user = endpoint.user();
        Configured<Secret> password = endpoint.password();
        return user == null ? broker : broker.user(user.value(), password == null ? new Secret("") : password.value());
    }

    /** Whether messages for a queue or topic can be stored, as far as this process knows. */
    BrokerGuard guard(JmsEndpoint endpoint) {
        return new BrokerGuard(endpoint.isEmbedded() ? embedded : null);
    }

    /** Why the embedded broker accepts no messages; null when it does, or is not used. */
    @Nullable
    String outage() {
        return embedded == null ? null : embedded.outage(0);
    }

    /** Stops the embedded broker. To be called last: unfinished messages are returned to it. */
    @Override
    public void close() {
        if (embedded != null) {
            embedded.close();
        }
    }
}
