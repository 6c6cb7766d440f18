package dev.penstock.gateway.config;

import dev.penstock.text.SpellingHint;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The keys of one mapping of the flow file, see {@link Key}. Not thread-safe while it is declared; immutable afterwards. */
public final class Schema {
    private final String where;
    private final String example;
    private final List<Key<?>> keys = new ArrayList<>();
    private final @Nullable KeyType<?> each;
    private List<String> later = List.of();
    private final Map<String, String> removed = new LinkedHashMap<>();
    private final List<Map<String, Object>> rules = new ArrayList<>();
    private boolean single;

    private Schema(String where, String example, @Nullable KeyType<?> each) {
        this.where = where;
        this.example = example;
        this.each = each;
    }

    /**
     * A mapping with keys of its own.
     *
     * @param where its name in messages
     * @param example how to write it
     */
    public static Schema of(String where, String example) {
        return new Schema(where, example, null);
    }

    /**
     * A mapping whose keys the user chooses.
     *
     * @param each the type of all values
     */
    public static Schema named(String where, String example, KeyType<?> each) {
        return new Schema(where, example, each);
    }

    /** Declares a key. */
    public <T> Key<T> key(String name, KeyType<T> type, String help) {
        Key<T> key = Key.of(name, type, help);
        keys.add(key);
        return key;
    }

    /** Adds keys that were declared elsewhere. */
    public Schema with(List<? extends Key<?>> others) {
        keys.addAll(others);
        return this;
    }

    /** Reserves words that this version does not support. */
    public Schema later(List<String> words) {
        later = List.copyOf(words);
        return this;
    }

    /**
     * Explains a key that an earlier version had.
     *
     * @param instead what to do now
     */
    public Schema removed(String name, String instead) {
        removed.put(name, instead);
        return this;
    }

    /** Exactly one of the keys is given. */
    public Schema single() {
        single = true;
        return this;
    }

    /** Adds what depends on several keys: JSON Schemas that are all valid. */
    public Schema rules(List<Map<String, Object>> more) {
        rules.addAll(more);
        return this;
    }

    /** Exactly one of two keys is given. The reader reports the others. */
    public Schema either(Key<?> first, Key<?> second) {
        first.without("required without " + second.name());
        second.without("required without " + first.name());
        return rules(List.of(Map.of(
                "oneOf",
                List.of(Map.of("required", List.of(first.name())), Map.of("required", List.of(second.name()))))));
    }

    /** The same keys under another name in messages. */
    public Schema at(String other) {
        return new Schema(other, example, each).with(keys).later(later);
    }

    /** The place of a key in the declaration. */
    public int order(String name) {
        return keys.stream().map(Key::name).toList().indexOf(name);
    }

    public String where() {
        return where;
    }

    public String example() {
        return example;
    }

    public List<Key<?>> keys() {
        return List.copyOf(keys);
    }

    /** Whether one of the values is shown in no output. */
    boolean hasSecrets() {
        return hasSecretValues() || keys.stream().anyMatch(key -> key.type().isSecret());
    }

    /** Whether the user chooses the keys, and no output shows their values. */
    boolean hasSecretValues() {
        return each != null && each.isSecret();
    }

    /** The key that a program wrote in another form, such as {@code max-body} or {@code maxBody}; else the same, with underscores. */
    public String relaxed(String written) {
        if (each != null) {
            return written;
        }
        String plain = plain(written);
        return Stream.of(names().stream(), removed.keySet().stream())
                .flatMap(all -> all)
                .filter(known -> plain(known).equals(plain))
                .findFirst()
                .orElse(written.replace('-', '_'));
    }

    /** A name without what differs between the forms of writing it: dashes, underscores, upper case. */
    public static String plain(String name) {
        return name.replaceAll("[_-]", "").toLowerCase(Locale.ROOT);
    }

    /** The keys of the mapping that is the value of a key; null if it is not known. */
    public @Nullable Schema below(String key) {
        Key<?> declared = find(key);
        KeyType<?> type = declared == null ? each : declared.type();
        return type == null || type.mappings().isEmpty()
                ? null
                : type.mappings().getFirst();
    }

    /** The name of the key that had this name in an earlier version; else the same name. */
    String current(String name) {
        return keys.stream()
                .filter(key -> name.equals(key.former()))
                .<String>map(Key::name)
                .findFirst()
                .orElse(name);
    }

    boolean has(String key) {
        return each != null || find(key) != null;
    }

    private @Nullable Key<?> find(String name) {
        return keys.stream().filter(key -> key.name().equals(name)).findFirst().orElse(null);
    }

    /** The message for an unknown key. */
    public String refusal(String key) {
        if (later.contains(key)) {
            return "this version of Penstock does not support '" + key + "'; remove it";
        }
        if (removed.containsKey(key)) {
            return "'" + where + "." + key + "' was removed: " + removed.get(key);
        }
        return "unknown key '" + Quoted.plain(key) + "' in " + where + "; "
                + near(key)
                        .map(word -> "did you mean '" + word + "'?")
                        .orElse("known keys: " + String.join(", ", names()));
    }

    /** The key that an unknown one probably means. */
    Optional<String> near(String key) {
        return keys.stream()
                .filter(known -> known.aliases().contains(key))
                .<String>map(Key::name)
                .findFirst()
                .or(() -> SpellingHint.of(key, names()));
    }

    private List<String> names() {
        return keys.stream().map(Key::name).toList();
    }

    /** Passes each key with its path, parents first, for instance {@code retry.attempts}. */
    public void walk(String prefix, BiConsumer<String, Key<?>> to) {
        for (Key<?> key : keys) {
            String path = prefix + key.name();
            to.accept(path, key);
            key.type().mappings().forEach(inner -> inner.walk(path + ".", to));
        }
        if (each != null) {
            each.mappings().forEach(inner -> inner.walk(prefix + "NAME.", to));
        }
    }

    /** A JSON Schema of the mapping. */
    public Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("type", "object");
        Map<String, Object> properties = new LinkedHashMap<>();
        for (Key<?> key : keys) {
            Map<String, Object> described = json(key);
            properties.put(key.name(), described);
            if (key.former() != null) {
                Map<String, Object> old = new LinkedHashMap<>(described);
                old.put("deprecated", true);
                properties.put(key.former(), old);
            }
        }
        if (each != null) {
            json.put("additionalProperties", each.json());
            return json;
        }
        json.put("properties", properties);
        json.put("additionalProperties", false);
        List<String> required =
                keys.stream().filter(Key::isRequired).<String>map(Key::name).toList();
        if (!required.isEmpty()) {
            json.put("required", required);
        }
        if (single) {
            json.put("minProperties", 1);
            json.put("maxProperties", 1);
        }
        List<Map<String, Object>> all = new ArrayList<>(rules);
        keys.forEach(key -> all.addAll(key.exclusionsJson()));
        if (!all.isEmpty()) {
            json.put("allOf", all);
        }
        return json;
    }

    private static Map<String, Object> json(Key<?> key) {
        Map<String, Object> json = new LinkedHashMap<>();
        String absent = key.whenAbsent().isEmpty() || key.whenAbsent().startsWith("required ")
                ? key.whenAbsent()
                : "default: " + key.whenAbsent();
        json.put("description", sentence(key.help()) + (absent.isEmpty() ? "" : " " + sentence(absent)));
        if (key.isAuto()) {
            json.put("anyOf", List.of(Map.of("const", "auto"), key.type().json()));
        } else {
            json.putAll(key.type().json());
        }
        return json;
    }

    private static String sentence(String help) {
        return Character.toUpperCase(help.charAt(0)) + help.substring(1) + ".";
    }
}
