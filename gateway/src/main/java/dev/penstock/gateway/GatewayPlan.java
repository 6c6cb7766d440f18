package dev.penstock.gateway;

import dev.penstock.Durations;
import dev.penstock.Setting;
import dev.penstock.gateway.config.AdminConfig;
import dev.penstock.gateway.config.BrokerConfig;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.GatewayConfig;
import dev.penstock.state.StateFile;
import dev.penstock.udp.UdpSource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a gateway would run, as text: each flow with its chain in order and every setting with value, range, source and
 * reason. Opens no port that anybody could reach, and no connection.
 */
public final class GatewayPlan {
    private static final Logger LOG = LoggerFactory.getLogger(GatewayPlan.class);

    private final GatewayConfig config;

    private GatewayPlan(GatewayConfig config) {
        this.config = config;
    }

    /** The plan of a configuration. */
    public static GatewayPlan of(GatewayConfig config) {
        return new GatewayPlan(config);
    }

    /** The whole plan, several lines, each ended. */
    public String text() {
        return Gateway.memory(config).whileCurrent(this::plan);
    }

    private String plan() {
        StateFile learned = StateFile.at(config.state().value());
        IdempotencyStores stores = new IdempotencyStores(config.state().value(), learned);
        List<BuiltFlow> built = BuiltFlow.planned(config, stores, learned);
        try {
            StringBuilder text = new StringBuilder();
            for (GatewayFlow flow : SourceSetup.attach(config, built, new StartGate(), stores, Brokers.planned())) {
                rehearse(flow);
                append(flow, text);
            }
            text.append("gateway\n");
            table(gatewayRows(), text);
            return text.toString();
        } finally {
            built.forEach(BuiltFlow::close);
            stores.close();
        }
    }

    /** What the system gives is known only by asking for it; who cannot ask here is told when it starts. */
    private static void rehearse(GatewayFlow flow) {
        if (flow.source() instanceof UdpSource udp) {
            try {
                udp.rehearse();
            } catch (IOException cannot) {
                LOG.debug("flow {}: what buffers the system gives is not known: {}", flow.name(), cannot.getMessage());
            }
        }
    }

    private static void append(GatewayFlow flow, StringBuilder text) {
        text.append("flow ").append(flow.name()).append('\n');
        text.append("  ").append(flow.from()).append(" -> ").append(flow.to()).append('\n');
        text.append("  ").append(flow.chain()).append("\n\n");
        List<List<String>> rows = new ArrayList<>();
        flow.settings().forEach(setting -> rows.add(row(setting)));
        table(rows, text);
        text.append("  bottleneck: ").append(flow.bottleneck().sentence()).append('\n');
        flow.advice().forEach(line -> text.append("  advice: ").append(line).append('\n'));
        text.append('\n');
    }

    private static List<String> row(Setting setting) {
        return List.of(
                setting.name(),
                setting.value(),
                setting.range(),
                setting.origin().word(),
                setting.reason());
    }

    private List<List<String>> gatewayRows() {
        AdminConfig admin = config.admin();
        List<String> pages = admin == null
                ? List.of(
                        "admin",
                        "none",
                        "a port",
                        "default",
                        "add admin: { port: 9090 } for a page, health and metrics")
                : List.of(
                        "admin",
                        admin.host().value() + ":" + admin.port().value(),
                        "a port",
                        admin.port().origin().word(),
                        "a page, health and metrics");
        List<List<String>> rows = new ArrayList<>();
        rows.add(pages);
        if (config.usesEmbeddedBroker()) {
            rows.add(broker(config.broker()));
        }
        rows.addAll(List.of(
                total(config.poolTotal()),
                List.of(
                        "shutdown.drain",
                        Durations.words(config.drain().value()),
                        "0 s..1 h",
                        config.drain().origin().word(),
                        "what is still in flight then ends as unknown"),
                List.of(
                        "state",
                        config.state().value().getFileName() + "",
                        "a path",
                        config.state().origin().word(),
                        IdempotencyStores.anyBesideState(config)
                                ? "keys and endings are beside it, in "
                                        + config.state().value().getFileName() + ".keys.db: do not delete those"
                                : "what was learned of the ways to databases; safe to delete")));
        return rows;
    }

    private List<String> broker(@Nullable BrokerConfig others) {
        String folder = Brokers.folder(config).getFileName() + "";
        return others == null
                ? List.of(
                        "broker",
                        "in process",
                        "a port",
                        "default",
                        "its journal is beside the state, in " + folder
                                + ": do not delete that; no other process reaches it (broker: { port: 61616 })")
                : List.of(
                        "broker",
                        others.host().value() + ":" + others.port().value(),
                        "a port",
                        others.port().origin().word(),
                        (others.login() == null
                                        ? "any process of this machine may use it"
                                        : "whoever connects signs in as "
                                                + others.login().user())
                                + "; its journal is beside the state, in " + folder + ": do not delete that");
    }

    private static List<String> total(@Nullable Configured<Integer> most) {
        return List.of(
                "pool.max",
                most == null ? "none" : most.value().toString(),
                "1..1000000",
                most == null ? "default" : most.origin().word(),
                "connections of all flows together, beside the bound of each");
    }

    private static void table(List<List<String>> rows, StringBuilder text) {
        List<List<String>> all = new ArrayList<>();
        all.add(List.of("setting", "value", "range", "source", "reason"));
        all.addAll(rows);
        int[] widths = new int[4];
        for (List<String> row : all) {
            for (int column = 0; column < widths.length; column++) {
                widths[column] = Math.max(widths[column], row.get(column).length());
            }
        }
        for (List<String> row : all) {
            StringBuilder line = new StringBuilder(" ");
            for (int column = 0; column < widths.length; column++) {
                String cell = row.get(column);
                line.append(' ').append(cell).append(" ".repeat(widths[column] - cell.length() + 1));
            }
            text.append(line.append(' ').append(row.getLast())).append('\n');
        }
    }

    @Override
    public String toString() {
        return config.flows().stream().map(flow -> flow.name()).collect(Collectors.joining(", ", "plan of ", ""));
    }
}
