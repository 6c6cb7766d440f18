package dev.penstock.gateway.config;

import dev.penstock.gateway.config.ConfigValue.ReadContext;
import dev.penstock.text.Durations;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;

/**
 * A mapping of the file: checks the keys and gives access to the values by name. An invalid value is reported and
 * replaced by its default.
 */
public final class ConfigMapping {
    private final ReadContext reading;
    private final Keys keys;
    private final String prefix;
    private final FileLocation location;
    private final Map<String, ConfigValue> values = new LinkedHashMap<>();

    /**
     * Checks the keys of a mapping.
     *
     * @param keys the allowed keys
     * @param prefix the prefix of key names in messages, for instance {@code retry.}
     * @param location where the key of the mapping is
     */
    ConfigMapping(ReadContext reading, MappingNode node, Keys keys, String prefix, FileLocation location) {
        this.reading = reading;
        this.keys = keys;
        this.prefix = prefix;
        this.location = location;
        for (NodeTuple entry : node.getValue()) {
            add(entry.getKeyNode(), entry.getValueNode());
        }
    }

    /**
     * The top-level mapping of a file; null if there is none, which is reported.
     *
     * @param file the YAML file; at most 1 MB, UTF-8
     * @param variables returns the value of a variable, or null when it is not set
     * @param keys the allowed keys
     */
    public static @Nullable ConfigMapping ofFile(
            Path file, Function<String, @Nullable String> variables, Keys keys, ConfigProblems problems) {
        String text = FileText.read(file, problems);
        Node root = text == null ? null : YamlTree.of(text, problems);
        if (root == null) {
            return null;
        }
        Path folder = file.toAbsolutePath().normalize().getParent();
        Path base = folder == null ? file.toAbsolutePath() : folder;
        ReadContext reading = new ReadContext(new Placeholders(variables, base), problems, base);
        return new ConfigValue(reading, "", "the file", YamlTree.location(root), root).top(keys);
    }

    /** The problems found in the file so far. */
    public ConfigProblems problems() {
        return reading.problems();
    }

    /** The folder of the file, the base of relative paths. */
    public Path folder() {
        return reading.folder();
    }

    private void add(Node keyNode, Node valueNode) {
        FileLocation at = YamlTree.location(keyNode);
        if (!(keyNode instanceof ScalarNode scalar)) {
            reading.problems().add(at, "a key of " + keys.where() + " is a collection; keys must be plain text");
            return;
        }
        String key = scalar.getValue();
        ConfigValue earlier = values.get(key);
        if (earlier != null) {
            reading.problems()
                    .add(
                            at,
                            "key '" + Quoted.plain(key) + "' appears twice in " + keys.where() + ", first in line "
                                    + earlier.keyLocation().line() + "; keep one of them");
        } else if (keys.has(key)) {
            values.put(key, new ConfigValue(reading, prefix, key, at, valueNode));
        } else {
            reading.problems().add(at, keys.refusal(key));
        }
    }

    /** Reports a problem of the mapping as a whole. */
    public void refuse(String text) {
        reading.problems().add(location, text);
    }

    public Collection<ConfigValue> values() {
        return values.values();
    }

    /** The value of a key, or null if it is absent. */
    @Nullable
    public ConfigValue get(String key) {
        return values.get(key);
    }

    /** The value of a key. If it is absent, reports that with an example and returns null. */
    @Nullable
    public ConfigValue required(String key, String example) {
        ConfigValue value = values.get(key);
        if (value == null) {
            reading.problems().add(location, keys.where() + " has no '" + key + "'; add for instance " + example);
        }
        return value;
    }

    /** A required value, or null if it is absent or invalid. */
    public <T> @Nullable Configured<T> required(String key, String example, Function<ConfigValue, @Nullable T> as) {
        return required(key, example) == null ? null : ifGiven(key, as);
    }

    public Configured<Integer> integer(String key, int fallback, int min, int max) {
        return read(key, fallback, value -> value.integer(min, max));
    }

    public Configured<Duration> duration(String key, String fallback, String min, String max) {
        return duration(key, Durations.parse(fallback), min, max);
    }

    public Configured<Duration> duration(String key, Duration fallback, String min, String max) {
        return read(key, fallback, value -> value.duration(min, max));
    }

    public Configured<Boolean> bool(String key, boolean fallback) {
        return read(key, fallback, ConfigValue::bool);
    }

    public Configured<Long> size(String key, String fallback, String min, String max) {
        return read(key, ConfigValue.bytes(fallback), value -> value.size(min, max));
    }

    public Configured<String> text(String key, String fallback) {
        return read(key, fallback, ConfigValue::text);
    }

    public <T> Configured<T> read(String key, T fallback, Function<ConfigValue, @Nullable T> as) {
        ConfigValue value = values.get(key);
        T read = value == null ? null : as.apply(value);
        return value == null || read == null
                ? Configured.byDefault(fallback)
                : Configured.inFile(read, value.location());
    }

    /** A value, or null if it is absent or invalid. */
    public <T> @Nullable Configured<T> ifGiven(String key, Function<ConfigValue, @Nullable T> as) {
        ConfigValue value = values.get(key);
        T read = value == null ? null : as.apply(value);
        return value == null || read == null ? null : Configured.inFile(read, value.location());
    }

    /** As {@link #ifGiven}; {@code auto} is null too. */
    public <T> @Nullable Configured<T> unlessAuto(String key, Function<ConfigValue, @Nullable T> as) {
        return ifGiven(key, value -> value.is("auto") ? null : as.apply(value));
    }
}
