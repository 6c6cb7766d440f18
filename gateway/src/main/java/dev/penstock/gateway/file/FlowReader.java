package dev.penstock.gateway.file;

import dev.penstock.gateway.config.CollapseKind;
import dev.penstock.gateway.config.ConfigMapping;
import dev.penstock.gateway.config.ConfigProblems;
import dev.penstock.gateway.config.ConfigValue;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.DedupeConfig;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.FlowConfig.BreakerConfig;
import dev.penstock.gateway.config.FlowConfig.From;
import dev.penstock.gateway.config.FlowConfig.LimitConfig;
import dev.penstock.gateway.config.FlowConfig.QueueConfig;
import dev.penstock.gateway.config.FlowConfig.RetryConfig;
import dev.penstock.gateway.config.FlowConfig.To;
import dev.penstock.gateway.config.Keys;
import dev.penstock.gateway.config.PoolConfig;
import dev.penstock.gateway.config.SettleConfig;
import dev.penstock.gateway.config.StatusConfig;
import dev.penstock.gateway.transport.Transport;
import dev.penstock.gateway.transport.Transports;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads one flow. */
final class FlowReader {
    static final String FROM_EXAMPLE = "http: { port: 8080, path: /v1/payments }";
    private static final String TO_EXAMPLE = "http: { url: \"https://gateway.example/v1\" }";

    /** The key of the usual source and target, which the error for a flow without any names. */
    private static final String HTTP = "http";

    private static final String KEYS = "from (source listen), to (target upstream), deadline (timeout), "
            + "dedupe (idempotency dedup deduplicate), retry (retries), idempotent, settle (probe), "
            + "collapse (batch batches), limit (concurrency max_concurrency), queue, "
            + "breaker (circuit_breaker), pool (connections), status";
    private static final Set<String> STAGES =
            Set.of("deadline", "dedupe", "retry", "idempotent", "limit", "queue", "breaker");

    private final Transports transports;
    private final Keys fromKeys;
    private final Keys toKeys;

    FlowReader(Transports transports) {
        this.transports = transports;
        this.fromKeys = transports.sourceKeys();
        this.toKeys = transports.targetKeys();
    }

    /** The configuration of a flow. Reports all problems and returns null if source or target are unusable. */
    @Nullable
    FlowConfig read(ConfigValue value) {
        ConfigProblems problems = value.problems();
        int before = problems.count();
        Keys keys = Keys.of("flow '" + value.key() + "'", KEYS);
        ConfigMapping flow = value.unnamed(keys, FlowFileReader.FLOW_EXAMPLE);
        if (flow == null) {
            return null;
        }
        From from = from(only(flow, fromKeys, FROM_EXAMPLE, "source"));
        ConfigValue target = only(flow, toKeys, TO_EXAMPLE, "target");
        To to = to(target, flow.get("pool"));
        if (from != null && to != null) {
            from = from.completed(to, firstStage(flow), problems);
        }
        StatusConfig status = StageReader.status(flow.get("status"));
        Configured<Duration> deadline = flow.duration("deadline", FlowConfig.DEFAULT_DEADLINE, "1ms", "1h");
        DedupeConfig dedupe = DedupeConfig.read(flow.get("dedupe"));
        RetryConfig retry = StageReader.retry(flow.get("retry"));
        Configured<Boolean> idempotent = flow.bool("idempotent", false);
        SettleConfig settle = SettleConfig.read(flow.get("settle"));
        CollapseKind collapse = collapse(flow.get("collapse"), target == null ? HTTP : target.key());
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

    private @Nullable CollapseKind collapse(@Nullable ConfigValue value, String target) {
        return value == null ? null : transports.ofTarget(target).readCollapse(value, target);
    }

    private @Nullable From from(@Nullable ConfigValue given) {
        return given == null ? null : transports.ofSource(given.key()).readSource(given);
    }

    private @Nullable To to(@Nullable ConfigValue given, @Nullable ConfigValue pool) {
        PoolConfig connections = PoolConfig.read(pool);
        if (given == null) {
            return null;
        }
        Transport transport = transports.ofTarget(given.key());
        String instead = transport.withoutPool(given.key());
        if (pool != null && instead != null) {
            pool.refuse("only applies to HTTP and databases", "remove it: " + instead);
        }
        return transport.readTarget(given, connections);
    }

    /** The one value of {@code from} or {@code to}. Reports any other. */
    private static @Nullable ConfigValue only(ConfigMapping flow, Keys keys, String example, String what) {
        String written = keys.where() + ": { " + example + " }";
        ConfigValue value = flow.required(keys.where(), written);
        ConfigMapping given = value == null ? null : value.mapping(keys, written);
        if (given == null) {
            return null;
        }
        ConfigValue chosen = keys.known().stream()
                .filter(key -> !key.equals(HTTP))
                .map(given::get)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
        if (chosen == null) {
            return given.required(HTTP, example);
        }
        given.values().stream()
                .filter(one -> one != chosen)
                .findFirst()
                .ifPresent(beside -> chosen.refuse(
                        "is combined with '" + keys.where() + "." + beside.key() + "'",
                        "a flow has one " + what + "; define a flow for each"));
        return chosen;
    }

    /** The first key of the file that adds a stage to the flow. */
    private static @Nullable ConfigValue firstStage(ConfigMapping flow) {
        return flow.values().stream()
                .filter(value -> STAGES.contains(value.key()))
                .findFirst()
                .orElse(null);
    }
}
