package dev.penstock.gateway;

import dev.penstock.Accounting;
import dev.penstock.Bottleneck;
import dev.penstock.Setting;
import dev.penstock.flow.Flow;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.transport.SourceBinding;
import dev.penstock.gateway.transport.TargetBinding;
import dev.penstock.memory.MemoryBudget;
import dev.penstock.observe.FlowSnapshot;
import dev.penstock.observe.TransactionLog;
import dev.penstock.observe.WatchedFlow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A running flow of a gateway. Thread-safe. */
record GatewayFlow(
        TargetBinding target,
        SourceBinding source,
        Map<String, TargetBinding> all,
        @Nullable Configured<Duration> status,
        @Nullable TransactionLog records,
        Setting memory,
        Instant since)
        implements WatchedFlow {
    /** @param all the flows of the gateway, by name */
    GatewayFlow(
            TargetBinding target,
            SourceBinding source,
            Map<String, TargetBinding> all,
            @Nullable Configured<Duration> status,
            @Nullable TransactionLog records) {
        this(target, source, all, status, records, MemoryBudget.current().setting(), Instant.now());
    }

    /** The flows that it calls: its target, the target of that, and so on. */
    List<TargetBinding> called() {
        List<TargetBinding> called = new ArrayList<>();
        TargetBinding next = target;
        while (next != null) {
            String name = next.config().to().flow();
            next = name == null ? null : all.get(name);
            if (next != null) {
                called.add(next);
            }
        }
        return called;
    }

    FlowConfig config() {
        return target.config();
    }

    /** Whether requests bypass all stages, because the source answers by itself. */
    boolean isInline() {
        return source.isInline();
    }

    @Override
    public String name() {
        return config().name();
    }

    @Override
    public FlowSnapshot snapshot() {
        Flow<?, ?> flow = target.flow();
        return new FlowSnapshot(
                name(),
                source.where(),
                target.where(),
                accounting(),
                isInline() ? List.of() : flow.reasons(),
                isInline() ? List.of() : flow.stages(),
                bottleneck(),
                settings(),
                connections(),
                counters(),
                flow.answersByStatus(),
                flow.frequentErrors(),
                target.target().endpoints(),
                flow.batches(),
                flow.dedupeCounts(),
                source.advice(),
                target.times());
    }

    Accounting accounting() {
        return source.accounting(target.flow());
    }

    List<Setting> settings() {
        return FlowSettings.of(this);
    }

    /**
     * The innermost stage of a chain of flows for which work waits: more capacity before it would only make that queue longer.
     */
    private Bottleneck bottleneck() {
        if (isInline()) {
            return new Bottleneck(
                    "",
                    "no bottleneck: the reader thread also answers, and datagrams beyond its speed are lost",
                    List.of());
        }
        Bottleneck own = bottleneck(target);
        List<TargetBinding> called = called();
        for (TargetBinding inner : called.reversed()) {
            Bottleneck there = bottleneck(inner);
            if (!there.stage().isEmpty() && !there.stage().equals("target")) {
                return inside(inner, there, own);
            }
        }
        return called.isEmpty() || !own.stage().equals("target")
                ? own
                : inside(called.getLast(), bottleneck(called.getLast()), own);
    }

    /** The bottleneck of a flow, or of the first of its servers that has one. */
    private static Bottleneck bottleneck(TargetBinding binding) {
        Bottleneck own = binding.flow().bottleneck();
        if (!own.stage().equals("target")) {
            return own;
        }
        for (Flow<?, ?> endpoint : binding.endpoints()) {
            Bottleneck there = endpoint.bottleneck();
            if (!there.stage().isEmpty() && !there.stage().equals("target")) {
                return new Bottleneck("target", "endpoint " + endpoint.name() + ": " + there.sentence(), own.loads());
            }
        }
        return own;
    }

    private static Bottleneck inside(TargetBinding inner, Bottleneck there, Bottleneck own) {
        return new Bottleneck("target", "flow " + inner.config().name() + ": " + there.sentence(), own.loads());
    }

    @Override
    public Setting pin(String setting, String value, String by) {
        return FlowSettings.fromFile(staged(setting).pin(setting, value, by));
    }

    @Override
    public Setting unpin(String setting) {
        return FlowSettings.fromFile(staged(setting).unpin(setting));
    }

    private TargetBinding staged(String setting) {
        if (settings().stream().anyMatch(shown -> shown.name().equals(setting) && !shown.pinnable())) {
            throw new IllegalArgumentException(setting + " cannot be pinned at run time; set it in the flow file");
        }
        if (isInline()) {
            throw new IllegalArgumentException(
                    "this flow is inline and has no stages: change the setting in the flow file");
        }
        return target;
    }

    private Map<String, Long> connections() {
        Map<String, Long> all = new LinkedHashMap<>(target.connections());
        source.connections().forEach((state, number) -> all.put("source_" + state, number));
        return all;
    }

    private Map<String, Map<String, Long>> counters() {
        Map<String, Map<String, Long>> all = new LinkedHashMap<>();
        Stream.of(source.counters(), target.counters())
                .forEach(counters ->
                        counters.forEach((family, counts) -> all.computeIfAbsent(family, first -> new LinkedHashMap<>())
                                .putAll(counts)));
        if (records != null) {
            all.put("transaction_records", records.counts(name()));
        }
        return all;
    }

    /** The stages in order, from source to target. */
    String chain() {
        if (isInline()) {
            return "inline (on the reader thread) > target";
        }
        List<String> stages = new ArrayList<>(target.flow().stageNames());
        if (!target.endpoints().isEmpty()) {
            stages.add("one of " + target.endpoints().size());
            stages.addAll(target.endpoints().getFirst().stageNames());
        }
        return String.join(" > ", stages) + " > target";
    }
}
