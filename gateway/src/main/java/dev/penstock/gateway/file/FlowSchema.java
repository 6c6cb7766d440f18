package dev.penstock.gateway.file;

import dev.penstock.gateway.config.Key;
import dev.penstock.gateway.config.KeyType;
import dev.penstock.gateway.config.Rule;
import dev.penstock.gateway.config.Schema;
import dev.penstock.gateway.transport.Transports;
import dev.penstock.text.SpellingHint;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** All keys of a flow file, with those of the transports of this process. Immutable. */
public final class FlowSchema {
    /** Sorted, because the order of unmodifiable maps differs from one process to the next. */
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT, SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
            .build();

    private final Schema schema;
    private final List<KeyEntry> entries = new ArrayList<>();
    private final List<Rule<?>> rules;

    private FlowSchema(Transports transports) {
        this.schema = new FlowFileReader(transports).schema();
        this.rules = CrossFieldRules.all(transports);
        schema.walk("", (path, key) -> entries.add(new KeyEntry(path, key, null)));
        for (Key<?> target : transports.targets("").keys()) {
            KeyType<?> collapse = transports.collapse(target.name());
            if (collapse != null) {
                collapse.mappings()
                        .forEach(mapping -> mapping.walk(
                                KeyEntry.FLOW + "collapse.",
                                (path, key) -> entries.add(new KeyEntry(path, key, "to." + target.name()))));
            }
        }
    }

    /**
     * The keys of this process.
     *
     * @throws IllegalArgumentException a transport cannot be loaded; the message says what to do
     */
    public static FlowSchema load() {
        return new FlowSchema(Transports.load());
    }

    /** What must hold between keys. */
    public List<Rule<?>> rules() {
        return rules;
    }

    /** A JSON Schema (2020-12) of flow files, for editors. */
    public String json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("$schema", "https://json-schema.org/draft/2020-12/schema");
        json.put("title", "A flow file of Penstock");
        json.putAll(schema.json());
        return MAPPER.writeValueAsString(json) + "\n";
    }

    /** The path of each key, for instance {@code flows.NAME.retry.attempts}, in the order of the declaration. */
    public List<String> paths() {
        return entries.stream().map(KeyEntry::path).distinct().toList();
    }

    /** The keys whose settings accept a pin at run time: by the name of the setting, where they do; empty for everywhere. */
    public Map<String, String> pinnable() {
        Map<String, String> pinnable = new LinkedHashMap<>();
        for (KeyEntry entry : entries) {
            String where = entry.key().pinnable();
            if (where != null) {
                pinnable.put(entry.setting(), where);
            }
        }
        return pinnable;
    }

    /** The paths of the keys whose values no output shows. */
    public List<String> secret() {
        return entries.stream()
                .filter(entry -> entry.key().type().isSecret())
                .map(KeyEntry::path)
                .distinct()
                .toList();
    }

    /**
     * What the keys are whose path ends so, for instance {@code retry.attempts} or {@code max}, in lines for people.
     *
     * @throws IllegalArgumentException there is none; the message names the most similar
     */
    public String explain(String path) {
        List<KeyEntry> found = entries.stream()
                .filter(entry -> entry.path().equals(path) || entry.path().endsWith("." + path))
                .toList();
        if (found.isEmpty()) {
            throw new IllegalArgumentException("unknown key '" + path + "'; "
                    + meant(path).map(near -> "did you mean " + near + "?").orElse("for all keys: penstock explain"));
        }
        StringBuilder text = new StringBuilder();
        found.forEach(entry -> text.append(text.isEmpty() ? "" : "\n").append(entry.explain()));
        return text.toString();
    }

    /** The keys of which the last word is an alias; otherwise the most similar key. */
    private Optional<String> meant(String path) {
        List<String> keys = entries.stream()
                .filter(entry -> entry.isAlias(path))
                .map(entry -> path.substring(0, path.lastIndexOf('.') + 1)
                        + entry.key().name())
                .distinct()
                .toList();
        return keys.isEmpty() ? SpellingHint.of(path, endings()) : Optional.of(String.join(" or ", keys));
    }

    /** All that may be asked for: each path without some of its beginning. */
    private Set<String> endings() {
        Set<String> endings = new TreeSet<>();
        for (KeyEntry entry : entries) {
            String rest = entry.path();
            endings.add(rest);
            while (rest.indexOf('.') >= 0) {
                rest = rest.substring(rest.indexOf('.') + 1);
                endings.add(rest);
            }
        }
        return endings;
    }

    /** Tables in Markdown: the keys of each mapping, and the rules between keys. */
    public String markdown() {
        Map<String, List<KeyEntry>> byMapping = new LinkedHashMap<>();
        entries.forEach(entry -> byMapping
                .computeIfAbsent(entry.mapping(), mapping -> new ArrayList<>())
                .add(entry));
        StringBuilder text = new StringBuilder();
        byMapping.forEach((mapping, keys) -> {
            text.append("\n## ")
                    .append(mapping)
                    .append("\n\n| key | value | default | what it is |\n|---|---|---|---|\n");
            keys.forEach(entry -> text.append(entry.row()));
        });
        text.append("\n## Between keys\n\n| what must hold | keys | otherwise |\n|---|---|---|\n");
        rules.forEach(rule -> text.append("| ")
                .append(rule.name())
                .append(" | `")
                .append(String.join("`, `", rule.keys()))
                .append(rule.isWarning() ? "` | a warning |\n" : "` | an error |\n"));
        return text.toString();
    }
}
