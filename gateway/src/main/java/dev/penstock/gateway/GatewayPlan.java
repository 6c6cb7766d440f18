package dev.penstock.gateway;

import dev.penstock.Setting;
import dev.penstock.StateFile;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.GatewayConfig;
import dev.penstock.gateway.config.GatewayConfig.AdminConfig;
import dev.penstock.gateway.config.PoolConfig;
import dev.penstock.gateway.config.TransactionsConfig;
import dev.penstock.gateway.status.GatewayStore;
import dev.penstock.gateway.transport.StartGate;
import dev.penstock.gateway.transport.TransportContext;
import dev.penstock.gateway.transport.Transports;
import dev.penstock.observe.FlowSnapshot;
import dev.penstock.text.Durations;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a gateway would run, as text: each flow with its stages in order and every setting with value, range, source and
 * reason. Opens no public port and no connection.
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

    /** The plan, one or more lines, each with a line end. */
    public String text() {
        return Gateway.memory(config).whileCurrent(this::plan);
    }

    private String plan() {
        StateFile learned = StateFile.at(config.state().value());
        GatewayStore store = new GatewayStore(config, learned);
        TransportContext context = new TransportContext(config, learned, store, new StartGate(), true);
        Transports transports = Transports.load();
        BoundFlows bound = bind(context, transports);
        try {
            StringBuilder text = new StringBuilder();
            for (GatewayFlow flow : bound.flows()) {
                rehearse(flow);
                append(flow, text);
            }
            text.append("gateway\n");
            table(gatewayRows(transports), text);
            return text.toString();
        } finally {
            bound.closeTargets();
            bound.closeBinders();
            store.close();
        }
    }

    private static BoundFlows bind(TransportContext context, Transports transports) {
        try {
            return BoundFlows.of(context, transports, (_, _) -> {}, null);
        } catch (IOException cannot) {
            throw new UncheckedIOException(cannot);
        }
    }

    /** A failure is reported again at start. */
    private static void rehearse(GatewayFlow flow) {
        try {
            flow.source().rehearse();
        } catch (IOException cannot) {
            LOG.debug("flow {}: cannot determine the socket buffer size: {}", flow.name(), cannot.getMessage());
        }
    }

    private static void append(GatewayFlow flow, StringBuilder text) {
        FlowSnapshot shown = flow.snapshot();
        text.append("flow ").append(shown.name()).append('\n');
        text.append("  ").append(shown.from()).append(" -> ").append(shown.to()).append('\n');
        text.append("  ").append(flow.chain()).append("\n\n");
        List<List<String>> rows = new ArrayList<>();
        shown.settings().forEach(setting -> rows.add(row(setting)));
        table(rows, text);
        text.append("  bottleneck: ").append(shown.bottleneck().sentence()).append('\n');
        shown.advice().forEach(line -> text.append("  advice: ").append(line).append('\n'));
        text.append('\n');
    }

    private static List<String> row(Setting setting) {
        return List.of(
                setting.name(),
                setting.value(),
                setting.range(),
                setting.origin().label(),
                setting.reason());
    }

    private List<List<String>> gatewayRows(Transports transports) {
        AdminConfig admin = config.admin();
        List<String> pages = admin == null
                ? List.of(
                        "admin",
                        "none",
                        "a port",
                        "default",
                        "add admin: { port: 9090 } for dashboard, health and metrics")
                : List.of(
                        "admin",
                        admin.host().value() + ":" + admin.port().value(),
                        "a port",
                        admin.port().origin().label(),
                        "dashboard, health and metrics");
        List<List<String>> rows = new ArrayList<>();
        rows.add(pages);
        transports.all().forEach(transport -> transport.settings(config).forEach(setting -> rows.add(row(setting))));
        if (config.telemetry() != null) {
            rows.add(row(config.telemetry().setting()));
        }
        TransactionsConfig records = config.transactions();
        rows.add(List.of(
                "transactions",
                records == null ? "none" : records.sample().value().toString(),
                "a sample",
                records == null ? "default" : records.sample().origin().label(),
                records == null || records.to().value() == TransactionsConfig.To.STDOUT
                        ? "transactions with a record, for penstock find"
                        : "transactions with a record in "
                                + config.transactionsFile().getFileName()));
        rows.addAll(List.of(
                total(config.poolTotal()),
                List.of(
                        "shutdown.drain",
                        Durations.format(config.drain().value()),
                        GatewayConfig.DRAIN.type().range(),
                        config.drain().origin().label(),
                        "transactions still in flight after that end as unknown"),
                List.of(
                        "state",
                        config.state().value().getFileName() + "",
                        "a path",
                        config.state().origin().label(),
                        GatewayStore.isBesideState(config)
                                ? "keys and outcomes are beside it, in "
                                        + config.state().value().getFileName() + ".keys.db: do not delete that file"
                                : "learned values; safe to delete")));
        return rows;
    }

    private static List<String> total(@Nullable Configured<Integer> total) {
        return List.of(
                "pool.max",
                total == null ? "none" : total.value().toString(),
                PoolConfig.TOTAL_MAX.type().range(),
                total == null ? "default" : total.origin().label(),
                "maximum connections of all flows together, in addition to the maximum of each");
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
