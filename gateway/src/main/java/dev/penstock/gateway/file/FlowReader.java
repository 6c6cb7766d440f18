package dev.penstock.gateway.file;

import dev.penstock.BreakerSettings;
import dev.penstock.gateway.config.CallersConfig;
import dev.penstock.gateway.config.CollapseKind;
import dev.penstock.gateway.config.ConfigMapping;
import dev.penstock.gateway.config.ConfigProblems;
import dev.penstock.gateway.config.ConfigValue;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.DedupeConfig;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.FlowConfig.ByFlows;
import dev.penstock.gateway.config.FlowConfig.From;
import dev.penstock.gateway.config.FlowConfig.LimitConfig;
import dev.penstock.gateway.config.FlowConfig.QueueConfig;
import dev.penstock.gateway.config.FlowConfig.RetryConfig;
import dev.penstock.gateway.config.FlowConfig.To;
import dev.penstock.gateway.config.Key;
import dev.penstock.gateway.config.KeyType;
import dev.penstock.gateway.config.PoolConfig;
import dev.penstock.gateway.config.Schema;
import dev.penstock.gateway.config.SettleConfig;
import dev.penstock.gateway.config.StatusConfig;
import dev.penstock.gateway.transport.Transports;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The keys of one flow. */
final class FlowReader {
    static final String EXAMPLE =
            "payments: { from: { http: { port: 8080, path: /v1/payments } }, to: { http: { url: \"https://gateway.example/v1\" } } }";
    private static final String FROM_EXAMPLE = "http: { port: 8080, path: /v1/payments }";
    private static final String TO_EXAMPLE = "http: { url: \"https://gateway.example/v1\" }";

    /** The key of the usual source and target, which the error for a flow without any names. */
    private static final String HTTP = "http";

    /** Stages, for sources that cannot have any. */
    private static final List<Key<?>> STAGES = List.of(
            StageKeys.DEADLINE,
            DedupeConfig.KEY,
            StageKeys.RETRY,
            StageKeys.IDEMPOTENT,
            StageKeys.LIMIT,
            StageKeys.RATE,
            StageKeys.QUEUE,
            StageKeys.BREAKER);

    /** Keys that are about the source. */
    private static final Set<String> OF_SOURCES = Set.of("from", "callers", "status");

    private final Transports transports;
    private final boolean embedded;
    private final Schema sources;
    private final Schema targets;
    private final Key<ConfigMapping> from;
    private final Key<ConfigMapping> to;
    private final Key<ConfigValue> collapse;
    private final Schema flow;
    private final Map<String, ConfigMapping> withoutSource = new LinkedHashMap<>();
    private final Set<String> called = new HashSet<>();

    /** @param embedded whether only the program that embeds the flows calls them */
    FlowReader(Transports transports, boolean embedded) {
        this.transports = transports;
        this.embedded = embedded;
        this.sources = transports.sources("from: { " + FROM_EXAMPLE + " }");
        this.targets = transports.targets("to: { " + TO_EXAMPLE + " }");
        this.from = Key.of(
                        "from", KeyType.mapping(sources, value -> value.mapping(sources)), "where requests come from")
                .without("only other flows call it")
                .alias("source listen");
        this.to = Key.of("to", KeyType.mapping(targets, value -> value.mapping(targets)), "where requests go")
                .required("to: { " + TO_EXAMPLE + " }")
                .alias("target upstream");
        this.collapse = Key.of("collapse", KeyType.ofTarget(), "what sends several requests in one call")
                .without("off")
                .alias("batch batches");
        List<Key<?>> keys = List.of(
                from,
                to,
                CallersConfig.KEY,
                StageKeys.DEADLINE,
                DedupeConfig.KEY,
                StageKeys.RETRY,
                StageKeys.IDEMPOTENT,
                SettleConfig.KEY,
                collapse,
                StageKeys.LIMIT,
                StageKeys.RATE,
                StageKeys.QUEUE,
                StageKeys.BREAKER,
                PoolConfig.KEY,
                StatusConfig.KEY);
        this.flow = Schema.of("a flow", EXAMPLE)
                .with(keys.stream()
                        .filter(key -> !(embedded && OF_SOURCES.contains(key.name())))
                        .toList())
                .rules(transports.rules());
    }

