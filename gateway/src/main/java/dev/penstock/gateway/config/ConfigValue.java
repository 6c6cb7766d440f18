package dev.penstock.gateway.config;

import dev.penstock.text.Durations;
import dev.penstock.text.Rates;
import dev.penstock.text.Sizes;
import dev.penstock.text.SpellingHint;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * One named value of the file, readable as different types. Each reading method reports an invalid value and returns
 * null. Messages show the value as written in the file, never the substituted value of a placeholder.
 */
public final class ConfigValue {
    private final ReadContext reading;
    private final String name;
    private final String key;
    private final FileLocation keyLocation;
    private final Node node;
    private final boolean placeholder;
    private final @Nullable String filled;

    /**
     * A value of the file.
     *
     * @param prefix the prefix of key names in messages, for instance {@code retry.}
     * @param key the key
     * @param keyLocation location of the key
     */
    ConfigValue(ReadContext reading, String prefix, String key, FileLocation keyLocation, Node node) {
        this.reading = reading;
        this.key = key;
        this.name = prefix + Quoted.plain(key);
        this.keyLocation = keyLocation;
        this.node = node;
        this.placeholder = node instanceof ScalarNode scalar && Placeholders.in(scalar.getValue());
        this.filled = node instanceof ScalarNode scalar ? fill(scalar) : null;
    }

    private @Nullable String fill(ScalarNode scalar) {
        if (!placeholder) {
            return scalar.getValue();
        }
        String text = reading.placeholders().fill(scalar.getValue(), YamlTree.location(node), reading.problems());
        if (text == null) {
            reading.problems().refuse(name);
        }
        return text;
    }

    public String name() {
        return name;
    }

    /** The key without the prefix. */
    public String key() {
        return key;
    }

    public FileLocation keyLocation() {
        return keyLocation;
    }

    /** The problems found in the file so far. */
    public ConfigProblems problems() {
        return reading.problems();
    }

    /** The folder of the file, the base of relative paths. */
    public Path folder() {
        return reading.folder();
    }

    /** Reports a problem of the key. */
    public void refuseKey(String text) {
        reading.problems().refuse(name);
        reading.problems().add(keyLocation, text);
    }

    public FileLocation location() {
        return YamlTree.location(node);
    }

    /** Whether the value equals a keyword, for instance {@code auto}. */
    public boolean is(String word) {
        return word.equals(filled);
    }

    public boolean isMapping() {
        return node instanceof MappingNode;
    }

    /** The elements of a list, or this value alone. */
    public List<ConfigValue> each() {
        if (!(node instanceof SequenceNode list)) {
            return List.of(this);
        }
        return list.getValue().stream()
                .map(element -> new ConfigValue(
                        reading,
                        name.substring(0, name.length() - key.length()),
                        key,
                        YamlTree.location(element),
                        element))
                .toList();
    }

    /** Reports a problem of this value that only its reader can detect. */
    public void refuse(String what, String remedy) {
        reading.problems().refuse(name);
        reading.problems().add(location(), "'" + name + "' " + what + "; " + remedy);
    }

    /** As {@link #refuse}, with the value as written in the file. */
    public void refuseValue(String what, String remedy) {
        refuse("is " + shown() + ", " + what, remedy);
    }

    /** A scalar as written in the file. */
    String raw() {
        return node instanceof ScalarNode scalar ? Quoted.plain(scalar.getValue()) : "...";
    }

    /** The value as it may be shown in messages. */
    String shown() {
        String raw = node instanceof ScalarNode scalar ? withoutSecrets(scalar.getValue()) : "";
        if (placeholder) {
            return Quoted.of(raw) + " filled in";
        }
        return isText() ? Quoted.of(raw) : Quoted.plain(raw);
    }

    /** A URL, or what was meant as one, without user, password and parameters. */
    private static String withoutSecrets(String raw) {
        String shown = raw.replaceFirst("[^/\\s]*@", "...@");
        return shown.equals(raw) && !raw.contains("://") && !raw.startsWith("jdbc:")
                ? raw
                : shown.replaceFirst("(?s)[?;].*", "?...");
    }

    /** Adds this value, or all values in it, by key. To be called once all have been read. */
    void addTo(Map<String, FileKeys.Value> all, String path) {
        switch (node) {
            case MappingNode mapping ->
                mapping.getValue().forEach(entry -> {
                    String inner = entry.getKeyNode() instanceof ScalarNode scalar ? scalar.getValue() : "?";
                    within(inner, entry.getValueNode()).addTo(all, path + "." + inner);
                });
            case SequenceNode list -> {
                List<Node> elements = list.getValue();
                for (int i = 0; i < elements.size(); i++) {
                    within(key, elements.get(i)).addTo(all, path + "[" + i + "]");
                }
            }
            case ScalarNode scalar -> all.put(path, value(scalar.getValue()));
            default -> {}
        }
    }

