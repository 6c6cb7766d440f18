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
 * The parameter values of a statement, by name. Immutable; each method returns a changed copy.
 *
 * <pre>{@code
 * JdbcRequest.of("id", "p-1").with("amount", new BigDecimal("9.99"))
 * }</pre>
 *
 * <p>As a {@link Keyed} request, its key for a name is the value of that name as text, so that {@code
 * Retry.byKey("id")} works, or else the text given to {@link #named}. It is {@link ReadOnly} only if {@link #reading}
 * was called: otherwise the target decides by its statement.
 */
public final class JdbcRequest implements Keyed, ReadOnly {
    /** The range of PostgreSQL's numeric, which no other supported database exceeds before the decimal point. */
    private static final int MAX_DIGITS = 131_072;

    private static final int MAX_DECIMALS = 16_383;

    private final Map<String, @Nullable Object> values;
    private final Map<String, String> names;
    private final boolean reading;

    private JdbcRequest(Map<String, @Nullable Object> values, Map<String, String> names, boolean reading) {
        this.values = values;
        this.names = names;
        this.reading = reading;
    }

    /** Without values. */
    public static JdbcRequest empty() {
        return new JdbcRequest(Map.of(), Map.of(), false);
    }

    /**
     * With one value.
     *
     * @throws IllegalArgumentException as for {@link #with}
     */
    public static JdbcRequest of(String name, @Nullable Object value) {
        return empty().with(name, value);
    }

    /**
     * With values by name.
     *
     * @throws IllegalArgumentException as for {@link #with}
     */
    public static JdbcRequest of(Map<String, ? extends @Nullable Object> values) {
        Map<String, @Nullable Object> copy = new LinkedHashMap<>();
        values.forEach((name, value) -> copy.put(name, checked(name, value)));
        return new JdbcRequest(copy, Map.of(), false);
    }

    /**
     * Adds or replaces a value.
     *
     * @param name the name of the parameter, without its colon
     * @param value a string, number, boolean, {@link UUID}, {@code java.time} value, {@link JsonText} or null
     * @throws IllegalArgumentException when the value has another type, is a number with more than 131,072 digits before
     *     the decimal point or 16,383 after it, or a string that is not valid Unicode (a surrogate without its other
     *     half): no database stores these as given
     */
    public JdbcRequest with(String name, @Nullable Object value) {
        Map<String, @Nullable Object> copy = new LinkedHashMap<>(values);
        copy.put(name, checked(name, value));
        return new JdbcRequest(copy, names, reading);
    }

    /**
     * Adds a key that is not a parameter of the statement, such as an idempotency key from a header.
     *
     * @param name the kind of key, such as the name of the header
     * @param value the key of this request
     * @throws IllegalArgumentException when the key is not valid Unicode
     */
    public JdbcRequest named(String name, String value) {
        Map<String, String> copy = new LinkedHashMap<>(names);
        copy.put(name, valid(name, value));
        return new JdbcRequest(values, copy, reading);
    }

    /** Declares the request read-only, whatever its statement looks like. */
    public JdbcRequest reading() {
        return new JdbcRequest(values, names, true);
    }

    private static @Nullable Object checked(String name, @Nullable Object value) {
        return switch (value) {
            case null -> null;
            case Integer small -> Long.valueOf(small);
            case Short small -> Long.valueOf(small);
            case Byte small -> Long.valueOf(small);
            case BigInteger large -> bounded(name, new BigDecimal(large));
            case BigDecimal number -> bounded(name, number);
            case Instant instant -> instant.atOffset(ZoneOffset.UTC);
            case String text -> valid(name, text);
            case JsonText(String text) -> {
                valid(name, text);
                yield value;
            }
            case Number _, Boolean _, UUID _, Temporal _ -> value;
            default ->
                throw new IllegalArgumentException("parameter " + name + " has the unsupported type "
                        + value.getClass().getName()
                        + "; use a string, number, boolean, UUID, java.time value, JsonText or null");
        };
    }

    /** Bounds the exponent, because drivers write all digits, or drop those that do not fit. */
    private static BigDecimal bounded(String name, BigDecimal number) {
        long digits = Math.max(0, (long) number.precision() - number.scale());
        int decimals = Math.max(0, number.scale());
        if (digits > MAX_DIGITS || decimals > MAX_DECIMALS) {
            throw new IllegalArgumentException(
                    "parameter %s is a number with %d digits before the decimal point and %d after it; at most %d and %d can be stored"
                            .formatted(name, digits, decimals, MAX_DIGITS, MAX_DECIMALS));
        }
        return number;
    }

    /** A lone surrogate has no UTF-8 form, so drivers replace it by a question mark. */
    private static String valid(String name, String text) {
        for (int at = 0; at < text.length(); at += Character.charCount(text.codePointAt(at))) {
            int code = text.codePointAt(at);
            if (code >= Character.MIN_SURROGATE && code <= Character.MAX_SURROGATE) {
                throw new IllegalArgumentException(
                        "parameter %s is not valid Unicode: its character %d is half of a surrogate pair"
                                .formatted(name, at + 1));
            }
        }
        return text;
    }

    /** Whether there is a value of that name, including null. */
    public boolean has(String name) {
        return values.containsKey(name);
    }

    /** The value of that name; null when it is null or missing. */
    public @Nullable Object value(String name) {
        return values.get(name);
    }

    /** The names of all values. */
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

    /** Only the names: the values may be secrets. */
    @Override
    public String toString() {
        return "parameters " + values.keySet();
    }
}
