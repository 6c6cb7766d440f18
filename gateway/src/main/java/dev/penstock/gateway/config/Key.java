package dev.penstock.gateway.config;

import dev.penstock.Setting;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One key of the flow file, declared once: its name, type, default and help. The reader, its errors, the reference of all keys
 * and the JSON Schema for editors are derived from it.
 *
 * <pre>{@code
 * static final Schema RETRY = Schema.of("retry", "retry: { attempts: 3 }");
 * static final Key<Integer> ATTEMPTS =
 *         RETRY.key("attempts", KeyType.integer(1, 10), "how often a request is sent in all").or(3).alias("count max");
 *
 * Configured<Integer> attempts = value.mapping(RETRY).get(ATTEMPTS);
 * }</pre>
 *
 * <p>Not thread-safe while it is declared; immutable afterwards.
 */
public final class Key<T> {
    private final String name;
    private final KeyType<T> type;
    private final String help;
    private List<String> aliases = List.of();
    private @Nullable String former;
    private @Nullable T fallback;
    private String without = "";
    private @Nullable String required;
    private boolean auto;
    private @Nullable String pinnable;
    private final List<Exclusion> exclusions = new ArrayList<>();

    private Key(String name, KeyType<T> type, String help) {
        this.name = name;
        this.type = type;
        this.help = help;
    }

    /**
     * A key without a default.
     *
     * @param help what it sets, in words that continue "KEY is ..."
     */
    public static <T> Key<T> of(String name, KeyType<T> type, String help) {
        return new Key<>(name, type, help);
    }

    /** Names that people may write instead, separated by spaces. They are too different for a spelling hint. */
    public Key<T> alias(String words) {
        aliases = List.of(words.split(" "));
        return this;
    }

    /** The name that the key had in an earlier version. Files may still use it. */
    public Key<T> formerly(String old) {
        former = old;
        return this;
    }

    /** The default. Take it from the builder that the key configures. */
    public Key<T> or(T value) {
        fallback = value;
        return without(type.format().apply(value));
    }

    /** What applies without the key, for people. */
    public Key<T> without(String what) {
        without = what;
        return this;
    }

    /**
     * Permits {@code auto}, which is the default.
     *
     * @param how how the value is found
     */
    public Key<T> auto(String how) {
        auto = true;
        return without(how.isEmpty() ? "auto" : "auto: " + how);
    }

    /**
     * A key that must be given.
     *
     * @param example how to write it
     */
    public Key<T> required(String example) {
        required = example;
        return this;
    }

    /**
     * The setting of this name accepts a pin at run time.
     *
     * @param where in which flows, for people; empty for all that have the setting
     */
    public Key<T> pinnable(String where) {
        pinnable = where;
        return this;
    }

    /**
     * A key beside which this one is not valid. A key that is false by default may be false there.
     *
     * @param what what is wrong with this key there
     * @param remedy what to do; {@code %s} is the other value as written
     */
    public Key<T> excludes(Key<?> other, String what, String remedy) {
        exclusions.add(new Exclusion(other, what, remedy));
        return this;
    }

    /** A key that this one excludes, and the error for both. */
    record Exclusion(Key<?> other, String what, String remedy) {}

    List<Exclusion> exclusions() {
        return exclusions;
    }

    /** Whether a value takes part in exclusions. */
    boolean isOn(ConfigValue value) {
        return !isSwitch() || value.is("true");
    }

    private boolean isSwitch() {
        return Boolean.FALSE.equals(fallback);
    }

    /** A JSON Schema of each exclusion. */
    List<Map<String, Object>> exclusionsJson() {
        Object excluded = isSwitch() ? Map.of("not", Map.of("enum", List.of(true, "true"))) : false;
        return exclusions.stream()
                .<Map<String, Object>>map(exclusion -> Map.of(
                        "if", Map.of("required", List.of(exclusion.other.name)),
                        "then", Map.of("properties", Map.of(name, excluded))))
                .toList();
    }

    /**
     * The value of the key as a setting of a flow, with the declared range.
     *
     * @param prefix of its name
     * @param reason why it has this value
     * @param since when it was set
     */
    public Setting setting(String prefix, String value, String reason, Instant since, Configured<?> origin) {
        return new Setting(prefix + name, value, type.range(), reason, since, origin.origin());
    }

    public String name() {
        return name;
    }

    public KeyType<T> type() {
        return type;
    }

    public String help() {
        return help;
    }

    public List<String> aliases() {
        return aliases;
    }

    /** The name in an earlier version; null for none. */
    public @Nullable String former() {
        return former;
    }

    /** What applies without the key, for people; empty for a required key. */
    public String whenAbsent() {
        return without;
    }

    public boolean isAuto() {
        return auto;
    }

    /** Where the setting of this name accepts a pin at run time, empty for everywhere; null if it accepts none. */
    public @Nullable String pinnable() {
        return pinnable;
    }

    public boolean isRequired() {
        return required != null;
    }

    /** How to write a required key. */
    public String example() {
        return Objects.requireNonNull(required, name);
    }

    /** The default. */
    public T fallback() {
        return Objects.requireNonNull(fallback, name);
    }
}
