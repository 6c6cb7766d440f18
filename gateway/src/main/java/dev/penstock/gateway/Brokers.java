package dev.penstock.gateway;

import dev.penstock.gateway.config.BrokerConfig;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.GatewayConfig;
import dev.penstock.gateway.config.JmsQueue;
import dev.penstock.gateway.config.Secret;
import dev.penstock.jms.JmsBroker;
import dev.penstock.jms.broker.EmbeddedBroker;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The brokers that flows name: one in this process, which all of them share, and others by their URL. For one thread.
 *
 * @param own the one in this process; null when no flow names it, or it is not to be started
 * @param login what flows sign in with at the one in this process; null when it asks nobody
 */
record Brokers(@Nullable EmbeddedBroker own, BrokerConfig.@Nullable Login login) implements AutoCloseable {
    /** With a dot, which no name of a flow has, as of the keys. */
    private static final String FOLDER = ".broker";

    /** Stands for a broker that is not started. */
    private static final String NOT_STARTED = "vm://0";

    /** Only to be looked at: nothing is started. */
    static Brokers planned() {
        return new Brokers(null, null);
    }

    /** Starts that of this process, if any flow names it. */
    static Brokers start(GatewayConfig config) throws IOException {
        if (!config.usesEmbeddedBroker()) {
            return planned();
        }
        Path folder = folder(config);
        BrokerConfig others = config.broker();
        if (others == null) {
            return new Brokers(EmbeddedBroker.in(folder), null);
        }
        String host = others.host().value();
        int port = others.port().value();
        BrokerConfig.Login login = others.login();
        return login == null
                ? new Brokers(EmbeddedBroker.on(folder, host, port), null)
                : new Brokers(
                        EmbeddedBroker.on(
                                folder,
                                host,
                                port,
                                login.user(),
                                login.password().value()),
                        login);
    }

    /** Where the journal of the one in this process is: beside the state file. */
    static Path folder(GatewayConfig config) {
        Path state = config.state().value();
        return state.resolveSibling(state.getFileName() + FOLDER);
    }

    /** That of a queue. Opens nothing. */
    JmsBroker of(JmsQueue queue) {
        if (queue.isEmbedded()) {
            JmsBroker here = JmsBroker.at(own == null ? NOT_STARTED : own.localUrl());
            return login == null
                    ? here
                    : here.user(login.user(), login.password().value());
        }
        JmsBroker broker = JmsBroker.at(queue.url().value());
        Configured<String> user = queue.user();
        Configured<Secret> password = queue.password();
        return user == null
                ? broker
                : broker.user(
                        user.value(), password == null ? "" : password.value().value());
    }

    /** Stops the one in this process: last of all, for what is not done goes back to it. */
    @Override
    public void close() {
        if (own != null) {
            own.close();
        }
    }
}
