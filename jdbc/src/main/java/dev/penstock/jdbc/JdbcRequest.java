package dev.penstock.jdbc;

import dev.penstock.Keyed;
import dev.penstock.ReadOnly;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.Temporal;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The values for the parameters of a statement, by name. Immutable; each method gives a changed copy.
 *
 * <pre>{@code
 * JdbcRequest.of("id", "p-1").with("amount", new BigDecimal("9.99"))
 * }</pre>
 *
 * <p>As {@link Keyed}, it answers for each name with that value as text, so that {@code Retry.byKey("id")} works, and for
 * what it was {@linkplain #named named} besides. It is {@link ReadOnly} only where it was {@linkplain #reading told so}: what
 * a statement does, the target knows.
 */
public final class JdbcRequest implements Keyed, ReadOnly {
    private final Map<String, @Nullable Object> values;
    private final Map<String, String> names;
    private final boolean reading;

    private JdbcRequest(Map<String, @Nullable Object> values, Map<String, String> names, boolean reading) {
        this.values = values;
        this.names = names;
        this.reading = reading;
    }

    /** Without any values. */
    public static JdbcRequest empty() {
        return new JdbcRequest(Map.of(), Map.of(), false);
    }

    /**
     * With one value.
     *
     * @throws IllegalArgumentException as {@link #with} says
     */
    public static JdbcRequest of(String name, @Nullable Object value) {
        return empty().with(name, value);
    }

    /**
     * With values by name.
     *
     * @throws IllegalArgumentException as {@link #with} says
     */
    public static JdbcRequest of(Map<String, ? extends @Nullable Object> values) {
        Map<String, @Nullable Object> copy = new LinkedHashMap<>();
        values.forEach((name, value) -> copy.put(name, checked(name, value)));
        return new JdbcRequest(copy, Map.of(), false);
    }

    /**
     * With one more value, or another one of that name.
     *
     * @param name of the parameter, without its colon
     * @param value a string, number, boolean, {@link UUID}, time of {@code java.time}, {@link JsonText} or null
     * @throws IllegalArgumentException when the value is of another kind
     */
    public JdbcRequest with(String name, @Nullable Object value) {
        Map<String, @Nullable Object> copy = new LinkedHashMap<>(values);
        copy.put(name, checked(name, value));
        return new JdbcRequest(copy, names, reading);
    }

    /**
     * With a name that no statement asks for, such as an idempotency key that came in a header.
     *
     * @param name which kind of name
     * @param value of this request
     */
    public JdbcRequest named(String name, String value) {
        Map<String, String> copy = new LinkedHashMap<>(names);
        copy.put(name, value);
        return new JdbcRequest(values, copy, reading);
    }

    /** Known only to read, whatever its statement looks like. */
    public JdbcRequest reading() {
        return new JdbcRequest(values, names, true);
    }

    private static @Nullable Object checked(String name, @Nullable Object value) {
        return switch (value) {
            case null -> null;
            case Integer small -> Long.valueOf(small);
            case Short small -> Long.valueOf(small);
            case Byte small -> Long.valueOf(small);
            case BigInteger large -> new BigDecimal(large);
            case Instant instant -> instant.atOffset(ZoneOffset.UTC);
            case String _, Number _, Boolean _, UUID _, Temporal _, JsonText _ -> value;
            default ->
                throw new IllegalArgumentException(
                        "the parameter " + name + " is a " + value.getClass().getName()
                                + ": give a string, number, boolean, UUID, time, JsonText or null");
        };
    }

    /** Whether it has a value of that name, null included. */
    public boolean has(String name) {
        return values.containsKey(name);
    }

    /** The value of that name; null when it is null, and when there is none. */
    public @Nullable Object value(String name) {
        return values.get(name);
    }

    /** The names of its values. */
    public Set<String> valueNames() {
        return Collections.unmodifiableSet(values.keySet());
    }

    @Override
    public @Nullable String key(String name) {
        Object value = values.get(name);
        return value == null ? names.get(name) : value.toString();
    }

    @Override
    public boolean isReadOnly() {
        return reading;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof JdbcRequest that
                && values.equals(that.values)
                && names.equals(that.names)
                && reading == that.reading;
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    /** The names of its values alone: these may be secrets. */
    @Override
    public String toString() {
        return "parameters " + values.keySet();
    }
}
