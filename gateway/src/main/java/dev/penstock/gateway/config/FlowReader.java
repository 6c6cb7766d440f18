package dev.penstock.gateway.config;

import dev.penstock.gateway.config.FlowConfig.BreakerConfig;
import dev.penstock.gateway.config.FlowConfig.From;
import dev.penstock.gateway.config.FlowConfig.LimitConfig;
import dev.penstock.gateway.config.FlowConfig.QueueConfig;
import dev.penstock.gateway.config.FlowConfig.RetryConfig;
import dev.penstock.gateway.config.FlowConfig.To;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads one flow. */
final class FlowReader {
    static final String FROM_EXAMPLE = "http: { port: 8080, path: /v1/payments }";
    private static final Keys FROM = Keys.of("from", "http (https), jms (queue amqp artemis), udp (datagram)")
            .later("jdbc");

    private static final String KEYS = "from (source listen), to (target upstream), deadline (timeout), "
            + "dedupe (idempotency dedup deduplicate), retry (retries), idempotent, settle (probe), "
            + "collapse (batch batches), limit (concurrency max_concurrency), queue, "
            + "breaker (circuit_breaker), pool (connections), status";
    private static final Set<String> STAGES =
            Set.of("deadline", "dedupe", "retry", "idempotent", "limit", "queue", "breaker");

    private FlowReader() {}

    /** The configuration of a flow. Reports all problems and returns null if source or target are unusable. */
    static @Nullable FlowConfig read(ConfigValue value) {
        ConfigProblems problems = value.reading().problems();
        int before = problems.count();
        Keys keys = Keys.of("flow '" + value.key() + "'", KEYS);
        ConfigMapping flow = value.unnamed(keys, FlowFileReader.FLOW_EXAMPLE);
        if (flow == null) {
            return null;
        }
        From from = from(flow.required("from", "from: { " + FROM_EXAMPLE + " }"));
        ToReader target = new ToReader();
        To to = target.read(
                flow.required("to", "to: { http: { url: \"https://gateway.example/v1\" } }"), flow.get("pool"));
        if (from instanceof UdpFrom udp && to != null) {
            from = UdpReader.inlined(udp, to, firstStage(flow), problems);
        }
        StatusConfig status = StageReader.status(flow.get("status"));
        Configured<Duration> deadline = flow.duration("deadline", FlowConfig.DEFAULT_DEADLINE, "1ms", "1h");
        DedupeConfig dedupe = DedupeConfig.read(flow.get("dedupe"));
        RetryConfig retry = StageReader.retry(flow.get("retry"));
        Configured<Boolean> idempotent = flow.bool("idempotent", false);
        SettleConfig settle = SettleConfig.read(flow.get("settle"));
        CollapseKind collapse = collapse(flow.get("collapse"), target.kind());
        LimitConfig limit = StageReader.limit(flow.get("limit"));
        QueueConfig queue = StageReader.queue(flow.get("queue"));
        BreakerConfig breaker = StageReader.breaker(flow.get("breaker"));
        if (from == null || to == null) {
            return null;
        }
        FlowConfig read = new FlowConfig(
                value.key(),
                from,
                to,
                status,
                deadline,
                dedupe,
                retry,
                idempotent,
                settle,
                collapse,
                limit,
                queue,
                breaker);
        if (problems.count() == before) {
            new CrossFieldChecks(problems).within(read);
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

    private static @Nullable CollapseKind collapse(@Nullable ConfigValue value, String target) {
        return switch (target) {
            case "http" -> CollapseReader.read(value);
            case "jdbc" -> CollapseReader.ofJdbc(value);
            case "jms" -> CollapseReader.ofJms(value);
            default -> {
                if (value != null) {
                    value.refuse("batches requests, which 'to." + target + "' does not support", "leave it out");
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
}
