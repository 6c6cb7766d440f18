package dev.penstock.gateway.file;

import dev.penstock.gateway.config.Key;
import dev.penstock.gateway.config.KeyType;
import dev.penstock.gateway.config.Rule;
import dev.penstock.gateway.config.Schema;
import dev.penstock.gateway.config.SpellingHint;
import dev.penstock.gateway.transport.Transports;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** All keys of a flow file, with those of the transports of this process. Immutable. */
public final class FlowSchema {
    /** Sorted, because the order of unmodifiable maps differs from one process to the next. */
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT, SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
            .build();

    private static final String FLOW = "flows.NAME.";

    private final Schema schema;
    private final List<Entry> entries = new ArrayList<>();
    private final List<Rule<?>> rules;

    private FlowSchema(Transports transports) {
        this.schema = new FlowFileReader(transports).schema();
        this.rules = CrossFieldRules.all(transports);
        schema.walk("", (path, key) -> entries.add(new Entry(path, key, null)));
        for (Key<?> target : transports.targets("").keys()) {
            KeyType<?> collapse = transports.collapse(target.name());
            if (collapse != null) {
                collapse.mappings()
                        .forEach(mapping -> mapping.walk(
                                FLOW + "collapse.",
                                (path, key) -> entries.add(new Entry(path, key, "to." + target.name()))));
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
        return entries.stream().map(Entry::path).distinct().toList();
    }

    /**
     * What the keys are whose path ends so, for instance {@code retry.attempts} or {@code max}, in lines for people.
     *
     * @throws IllegalArgumentException there is none; the message names the most similar
     */
    public String explain(String path) {
        List<Entry> found = entries.stream()
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
        for (Entry entry : entries) {
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
        Map<String, List<Entry>> byMapping = new LinkedHashMap<>();
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

    /**
     * A key and its place.
     *
     * @param path for instance {@code flows.NAME.collapse.url}
     * @param target the only target that has the key; null for any
     */
    private record Entry(String path, Key<?> key, @Nullable String target) {
        String name() {
            return target == null ? path : path + ", with " + target;
        }

        /** Whether this is the key if its alias is the last word of a path. */
        boolean isAlias(String other) {
            String parent = path.substring(0, path.lastIndexOf('.') + 1);
            return key.aliases().stream().map(parent::concat).anyMatch(alias -> ("." + alias).endsWith("." + other));
        }

        String mapping() {
            String parent = path.contains(".") ? path.substring(0, path.lastIndexOf('.')) : "The file";
            return (parent.equals("The file") ? parent : "`" + parent + "`")
                    + (target == null ? "" : " with `" + target + "`");
        }

        private String absent() {
            return key.isRequired() ? "required" : key.whenAbsent().isEmpty() ? "none" : key.whenAbsent();
        }

        String row() {
            return "| `" + key.name() + "` | " + key.type().range() + " | " + absent() + " | "
                    + key.help().replace("|", "\\|") + " |\n";
        }

        String explain() {
            StringBuilder text =
                    new StringBuilder(name()).append("\n  ").append(key.help()).append("\n  value:    ");
            text.append(key.type().range())
                    .append("\n  default:  ")
                    .append(absent())
                    .append('\n');
            if (key.isRequired()) {
                text.append("  example:  ").append(key.example()).append('\n');
            }
            if (!key.aliases().isEmpty()) {
                text.append("  aliases:  ")
                        .append(String.join(", ", key.aliases()))
                        .append(" (only understood in hints of errors)\n");
            }
            List<Key<?>> inner = key.type().mappings().stream()
                    .flatMap(mapping -> mapping.keys().stream())
                    .toList();
            if (!inner.isEmpty()) {
                text.append("  keys:     ")
                        .append(String.join(", ", inner.stream().map(Key::name).toList()))
                        .append('\n');
            }
            return text.toString();
        }
    }
}
