package dev.penstock.gateway.config;

import dev.penstock.gateway.config.ConfigValue.ReadContext;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
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
    private final Schema keys;
    private final String prefix;
    private final FileLocation location;
    private final FileLocation start;
    private final Map<String, ConfigValue> values = new LinkedHashMap<>();

    /**
     * Checks the keys of a mapping.
     *
     * @param keys the allowed keys
     * @param prefix the prefix of key names in messages, for instance {@code retry.}
     * @param location where the key of the mapping is
     */
    ConfigMapping(ReadContext reading, MappingNode node, Schema keys, String prefix, FileLocation location) {
        this.reading = reading;
        this.keys = keys;
        this.prefix = prefix;
        this.location = location;
        this.start = YamlTree.location(node);
        for (NodeTuple entry : node.getValue()) {
            add(entry.getKeyNode(), entry.getValueNode());
        }
        keys.keys().forEach(this::checkExclusions);
    }

    private void checkExclusions(Key<?> key) {
        ConfigValue value = values.get(key.name());
        for (Key.Exclusion exclusion : key.exclusions()) {
            ConfigValue other = values.get(exclusion.other().name());
            if (value != null && other != null && key.isOn(value)) {
                value.refuse(exclusion.what(), exclusion.remedy().replace("%s", other.raw()));
            }
        }
    }

    /**
     * The top-level mapping of a file; null if there is none, which is reported.
     *
     * @param file the YAML file; at most 1 MB, UTF-8
     * @param variables returns the value of a variable, or null when it is not set
     * @param keys the allowed keys
     * @param files those that are read again when they change
     */
    public static @Nullable ConfigMapping ofFile(
            Path file,
            Function<String, @Nullable String> variables,
            Schema keys,
            ConfigProblems problems,
            WatchedFiles files) {
        String text = FileText.read(file, problems);
        Path folder = file.toAbsolutePath().normalize().getParent();
        Path base = folder == null ? file.toAbsolutePath() : folder;
        return text == null
                ? null
                : ofText(text, keys, new ReadContext(new Placeholders(variables, base), problems, base, files));
    }

    /**
     * As {@link #ofFile}, for a text that was made of the properties of a program.
     *
     * @param variables returns the value of a property; null when it is not set
     * @param folder the base of relative paths
     */
    public static @Nullable ConfigMapping ofProperties(
            String text,
            Function<String, @Nullable String> variables,
            Path folder,
            Schema keys,
            ConfigProblems problems,
            WatchedFiles files) {
        Placeholders placeholders = Placeholders.ofProperties(variables, folder);
        return ofText(text, keys, new ReadContext(placeholders, problems, folder, files));
    }

    private static @Nullable ConfigMapping ofText(String text, Schema keys, ReadContext reading) {
        Node root = YamlTree.of(text, reading.problems());
        return root == null ? null : new ConfigValue(reading, "", "the file", YamlTree.location(root), root).top(keys);
    }

    /** All values by key. To be called once all have been read. */
    public FileKeys keys() {
        Map<String, FileKeys.Value> all = new TreeMap<>();
        values.values().forEach(value -> value.addTo(all, value.key()));
        return new FileKeys(all);
    }

    /** The problems found in the file so far. */
    public ConfigProblems problems() {
        return reading.problems();
    }

    /** The files that are read again when they change. */
    public WatchedFiles files() {
        return reading.files();
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
        String key = keys.current(scalar.getValue());
        ConfigValue earlier = values.get(key);
        if (earlier != null) {
            reading.problems()
                    .add(
                            at,
                            "key '" + Quoted.plain(key) + "' appears twice in " + keys.where() + ", first in line "
                                    + earlier.keyLocation().line() + "; keep one of them");
            reading.problems().refuse(earlier.name());
        } else if (keys.has(key)) {
            values.put(key, new ConfigValue(reading, prefix, key, at, valueNode));
        } else {
            keys.near(key).ifPresent(near -> reading.problems().refuse(prefix + near));
            reading.problems().add(at, keys.refusal(key));
        }
    }

    /** Where it begins, after its key. */
    public FileLocation start() {
        return start;
    }

    /** Reports a problem of the mapping as a whole. */
    public void refuse(String text) {
        if (!prefix.isEmpty()) {
            reading.problems().refuse(prefix.substring(0, prefix.length() - 1));
        }
        reading.problems().add(location, text);
    }

    /** Reports a problem of the value of a key. */
    public void refuse(Key<?> key, String what, String remedy) {
        ConfigValue value = values.get(key.name());
        if (value != null) {
            value.refuse(what, remedy);
        }
    }

    public Collection<ConfigValue> values() {
        return values.values();
    }

    /** The value of a key, or its default. An invalid value is reported. */
    public <T> Configured<T> get(Key<T> key) {
        Configured<T> given = find(key);
        return given == null ? Configured.byDefault(key.fallback()) : given;
    }

    /** The value of a key; null if it is absent, {@code auto}, or invalid. Reports the last, and an absent required key. */
    public <T> @Nullable Configured<T> find(Key<T> key) {
        ConfigValue value = written(key);
        if (value == null || (key.isAuto() && value.is("auto"))) {
            return null;
        }
        T read = key.type().read().apply(value);
        return read == null ? null : Configured.fromFile(read, value.location());
    }

    /** As {@link #find}, without its origin. */
    public <T> @Nullable T valueOf(Key<T> key) {
        Configured<T> given = find(key);
        return given == null ? null : given.value();
    }

    /** The value of a key as it is written; null if the key is absent. Reports an absent required key. */
    public @Nullable ConfigValue written(Key<?> key) {
        ConfigValue value = values.get(key.name());
        if (value == null && key.isRequired()) {
            reading.problems().refuse(prefix + key.name());
            reading.problems()
                    .add(location, keys.where() + " has no '" + key.name() + "'; add for instance " + key.example());
        }
        if (value != null && key.type().isSecret()) {
            reading.secrets().add(value.location());
        }
        return value;
    }

    /** Whether a key is given, valid or not. */
    public boolean has(Key<?> key) {
        return values.containsKey(key.name());
    }
}