    /** Reports flows without a source that no other flow calls. */
    void checkSources() {
        withoutSource.forEach((name, flow) -> {
            if (!embedded && !called.contains(name)) {
                flow.refuse("flow '" + name + "' has no 'from'; add for instance from: { " + FROM_EXAMPLE + " }");
            }
        });
    }

    KeyType<FlowConfig> type() {
        return KeyType.mapping(flow, this::read);
    }

    /** The configuration of a flow. Reports all problems and returns null if source or target are unusable. */
    @Nullable
    FlowConfig read(ConfigValue value) {
        ConfigProblems problems = value.problems();
        int before = problems.refusals();
        ConfigMapping given = value.unnamed(flow.at("flow '" + value.key() + "'"));
        if (given == null) {
            return null;
        }
        ConfigValue source = only(given.valueOf(from), sources, FROM_EXAMPLE, "source");
        ConfigValue target = only(given.valueOf(to), targets, TO_EXAMPLE, "target");
        From read = source == null ? null : transports.readSource(source);
        To there = to(target, given);
        if (!given.has(from)) {
            read = new ByFlows();
            withoutSource.put(value.key(), given);
        }
        if (there != null && there.flow() != null) {
            called.add(there.flow());
        }
        if (read != null && there != null) {
            read = read.completed(there, firstStage(given), problems);
        }
        CallersConfig callers = given.valueOf(CallersConfig.KEY);
        Configured<Duration> status = given.find(StatusConfig.KEY);
        Configured<Duration> deadline = given.get(StageKeys.DEADLINE);
        DedupeConfig dedupe = given.valueOf(DedupeConfig.KEY);
        RetryConfig retry = given.valueOf(StageKeys.RETRY);
        Configured<Boolean> idempotent = given.get(StageKeys.IDEMPOTENT);
        SettleConfig settle = given.valueOf(SettleConfig.KEY);
        CollapseKind batches = collapse(given.written(collapse), target);
        LimitConfig limit = given.get(StageKeys.LIMIT).value();
        QueueConfig queue = given.get(StageKeys.QUEUE).value();
        Optional<BreakerSettings> breaker = given.get(StageKeys.BREAKER).value();
        if (read == null || there == null) {
            return null;
        }
        FlowConfig config = new FlowConfig(
                value.key(),
                read,
                there,
                status,
                deadline,
                dedupe,
                retry,
                idempotent,
                settle,
                batches,
                limit,
                given.valueOf(StageKeys.RATE),
                queue,
                breaker,
                callers);
        CrossFieldRules.errors(config, before, transports, problems);
        return config;
    }

    private @Nullable CollapseKind collapse(@Nullable ConfigValue value, @Nullable ConfigValue target) {
        return value == null ? null : transports.readCollapse(value, target == null ? HTTP : target.key());
    }

    private @Nullable To to(@Nullable ConfigValue target, ConfigMapping flow) {
        PoolConfig pool = flow.valueOf(PoolConfig.KEY);
        if (target == null) {
            return null;
        }
        ConfigValue given = flow.written(PoolConfig.KEY);
        String instead = transports.withoutPool(target.key());
        if (given != null && instead != null) {
            given.refuse("only applies to HTTP and databases", "remove it: " + instead);
        }
        To to = transports.readTarget(target);
        return to == null || pool == null ? to : to.pooled(pool);
    }

    /** The one value of {@code from} or {@code to}. Reports any other. */
    private static @Nullable ConfigValue only(@Nullable ConfigMapping given, Schema keys, String http, String what) {
        if (given == null) {
            return null;
        }
        List<ConfigValue> all = List.copyOf(given.values());
        ConfigValue chosen = all.stream()
                .filter(value -> !value.key().equals(HTTP))
                .min(Comparator.comparingInt(value -> keys.order(value.key())))
                .orElse(all.isEmpty() ? null : all.getFirst());
        if (chosen == null) {
            given.refuse(keys.where() + " has no '" + HTTP + "'; add for instance " + http);
            return null;
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
                .filter(value -> STAGES.stream().anyMatch(stage -> stage.name().equals(value.key())))
                .findFirst()
                .orElse(null);
    }
}
