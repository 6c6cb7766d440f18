package dev.penstock.gateway.config;

import dev.penstock.text.Durations;
import dev.penstock.text.Rates;
import dev.penstock.text.Sizes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The type of a {@link Key}: how its value is read, and how it is described.
 *
 * @param range what may be written, for people, for instance {@code 1..100}
 * @param schema a JSON Schema of what may be written, made when all keys have been declared. It accepts every valid value;
 *     some invalid values only the reader finds
 * @param read returns the value, or reports an invalid one and returns null
 * @param format a value as written in the file
 * @param mappings the mappings that may be written
 * @param isSecret whether no output shows the value
 */
public record KeyType<T>(
        String range,
        Supplier<Map<String, Object>> schema,
        Function<ConfigValue, @Nullable T> read,
        Function<T, String> format,
        List<Schema> mappings,
        boolean isSecret) {
    /** A placeholder is filled in when the file is read, so an editor accepts it everywhere. */
    private static final String PLACEHOLDER = "\\$\\{";

    private static final String DURATION = "\\d{1,12}(\\.\\d{1,9})?(us|ms|s|m|h|d)|0";
    private static final Map<String, Object> FILLED_IN = Map.of("type", "string", "pattern", PLACEHOLDER);

    private static <T> KeyType<T> of(
            String range,
            Map<String, Object> json,
            Function<ConfigValue, @Nullable T> read,
            Function<T, String> format) {
        return new KeyType<>(range, () -> json, read, format, List.of(), false);
    }

    public static KeyType<Integer> integer(int min, int max) {
        return integer(min, max, "");
    }

    /**
     * A whole number.
     *
     * @param otherwise other allowed values, for the message; empty for none
     */
    public static KeyType<Integer> integer(int min, int max, String otherwise) {
        Map<String, Object> number = Map.of("type", "integer", "minimum", min, "maximum", max);
        return of(
                min + ".." + max,
                anyOf(List.of(number, FILLED_IN)),
                value -> value.integer(min, max, otherwise),
                String::valueOf);
    }

    /** A duration. Its bounds are for the reader: a JSON Schema cannot compare texts. */
    public static KeyType<Duration> duration(String min, String max) {
        return of(
                min + ".." + max,
                anyOf(List.of(text(DURATION), Map.of("const", 0))),
                value -> value.duration(min, max),
                Durations::write);
    }

    /** A duration within the bounds of the builder that the key configures. */
    public static KeyType<Duration> duration(Duration min, Duration max) {
        return duration(Durations.write(min), Durations.write(max));
    }

    /** A rate per second. Its bounds are for the reader, as those of a duration. */
    public static KeyType<Double> rate(double min, double max) {
        return of(
                Rates.format(min) + ".." + Rates.format(max),
                text(Rates.WRITTEN.pattern()),
                value -> value.rate(min, max),
                Rates::format);
    }

    public static KeyType<Long> size(String min, String max) {
        return of(min + ".." + max, text("\\d{1,9}(B|KB|MB|GB)"), value -> value.size(min, max), Sizes::format);
    }

    /** As {@link #size}; a number without a unit counts bytes. */
    public static KeyType<Long> sizeOrBytes(String min, String max) {
        return of(
                min + ".." + max,
                anyOf(List.of(text("\\d{1,9}(B|KB|MB|GB)?"), Map.of("type", "integer", "minimum", 0))),
                value -> value.sizeOrBytes(min, max),
                Sizes::format);
    }

    public static KeyType<Boolean> bool() {
        return of(
                "true, false",
                anyOf(List.of(Map.of("enum", List.of(true, false, "true", "false")), FILLED_IN)),
                ConfigValue::bool,
                String::valueOf);
    }

    /**
     * Any text that the reader accepts.
     *
     * @param range what may be written, for people
     */
    public static <T> KeyType<T> text(String range, Function<ConfigValue, @Nullable T> read) {
        return of(range, Map.of("type", List.of("string", "number", "boolean")), read, String::valueOf);
    }

    public static KeyType<String> text() {
        return text("text", ConfigValue::text);
    }

    /** The user of a login, which follows its file as its password does. */
    public static KeyType<Secret> user() {
        return text("text", ConfigValue::secret);
    }

    public static KeyType<Secret> secret() {
        return secret("text, for instance ${file:PATH}", ConfigValue::secret);
    }

    /** As {@link #text(String, Function)}, for a value that no output shows, a message of the reader neither. */
    public static KeyType<Secret> secret(String range, Function<ConfigValue, @Nullable Secret> read) {
        KeyType<Secret> text = text(range, read);
        return new KeyType<>(range, text.schema, read, text.format, List.of(), true);
    }

    /**
     * A duration, or a text that the reader accepts too.
     *
     * @param pattern of that text
     */
    public static <T> KeyType<T> durationOr(Pattern pattern, String range, Function<ConfigValue, @Nullable T> read) {
        return of(
                range,
                anyOf(List.of(text(DURATION + "|" + pattern.pattern()), Map.of("const", 0))),
                read,
                String::valueOf);
    }

    /**
     * A text that a pattern describes.
     *
     * @param read reports values that do not match
     */
    public static <T> KeyType<T> matching(String range, Pattern pattern, Function<ConfigValue, @Nullable T> read) {
        Map<String, Object> json = new LinkedHashMap<>(text(pattern.pattern()));
        json.put("type", List.of("string", "number", "boolean"));
        return of(range, json, read, String::valueOf);
    }

    /** A constant of an enum, written in lower case and with hyphens. */
    public static <E extends Enum<E>> KeyType<E> oneOf(Class<E> constants) {
        return oneOf(
                List.of(constants.getEnumConstants()),
                one -> one.name().toLowerCase(Locale.ROOT).replace('_', '-'));
    }

    /** One of several words. */
    public static KeyType<String> oneOf(List<String> words) {
        return oneOf(words, word -> word);
    }

    private static <E> KeyType<E> oneOf(List<E> values, Function<E, String> word) {
        List<String> words = values.stream().map(word).toList();
        return of(
                String.join(", ", words),
                anyOf(List.of(Map.of("enum", words), FILLED_IN)),
                value -> value.oneOf(values, word),
                word);
    }

    /** A value that the target of the flow describes and reads. */
    public static KeyType<ConfigValue> ofTarget() {
        return of("depends on the target", Map.of(), value -> value, ConfigValue::name);
    }

    /** A mapping. */
    public static <T> KeyType<T> mapping(Schema schema, Function<ConfigValue, @Nullable T> read) {
        return new KeyType<>(
                "a mapping", schema::json, read, String::valueOf, List.of(schema), schema.hasSecretValues());
    }

    /** Secrets by name. */
    public static KeyType<Map<String, Secret>> secrets(Schema named) {
        return mapping(named, value -> {
            Map<String, Secret> secrets = new LinkedHashMap<>();
            ConfigMapping given = value.mapping(named);
            for (ConfigValue one : given == null ? List.<ConfigValue>of() : given.values()) {
                Secret secret = one.secret();
                if (secret != null) {
                    secrets.put(one.key(), secret);
                }
            }
            return secrets;
        });
    }

    /** A mapping that is read by its keys. */
    public static <T> KeyType<T> keys(Schema schema, Function<ConfigMapping, @Nullable T> read) {
        return mapping(schema, value -> {
            ConfigMapping given = value.mapping(schema);
            return given == null ? null : read.apply(given);
        });
    }

    /** The same values, read in another way. */
    public KeyType<T> readBy(Function<ConfigValue, @Nullable T> other) {
        return new KeyType<>(range, schema, other, format, mappings, isSecret);
    }

    /** Converts valid values. */
    public <U> KeyType<U> to(Function<T, U> convert) {
        return new KeyType<>(range, schema, value -> converted(value, convert), String::valueOf, mappings, isSecret);
    }

    private <U> @Nullable U converted(ConfigValue value, Function<T, U> convert) {
        T valid = read.apply(value);
        return valid == null ? null : convert.apply(valid);
    }

    /** A mapping, or a list of such, which the reader limits. */
    public static <T> KeyType<T> mappings(Schema schema, Function<ConfigValue, @Nullable T> read) {
        KeyType<T> one = mapping(schema, read);
        return new KeyType<>(
                "a mapping, or a list of them", one.listed(Map.of()), read, one.format, one.mappings, one.isSecret);
    }

    /** A JSON Schema of one value, or of a list that is not empty. */
    private Supplier<Map<String, Object>> listed(Map<String, Object> more) {
        return () -> {
            Map<String, Object> list = new LinkedHashMap<>(Map.of("type", "array", "minItems", 1, "items", json()));
            list.putAll(more);
            return anyOf(List.of(json(), list));
        };
    }

    /** One such value, or a list of them. */
    public KeyType<List<T>> orList(int max) {
        return new KeyType<>(
                range + ", or a list of them",
                listed(Map.of("maxItems", max)),
                value -> list(value, max),
                values -> String.join(", ", values.stream().map(format).toList()),
                mappings,
                isSecret);
    }

    private @Nullable List<T> list(ConfigValue value, int max) {
        List<ConfigValue> each = value.each();
        if (each.isEmpty() || each.size() > max) {
            value.refuse("is a list of " + each.size(), "write 1 to " + max);
            return null;
        }
        List<T> all = new ArrayList<>();
        for (ConfigValue one : each) {
            T valid = read.apply(one);
            if (valid != null) {
                all.add(valid);
            }
        }
        return all.size() == each.size() ? List.copyOf(all) : null;
    }

    /** Words that may be written instead. Shown before the rest of the range. */
    public KeyType<T> orWords(String... words) {
        List<Object> written = new ArrayList<>(List.of(words));
        if (written.contains("false")) {
            written.add(false);
        }
        return or(String.join(", ", words), () -> Map.of("enum", written));
    }

    /** Values of another type that may be written instead, which the reader of this type reads too. */
    public KeyType<T> or(KeyType<?> other) {
        return or(other.range, other.schema);
    }

    private KeyType<T> or(String otherRange, Supplier<Map<String, Object>> other) {
        return new KeyType<>(
                otherRange + ", or " + range,
                () -> anyOf(List.of(other.get(), json())),
                read,
                format,
                mappings,
                isSecret);
    }

    /** The JSON Schema. Complete only when all keys of its mappings have been declared. */
    public Map<String, Object> json() {
        return schema.get();
    }

    private static Map<String, Object> text(String pattern) {
        return Map.of("type", "string", "pattern", "^(?:" + pattern + ")$|" + PLACEHOLDER);
    }

    private static Map<String, Object> anyOf(List<?> forms) {
        return Map.of("anyOf", forms);
    }
}
