package dev.penstock.gateway.config;

import dev.penstock.gateway.config.FlowFileReader.ReadContext;
import dev.penstock.gateway.config.FlowConfig.To;
import dev.penstock.gateway.config.FlowConfig.From;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads one flow. */
final class FlowReader {
    static final String FROM_EXAMPLE = "http: { port: 8080, path: /v1/payments }";
    private static final Keys FROM = Keys.of("from", "http", "jms", "udp")
            .later("jdbc")
            .aliases(Map.of("https", "http", "queue", "jms", "amqp", "jms", "artemis", "jms", "datagram", "udp"));
    static final DurationRange DEADLINE = new DurationRange("1ms", "1h");

    private static final String[] KEYS = {
        "from",
        "to",
        "deadline",
        "dedupe",
        "retry",
        "idempotent",
        "settle",
        "collapse",
        "limit",
        "queue",
        "breaker",
        "pool",
        "status"
    };
    private static final Set<String> STAGES =
            Set.of("deadline", "dedupe", "retry", "idempotent", "limit", "queue", "breaker");
    private static final Map<String, String> ALIASES = Map.ofEntries(
            Map.entry("timeout", "deadline"),
            Map.entry("source", "from"),
            Map.entry("listen", "from"),
            Map.entry("target", "to"),
            Map.entry("upstream", "to"),
            Map.entry("retries", "retry"),
            Map.entry("probe", "settle"),
            Map.entry("idempotency", "dedupe"),
            Map.entry("dedup", "dedupe"),
            Map.entry("deduplicate", "dedupe"),
            Map.entry("batch", "collapse"),
            Map.entry("batches", "collapse"),
            Map.entry("concurrency", "limit"),
            Map.entry("max_concurrency", "limit"),
            Map.entry("circuit_breaker", "breaker"),
            Map.entry("connections", "pool"));

    private final ReadContext reading;

    FlowReader(ReadContext reading) {
        this.reading = reading;
    }

    /** The configuration of a flow. Reports problems and returns null if source or target are unusable. */
    @Nullable
    FlowConfig read(ConfigValue value) {
        int before = reading.problems().count();
        Keys keys = Keys.of("flow '" + value.key() + "'", KEYS).aliases(ALIASES);
        ConfigMapping flow = value.unnamed(keys, FlowFileReader.FLOW_EXAMPLE);
        if (flow == null) {
            return null;
        }
        From from = from(flow.required("from", "from: { http: { port: 8080, path: /v1/payments } }"));
        ToReader target = new ToReader(reading);
        To to = target.read(
                flow.required("to", "to: { http: { url: \"https://gateway.example/v1\" } }"), flow.get("pool"));
        if (from == null || to == null) {
            readTheRest(flow, target.kind());
            return null;
        }
        if (from instanceof UdpFrom udp) {
            from = UdpReader.inlined(udp, to, firstStage(flow), reading.problems());
        }
        FlowConfig read = new FlowConfig(
                value.key(),
                from,
                to,
                StageReader.status(flow.get("status")),
                flow.duration("deadline", FlowConfig.DEFAULT_DEADLINE, DEADLINE),
                DedupeConfig.read(flow.get("dedupe")),
                StageReader.retry(flow.get("retry")),
                flow.bool("idempotent", false),
                SettleConfig.read(flow.get("settle"), reading),
                collapse(flow, to),
                StageReader.limit(flow.get("limit")),
                StageReader.queue(flow.get("queue")),
                StageReader.breaker(flow.get("breaker")));
        if (reading.problems().count() == before) {
            new CrossFieldChecks(reading.problems()).within(read);
        }
        return read;
    }

    private static @Nullable From from(@Nullable ConfigValue value) {
        ConfigMapping from = value == null ? null : value.mapping(FROM, "from: { " + FROM_EXAMPLE + " }");
        if (from == null) {
            return null;
        }
        ConfigValue other = from.get("jms") == null ? from.get("udp") : from.get("jms");
        if (other == null) {
            ConfigValue http = from.required("http", FROM_EXAMPLE);
            return http == null ? null : HttpReader.from(http);
        }
        from.values().stream()
                .filter(one -> one != other)
                .findFirst()
                .ifPresent(beside -> other.refuse(
                        "is combined with 'from." + beside.key() + "'",
                        "a flow has one source; define a flow for each"));
        return other.key().equals("jms") ? JmsReader.from(other) : UdpReader.from(other);
    }

    private @Nullable CollapseKind collapse(ConfigMapping flow, To to) {
        ConfigValue value = flow.get("collapse");
        return switch (to) {
            case HttpTo _ -> new CollapseReader(reading).read(value);
            case JdbcTo _ -> CollapseReader.ofJdbc(value);
            case JmsTo _ -> CollapseReader.ofJms(value);
            case UdpTo _, ReplaceTo _ -> {
                if (value != null) {
                    value.refuse("batches requests, which 'to." + to.kind() + "' does not support", "leave it out");
                }
                yield null;
            }
        };
    }

    /** The first key of the file that adds a stage to the flow. */
    private static @Nullable ConfigValue firstStage(ConfigMapping flow) {
        return flow.values().stream()
                .filter(value -> STAGES.contains(value.key()))
                .findFirst()
                .orElse(null);
    }

    /** Reports the remaining problems too when source or target are unusable. */
    private void readTheRest(ConfigMapping flow, String to) {
        StageReader.status(flow.get("status"));
        flow.duration("deadline", FlowConfig.DEFAULT_DEADLINE, DEADLINE);
        DedupeConfig.read(flow.get("dedupe"));
        StageReader.retry(flow.get("retry"));
        flow.bool("idempotent", false);
        SettleConfig.read(flow.get("settle"), reading);
        if (to.equals("http")) {
            new CollapseReader(reading).read(flow.get("collapse"));
        }
        StageReader.limit(flow.get("limit"));
        StageReader.queue(flow.get("queue"));
        StageReader.breaker(flow.get("breaker"));
    }
}
