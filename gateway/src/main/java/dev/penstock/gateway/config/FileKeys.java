package dev.penstock.gateway.config;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The values of a flow file by key, such as {@code flows.payments.deadline}, to compare it with another. Immutable.
 *
 * @param values sorted by key
 */
public record FileKeys(Map<String, Value> values) {
    /** A file without keys. */
    public static final FileKeys NONE = new FileKeys(Map.of());

    /** Shown for a secret. */
    static final String HIDDEN = "(hidden)";

    private static final String FLOWS = "flows.";

    /** The first part of keys that take effect while the gateway runs. */
    private static final Set<String> LIVE = Set.of("flows", "shutdown", "reload");

    /**
     * A value.
     *
     * @param compared with placeholders filled in; for a secret as written, because it follows its file by itself
     * @param shown as written, without secrets
     */
    public record Value(String compared, String shown) {
        @Override
        public String toString() {
            return shown;
        }
    }

    /**
     * A key with another value.
     *
     * @param before null if it was not given
     * @param now null if it is not given any more
     */
    public record Change(
            String key, @Nullable String before, @Nullable String now) {
        /** One line, such as {@code flows.payments.deadline: 5s -> 2s}. */
        public String sentence() {
            return before == null
                    ? key + ": added, " + now
                    : now == null
                            ? key + ": removed, was " + before
                            : before.equals(now) ? key + ": changed, " + now : key + ": " + before + " -> " + now;
        }

        /** Whether only a restart applies it. */
        public boolean needsRestart() {
            return !LIVE.contains(key.split("[.\\[]", 2)[0]);
        }

        /** How it takes effect. */
        public String effect() {
            return needsRestart()
                    ? "needs a restart"
                    : key.startsWith(FLOWS) ? "builds flow " + key.split("\\.", 3)[1] + " anew" : "applied at once";
        }
    }

    public FileKeys {
        values = new TreeMap<>(values);
    }

    /** A file of which only the shown values are known. */
    public static FileKeys ofShown(Map<String, String> shown) {
        return new FileKeys(shown.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, value -> new Value(value.getValue(), value.getValue()))));
    }

    /** The values as they may be shown. */
    public SequencedMap<String, String> shown() {
        SequencedMap<String, String> shown = new TreeMap<>();
        values.forEach((key, value) -> shown.put(key, value.shown));
        return shown;
    }

    /** What another file changes, sorted by key. */
    public List<Change> changes(FileKeys next) {
        return Stream.concat(values.keySet().stream(), next.values.keySet().stream())
                .collect(Collectors.toCollection(TreeSet::new))
                .stream()
                .filter(key -> !Objects.equals(compared(key), next.compared(key)))
                .map(key -> new Change(key, shown(key), next.shown(key)))
                .toList();
    }

    private @Nullable String compared(String key) {
        Value value = values.get(key);
        return value == null ? null : value.compared;
    }

    private @Nullable String shown(String key) {
        Value value = values.get(key);
        return value == null ? null : value.shown;
    }

    /** The values of one flow, to compare it with another. */
    public Map<String, String> ofFlow(String name) {
        return values.entrySet().stream()
                .filter(value -> value.getKey().startsWith(FLOWS + name + "."))
                .collect(Collectors.toMap(Map.Entry::getKey, value -> value.getValue().compared));
    }
}