    private ConfigValue within(String inner, Node value) {
        return new ConfigValue(reading, "", inner, YamlTree.location(value), value);
    }

    /** A secret follows its file by itself. */
    private FileKeys.Value value(String raw) {
        boolean isSecret = reading.secrets().contains(location());
        return new FileKeys.Value(
                isSecret || filled == null ? raw : filled, isSecret ? FileKeys.HIDDEN : withoutSecrets(raw));
    }

    /** A mapping whose keys are shown with the prefix of this value in messages. */
    @Nullable
    public ConfigMapping mapping(Schema keys) {
        return mapping(keys, name + ".", "a mapping");
    }

    /**
     * As {@link #mapping(Schema)}, for a value that may also be a word.
     *
     * @param words the words, for the message, for instance {@code auto, off}
     */
    @Nullable
    public ConfigMapping mapping(Schema keys, String words) {
        return mapping(keys, name + ".", words + " or a mapping");
    }

    /** A mapping whose keys are shown without a prefix: the location already identifies the flow. */
    @Nullable
    public ConfigMapping unnamed(Schema keys) {
        return mapping(keys, "", "a mapping");
    }

    private @Nullable ConfigMapping mapping(Schema keys, String prefix, String wanted) {
        if (node instanceof MappingNode mapping) {
            return new ConfigMapping(reading, mapping, keys, prefix, keyLocation);
        }
        boolean hidden = keys.hasSecrets() && filled != null && !isNull() && !is("true") && !is("false");
        String is = hidden ? "a text" : kind();
        refuse("must be " + wanted + ", but this is " + is, "write for instance " + keys.example());
        return null;
    }

    /** The top-level mapping of the file. */
    @Nullable
    ConfigMapping top(Schema keys) {
        if (node instanceof MappingNode mapping) {
            return new ConfigMapping(reading, mapping, keys, "", FileLocation.START);
        }
        reading.problems().add(location(), "the file must be a mapping, but this is " + kind() + "; begin with flows:");
        return null;
    }

    @Nullable
    public String text() {
        if (!(node instanceof ScalarNode) || isNull()) {
            refuse("must be text, but this is " + kind(), "write one value after the colon");
            return null;
        }
        return filled;
    }

    /**
     * A text that fits.
     *
     * @param what what is wrong with any other, after the value
     */
    public @Nullable String text(Predicate<String> fits, String what, String remedy) {
        String text = text();
        if (text == null || fits.test(text)) {
            return text;
        }
        refuseValue(what, remedy);
        return null;
    }

    /**
     * Several texts that fit, separated by commas.
     *
     * @param what what is wrong with any other, after the value
     * @param example of one
     */
    public @Nullable List<String> texts(Predicate<String> fits, String what, String example) {
        String written = text();
        if (written == null) {
            return null;
        }
        List<String> all =
                Arrays.stream(written.split(",", -1)).map(String::strip).toList();
        if (all.stream().allMatch(fits)) {
            return all;
        }
        refuseValue(what, "write for instance " + example + ", or several separated by commas");
        return null;
    }

    /** A text that is not empty. */
    public @Nullable String notEmpty(Predicate<String> isEmpty, String remedy) {
        String text = text();
        if (text == null || !isEmpty.test(text)) {
            return text;
        }
        refuse("is empty", remedy);
        return null;
    }

    @Nullable
    public Secret secret() {
        return secret(text -> true, "", "");
    }

    /**
     * A secret that fits.
     *
     * @param what what is wrong with any other; the value is not shown
     */
    public @Nullable Secret secret(Predicate<String> fits, String what, String remedy) {
        String text = text();
        if (text == null) {
            return null;
        }
        if (!fits.test(text)) {
            refuse(what, remedy);
            return null;
        }
        reading.secrets().add(location());
        try {
            return placeholder
                    ? reading.placeholders().follow(((ScalarNode) node).getValue(), fits, reading.files())
                    : new Secret(text);
        } catch (IOException unusable) {
            refuse("names a file that cannot be used", String.valueOf(unusable.getMessage()));
            return null;
        }
    }

    /** One of several values, each written as a word; null when it is none, with an error. */
    <E> @Nullable E oneOf(List<E> values, Function<E, String> word) {
        String text = text();
        Optional<E> found =
                values.stream().filter(value -> word.apply(value).equals(text)).findFirst();
        if (text != null && found.isEmpty()) {
            List<String> words = values.stream().map(word).toList();
            refuseValue(
                    "which is none of its values",
                    SpellingHint.of(text, words)
                            .map(near -> "did you mean " + near + "?")
                            .orElse("write " + String.join(" or ", words)));
        }
        return found.orElse(null);
    }

    @Nullable
    public Integer integer(int min, int max) {
        return integer(min, max, "");
    }

