package dev.penstock.gateway.file;

import static dev.penstock.gateway.config.Rule.fileError;
import static dev.penstock.gateway.config.Rule.fileWarning;

import dev.penstock.gateway.config.ConfigProblems;
import dev.penstock.gateway.config.FileLocation;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.FlowConfig.Listener;
import dev.penstock.gateway.config.GatewayConfig;
import dev.penstock.gateway.config.GatewayConfig.AdminConfig;
import dev.penstock.gateway.config.GatewayConfig.BrokerConfig;
import dev.penstock.gateway.config.ListenerTls;
import dev.penstock.gateway.config.Rule;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Where a gateway listens, who can reach it there, and with which certificates. */
final class ListenerRules {
    static final List<Rule<?>> ALL = List.of(
            fileError(
                    "each listener has a port of its own",
                    "admin.port broker.port from.http.port",
                    ListenerRules::ports),
            fileError(
                    "cleartext stays on this machine",
                    "from.http.host from.http.tls from.http.insecure admin.host admin.tls admin.insecure",
                    ListenerRules::cleartext),
            fileWarning("certificates are valid for 21 days", "from.http.tls admin.tls", ListenerRules::certificates),
            fileWarning("listeners are local", "from.http.host admin.host broker.host", ListenerRules::localListeners));

    private ListenerRules() {}

    /** The admin server and the broker; transports compare their own sources. */
    private static void ports(GatewayConfig config, ConfigProblems problems) {
        AdminConfig admin = config.admin();
        BrokerConfig broker = config.broker();
        if (admin != null) {
            portOfFlow(admin.listener(), "admin.port", "the admin server", config, problems);
        }
        if (broker != null && admin != null && broker.listener().clashes(admin.listener())) {
            portInUse(broker.listener(), "broker.port", "the admin server listens", "the broker", problems);
        }
        if (broker != null) {
            portOfFlow(broker.listener(), "broker.port", "the broker", config, problems);
        }
    }

    private static void portOfFlow(
            Listener listener, String key, String who, GatewayConfig config, ConfigProblems problems) {
        config.flows().stream()
                .filter(flow -> listener.clashes(flow.from().listener()))
                .findFirst()
                .ifPresent(flow -> portInUse(listener, key, "flow '" + flow.name() + "' listens", who, problems));
    }

    private static void portInUse(Listener listener, String key, String other, String who, ConfigProblems problems) {
        problems.add(
                listener.port().location(),
                "'" + key + "' is " + listener.port().value() + ", where " + other + "; give " + who + " another port");
    }

    /** Each is reported where it is used first. */
    private static void certificates(GatewayConfig config, ConfigProblems warnings) {
        Map<String, FileLocation> found = new LinkedHashMap<>();
        config.flows().forEach(flow -> certificates(flow.from().listener(), found));
        if (config.admin() != null) {
            certificates(config.admin().listener(), found);
        }
        found.forEach((warning, where) -> warnings.add(where, warning));
    }

    private static void certificates(@Nullable Listener listener, Map<String, FileLocation> found) {
        ListenerTls tls = listener == null ? null : listener.tls();
        if (tls != null) {
            tls.warnings().forEach(warning -> found.putIfAbsent(warning, tls.location()));
        }
    }

    private static void cleartext(GatewayConfig config, ConfigProblems problems) {
        config.flows()
                .forEach(flow -> exposed(
                        "flow '" + flow.name() + "' listens", flow.from().listener(), problems));
        if (config.admin() != null) {
            exposed("the admin server listens", config.admin().listener(), problems);
        }
    }

    private static void exposed(String who, @Nullable Listener listener, ConfigProblems problems) {
        if (listener != null && listener.isExposed() && !listener.insecure()) {
            problems.add(
                    listener.host().location(),
                    who + " on " + listener.host().value()
                            + " without TLS, so others on the way can read and change what is sent; add "
                            + ListenerTls.EXAMPLE
                            + ", use host 127.0.0.1, or write insecure: true if something else protects the connections");
        }
    }

    private static void localListeners(GatewayConfig config, ConfigProblems warnings) {
        String unprotected =
                " without TLS or authentication; put a proxy with both in front of it, or use host 127.0.0.1";
        for (FlowConfig flow : config.flows()) {
            remote("flow '" + flow.name() + "' listens on ", flow.from().listener(), unprotected, warnings);
        }
        if (config.admin() != null) {
            remote("the admin pages listen on ", config.admin().listener(), unprotected, warnings);
        }
        if (config.broker() != null) {
            remote(
                    "the broker listens on ",
                    config.broker().listener(),
                    " without TLS, so its password and the messages travel unencrypted; put a TLS proxy in front of it, or use"
                            + " host 127.0.0.1",
                    warnings);
        }
    }

    private static void remote(String who, @Nullable Listener listener, String what, ConfigProblems warnings) {
        if (listener != null && listener.isExposed()) {
            warnings.add(listener.host().location(), who + listener.host().value() + what);
        }
    }
}
