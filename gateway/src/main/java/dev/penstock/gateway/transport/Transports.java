package dev.penstock.gateway.transport;

import dev.penstock.gateway.config.CollapseKind;
import dev.penstock.gateway.config.ConfigValue;
import dev.penstock.gateway.config.FlowConfig.From;
import dev.penstock.gateway.config.FlowConfig.To;
import dev.penstock.gateway.config.Key;
import dev.penstock.gateway.config.KeyType;
import dev.penstock.gateway.config.Schema;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The transports of this process, with their keys. */
public final class Transports {
    private final List<Transport> all;
    private final Map<Key<? extends From>, Transport> sources = new LinkedHashMap<>();
    private final Map<Key<? extends To>, Transport> targets = new LinkedHashMap<>();

    /**
     * These transports.
     *
     * @param all in the order of the class path
     */
    public Transports(List<Transport> all) {
        this.all = List.copyOf(all);
        for (Transport transport : all) {
            transport.sources().forEach(key -> sources.put(key, transport));
            transport.targets().forEach(key -> targets.put(key, transport));
        }
    }

    /**
     * Finds them with the class loader of this thread, which knows the jars of {@code lib}.
     *
     * @throws IllegalArgumentException one cannot be loaded, or two have the same key; the message says what to do
     */
    public static Transports load() {
        try {
            Transports found = new Transports(ServiceLoader.load(Transport.class).stream()
                    .map(ServiceLoader.Provider::get)
                    .toList());
            requireUnique("from", found.sources);
            requireUnique("to", found.targets);
            return found;
        } catch (ServiceConfigurationError | LinkageError unfit) {
            throw new IllegalArgumentException(
                    "a transport cannot be loaded: " + unfit.getMessage()
                            + "; put all jars it needs beside it, in versions for Java 25",
                    unfit);
        }
    }

    private static void requireUnique(String where, Map<? extends Key<?>, Transport> keys) {
        Set<String> seen = new HashSet<>();
        for (Key<?> key : keys.keySet()) {
            if (!seen.add(key.name())) {
                throw new IllegalArgumentException(
                        "two transports have the key '" + key.name() + "' in '" + where + "'; remove the jar of one");
            }
        }
    }

    /** All transports, in the order of the class path. */
    public List<Transport> all() {
        return all;
    }

    /** The keys of {@code from}. A target that is no source is a reserved word. */
    public Schema sources(String example) {
        return keys("from", example, sources, targets);
    }

    /** The keys of {@code to}. */
    public Schema targets(String example) {
        return keys("to", example, targets, sources);
    }

    private static Schema keys(
            String where,
            String example,
            Map<? extends Key<?>, Transport> own,
            Map<? extends Key<?>, Transport> other) {
        List<String> later = other.entrySet().stream()
                .filter(entry -> !own.containsValue(entry.getValue()))
                .map(entry -> entry.getKey().name())
                .toList();
        return Schema.of(where, example)
                .with(List.copyOf(own.keySet()))
                .later(later)
                .single();
    }

    /** The source of a flow; null if it is invalid, which is reported. */
    public @Nullable From readSource(ConfigValue value) {
        return key(sources, value.key()).getKey().type().read().apply(value);
    }

    /** The target of a flow; null if it is invalid, which is reported. */
    public @Nullable To readTarget(ConfigValue value) {
        return key(targets, value.key()).getKey().type().read().apply(value);
    }

    /** As {@link Transport#withoutPool}. */
    public @Nullable String withoutPool(String target) {
        return key(targets, target).getValue().withoutPool(target);
    }

    /** Reads {@code collapse} of a flow with this target; null if it is invalid, which is reported. */
    public @Nullable CollapseKind readCollapse(ConfigValue value, String target) {
        KeyType<? extends CollapseKind> type = collapse(target);
        if (type == null) {
            value.refuse("batches requests, which 'to." + target + "' does not support", "leave it out");
            return null;
        }
        return type.read().apply(value);
    }

    /** What {@code collapse} is for this target; null if it cannot batch requests. */
    public @Nullable KeyType<? extends CollapseKind> collapse(String target) {
        return key(targets, target).getValue().collapse(target);
    }

    /** What else is valid depends on the target: a JSON Schema for each. */
    public List<Map<String, Object>> rules() {
        return targets.keySet().stream()
                .<Map<String, Object>>map(key -> rule(key.name()))
                .toList();
    }

    private Map<String, Object> rule(String target) {
        Map<String, Object> properties = new LinkedHashMap<>();
        KeyType<? extends CollapseKind> collapse = collapse(target);
        properties.put("collapse", collapse == null ? false : collapse.json());
        if (withoutPool(target) != null) {
            properties.put("pool", false);
        }
        Map<String, Object> given = Map.of("type", "object", "required", List.of(target));
        return Map.of(
                "if", Map.of("required", List.of("to"), "properties", Map.of("to", given)),
                "then", Map.of("properties", properties));
    }

    /** The transport of a kind of source. A flow without {@code from} is of the kind of target that its callers have. */
    public Transport ofSource(String kind) {
        boolean isTarget = sources.keySet().stream().noneMatch(key -> key.name().equals(kind));
        return isTarget ? ofTarget(kind) : key(sources, kind).getValue();
    }

    /** The transport with a key in {@code to}. */
    public Transport ofTarget(String name) {
        return key(targets, name).getValue();
    }

    private static <K extends Key<?>> Map.Entry<K, Transport> key(Map<K, Transport> keys, String name) {
        return keys.entrySet().stream()
                .filter(entry -> entry.getKey().name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no transport has the key '" + name + "'"));
    }
}