    /**
     * A whole number.
     *
     * @param otherwise other allowed values, for the message; empty for none
     */
    @Nullable
    public Integer integer(int min, int max, String otherwise) {
        String remedy = "write a number from " + min + " to " + max + (otherwise.isEmpty() ? "" : ", " + otherwise);
        if (!(node instanceof ScalarNode) || isNull() || (isText() && !placeholder)) {
            boolean quoted = !isNull()
                    && node instanceof ScalarNode digits
                    && digits.getValue().matches("\\d+");
            refuse("must be a whole number, but this is " + kind(), quoted ? "remove the quotes" : remedy);
            return null;
        }
        if (filled == null) {
            return null;
        }
        if (!filled.matches("-?\\d+")) {
            refuseValue("which is not a whole number", remedy);
            return null;
        }
        // More than 12 characters is out of every range here, and might not fit a long.
        long number = filled.length() > 12 ? Long.MAX_VALUE : Long.parseLong(filled);
        if (number < min || number > max) {
            refuseValue("which is out of range", remedy);
            return null;
        }
        return (int) number;
    }

    @Nullable
    public Boolean bool() {
        if (is("true") || is("false")) {
            return is("true");
        }
        if (filled != null || !placeholder) {
            refuse("must be true or false, but this is " + kind(), "write true or false");
        }
        return null;
    }

    @Nullable
    public Duration duration(String min, String max) {
        String written = scalar("a duration", "write for instance 200ms, 2s or 5m");
        if (written == null) {
            return null;
        }
        if (written.matches("\\d{1,9}") && !written.equals("0")) {
            refuseValue(
                    "which has no unit",
                    "write for instance " + (placeholder ? "2s or 200ms" : written + "s or " + written + "ms"));
            return null;
        }
        Duration duration;
        try {
            duration = Durations.parse(written);
        } catch (IllegalArgumentException none) {
            refuseValue("which is not a duration", "write a number and a unit, for instance 200ms, 2s, 5m or 1h");
            return null;
        }
        if (duration.compareTo(Durations.parse(min)) < 0 || duration.compareTo(Durations.parse(max)) > 0) {
            refuseValue("which is out of range", "write a duration from " + min + " to " + max);
            return null;
        }
        return duration;
    }

    @Nullable
    public Double rate(double min, double max) {
        String written = scalar("a rate", "write for instance 500/s");
        if (written == null) {
            return null;
        }
        double rate;
        try {
            rate = Rates.parse(written);
        } catch (IllegalArgumentException none) {
            refuseValue("which is not a rate", "write a number of calls per second, for instance 500/s");
            return null;
        }
        if (rate < min || rate > max) {
            refuseValue("which is out of range", "write a rate from " + Rates.format(min) + " to " + Rates.format(max));
            return null;
        }
        return rate;
    }

    @Nullable
    public Long size(String min, String max) {
        return size(min, max, false);
    }

    /** As {@link #size}; a number without a unit counts bytes. */
    @Nullable
    public Long sizeOrBytes(String min, String max) {
        return size(min, max, true);
    }

    private @Nullable Long size(String min, String max, boolean bytesWithoutUnit) {
        String written = scalar("a size", "write for instance 64KB or 1MB");
        if (written == null) {
            return null;
        }
        Long bytes = Sizes.parse(bytesWithoutUnit && written.matches("\\d{1,9}") ? written + "B" : written);
        if (bytes == null) {
            refuseValue("which is not a size", "write a number and a unit, for instance 512B, 64KB or 1MB");
        } else if (bytes < bytes(min) || bytes > bytes(max)) {
            refuseValue("which is out of range", "write a size from " + min + " to " + max);
            return null;
        }
        return bytes;
    }

    /** Parses a size constant of the program. */
    public static long bytes(String written) {
        return Objects.requireNonNull(Sizes.parse(written), written);
    }

    private @Nullable String scalar(String wanted, String remedy) {
        if (node instanceof ScalarNode && !isNull()) {
            return filled;
        }
        refuse("must be " + wanted + ", but this is " + kind(), remedy);
        return null;
    }

    public boolean isNull() {
        return node.getTag().equals(Tag.NULL);
    }

    private boolean isText() {
        return node.getTag().equals(Tag.STR);
    }

    /** The kind of value, for messages: a list, a mapping, empty, a text... */
    String kind() {
        return switch (node) {
            case MappingNode mapping -> "a mapping";
            case SequenceNode sequence -> "a list";
            default -> isNull() ? "empty" : isText() ? "the text " + shown() : shown();
        };
    }

    /**
     * What all values of one file share.
     *
     * @param folder the base of relative paths
     * @param files those that are read again when they change
     * @param secrets where values are that must not be shown
     */
    record ReadContext(
            Placeholders placeholders,
            ConfigProblems problems,
            Path folder,
            WatchedFiles files,
            Set<FileLocation> secrets) {
        ReadContext(Placeholders placeholders, ConfigProblems problems, Path folder, WatchedFiles files) {
            this(placeholders, problems, folder, files, new HashSet<>());
        }
    }
}
