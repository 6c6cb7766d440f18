package dev.penstock.gateway.config;

import dev.penstock.gateway.config.FlowConfig.Listener;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a gateway: a flow file with all defaults filled in. Immutable.
 *
 * @param flows the flows, in the order of the file; at least one
 * @param admin the admin server; null for none
 * @param broker the network listener of the embedded broker; null for none
 * @param poolTotal the maximum number of connections of all flows together; null for no common bound
 * @param memory the budget for request and answer bodies in memory, in bytes; null derives it from the heap
 * @param drain how long a shutdown waits for transactions in flight
 * @param state the file that keeps learned values across restarts
 * @param store where keys of dedupe and outcomes of transactions are stored
 * @param telemetry where traces are sent; null for none
 * @param transactions the records of transactions; null for none
 * @param proves whether a reload asks for the targets of changed flows before it switches to them
 * @param files those that are read again when they change
 */
public record GatewayConfig(
        List<FlowConfig> flows,
        @Nullable AdminConfig admin,
        @Nullable BrokerConfig broker,
        @Nullable Configured<Integer> poolTotal,
        @Nullable Configured<Long> memory,
        Configured<Duration> drain,
        Configured<Path> state,
        Configured<StoreConfig> store,
        @Nullable TelemetryConfig telemetry,
        @Nullable TransactionsConfig transactions,
        boolean proves,
        WatchedFiles files) {
    /**
     * A file or folder of this gateway, beside the state file.
     *
     * @param suffix what follows the name of the state file
     */
    public Path besideState(String suffix) {
        return state.value().resolveSibling(state.value().getFileName() + suffix);
    }

    /** Whether transactions get records, and so ids. */
    public boolean keepsRecords() {
        return transactions != null && !transactions.sample().value().isNone();
    }

    /** The file of the records of transactions. */
    public Path transactionsFile() {
        return state.value().resolveSibling("transactions.jsonl");
    }

    /** The default drain time of a shutdown: 30 s. */
    public static final Duration DEFAULT_DRAIN = Duration.ofSeconds(30);

    private static final Schema SHUTDOWN_KEYS = Schema.of("shutdown", "shutdown: { drain: 30s }");

    /** The key {@code shutdown.drain}. */
    public static final Key<Duration> DRAIN = SHUTDOWN_KEYS
            .key("drain", KeyType.duration("0s", "1h"), "how long a shutdown waits for transactions in flight")
            .or(DEFAULT_DRAIN)
            .alias("timeout time");

    /** The key {@code shutdown} of the file. */
    public static final Key<Configured<Duration>> SHUTDOWN = Key.of(
                    "shutdown", KeyType.keys(SHUTDOWN_KEYS, GatewayConfig::drain), "how the gateway ends")
            .without("drain: " + DRAIN.whenAbsent());

    private enum Proof {
        ON,
        OFF
    }

    private static final Schema RELOAD_KEYS = Schema.of("reload", "reload: { prove: off }");

    private static final Key<Proof> PROVE = RELOAD_KEYS
            .key(
                    "prove",
                    KeyType.oneOf(Proof.class),
                    "whether hosts of changed flows must be known, and their databases and brokers answer, before they are used")
            .or(Proof.ON);

    /** The key {@code reload} of the file: whether {@link #proves}. */
    public static final Key<Boolean> RELOAD = Key.of(
                    "reload",
                    KeyType.keys(RELOAD_KEYS, reload -> reload.get(PROVE).value() == Proof.ON),
                    "how a changed file takes effect")
            .without("prove: " + PROVE.whenAbsent());

    /** The default file of learned values: {@value}, beside the flow file. */
    public static final String DEFAULT_STATE = "penstock-state";

    public GatewayConfig {
        flows = List.copyOf(flows);
    }

    /** The flow at the end of the chain that begins with a flow: itself, unless its target is a flow. */
    public FlowConfig last(FlowConfig flow) {
        FlowConfig last = flow;
        // Bounded, because this is asked before a circle is refused.
        for (int step = 0; step < flows.size(); step++) {
            String next = last.to().flow();
            last = flows.stream()
                    .filter(other -> other.name().equals(next))
                    .findFirst()
                    .orElse(last);
        }
        return last;
    }

    /** The headers in which a flow finds the name of a caller. */
    public Set<String> callerHeaders() {
        return callerHeaders(flows);
    }

    /** The headers in which a flow finds the name of a caller, if its requests come from sources that know their callers. */
    public Set<String> callerHeaders(FlowConfig flow) {
        return callerHeaders(
                flows.stream().filter(first -> reached(first).contains(flow)).toList());
    }

    private static Set<String> callerHeaders(List<FlowConfig> flows) {
        return flows.stream()
                .map(flow -> flow.from().callerHeader())
                .filter(Objects::nonNull)
                .collect(Collectors.toCollection(() -> new TreeSet<>(String.CASE_INSENSITIVE_ORDER)));
    }

    /** A flow and those that its requests go on to, directly or through a queue. */
    public Set<FlowConfig> reached(FlowConfig flow) {
        Set<FlowConfig> reached = new LinkedHashSet<>();
        reach(flow, reached);
        return reached;
    }

    private void reach(FlowConfig flow, Set<FlowConfig> reached) {
        if (reached.add(flow)) {
            flows.stream()
                    .filter(next ->
                            next.name().equals(flow.to().flow()) || next.from().consumes(flow.to()))
                    .forEach(next -> reach(next, reached));
        }
    }

    /** Whether a flow answers 202 before the transaction is processed, and serves the outcome later. */
    public boolean hasStatusPage(FlowConfig flow) {
        FlowConfig last = last(flow);
        return flow.from().canServeStatus()
                && last.to().isQueue()
                && (last.to().storesStatus() || flow.status() != null || last.status() != null)
                && !flow.hasStatusOff()
                && !last.hasStatusOff();
    }

    private static Configured<Duration> drain(ConfigMapping shutdown) {
        return shutdown.get(DRAIN);
    }

    /**
     * The admin server: dashboard, metrics and health.
     *
     * @param host the address to listen on; 127.0.0.1 unless given
     * @param hosts further values of the header Host that are answered
     * @param port 1 to 65535, or 0 for any free port
     * @param tls the certificates for HTTPS; null for cleartext
     * @param insecure whether other machines may connect without TLS
     * @param token lets its bearer look and change settings. Without a token, this machine may, and no other
     * @param viewToken lets its bearer look; null for none
     * @param audit gets a line for each change; null for none
     */
    public record AdminConfig(
            Configured<String> host,
            List<String> hosts,
            Configured<Integer> port,
            @Nullable ListenerTls tls,
            boolean insecure,
            @Nullable Configured<Secret> token,
            @Nullable Configured<Secret> viewToken,
            @Nullable Path audit) {
        /** The address as a listener. */
        public Listener listener() {
            return new Listener(host, port, tls, insecure);
        }
    }

    /**
     * The network listener of the embedded broker, for other processes.
     *
     * @param location where it is in the file
     * @param host the address to listen on; 127.0.0.1 unless given
     * @param port 1 to 65535, or 0 for any free port
     * @param login credentials that every client needs, the flows of this gateway included; null lets every local
     *     client connect
     */
    public record BrokerConfig(
            FileLocation location,
            Configured<String> host,
            Configured<Integer> port,
            @Nullable Login login) {
        /** How to give the broker a password, for messages. */
        public static final String PASSWORD_EXAMPLE = "password: \"${file:/run/secrets/broker}\"";

        /** The address as a listener. */
        public Listener listener() {
            return Listener.open(host, port);
        }

        /**
         * A user and a password.
         *
         * @param user 1 character or more
         * @param password 1 character or more
         */
        public record Login(String user, Secret password) {}
    }
}
