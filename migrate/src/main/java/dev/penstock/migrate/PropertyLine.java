package dev.penstock.migrate;

import dev.penstock.gateway.config.FileLocation;
import dev.penstock.gateway.config.Quoted;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One named value of an old file, whatever its format: the nesting of XML and YAML is part of the name.
 *
 * @param location location of the name
 * @param condition without which it does not apply, for instance {@code profile test}; empty for always
 */
record PropertyLine(String name, String value, FileLocation location, String condition) {
    private static final int MAX_NAME = 200;

    /** A placeholder within the default of another one: everything before its own default, if it has one. */
    private static final Pattern NESTED = Pattern.compile("(\\$\\{[^:{}$]+:[^{}$]*)\\$\\{[^:{}$]+(?::([^{}$]*))?}");

    /** In place of a nested placeholder without a default. */
    private static final String NO_DEFAULT = "\0";

    private static final Pattern WITHOUT_DEFAULT = Pattern.compile("(\\$\\{[^:{}$]+):[^{}$\0]*\0[^{}$]*}");
    private static final Pattern DEFAULT = Pattern.compile("\\$\\{[^:{}$]+:([^{}$]*)}");

    PropertyLine(String name, String value, FileLocation location) {
        this(name, value, location, "");
    }

    /**
     * The value. Placeholders of a flow file are not nested, so a nested one is replaced by its default:
     * {@code ${A:${B:1}}} is {@code ${A:1}}, and {@code ${A:${B}}} is {@code ${A}}.
     */
    @Override
    public String value() {
        String flat = value;
        for (Matcher nested = NESTED.matcher(flat); nested.find(); nested = NESTED.matcher(flat)) {
            String inner = nested.group(2) == null ? NO_DEFAULT : nested.group(2);
            flat = flat.substring(0, nested.start()) + nested.group(1) + inner + flat.substring(nested.end());
        }
        return WITHOUT_DEFAULT.matcher(flat).replaceAll("$1}");
    }

    /** The value with the default of each placeholder in its place; one without a default stays. */
    String filled() {
        return DEFAULT.matcher(value().strip())
                .replaceAll(found -> Matcher.quoteReplacement(found.group(1)))
                .strip();
    }

    /** A copy with a condition. */
    PropertyLine under(String otherCondition) {
        return new PropertyLine(name, value, location, otherCondition);
    }

    /** A copy with another value. */
    PropertyLine with(String otherValue) {
        return new PropertyLine(name, otherValue, location, condition);
    }

    /** The name and where it is, for comments. */
    String named() {
        return named(name);
    }

    /** As {@link #named()}, by another name. */
    String named(String shown) {
        String whole = Quoted.whole(shown);
        String cut = whole.length() > MAX_NAME ? whole.substring(0, MAX_NAME) + "..." : whole;
        return cut + " (line " + location.line()
                + (value().equals(value) ? ")" : "; a flow file reads only the outer one of nested placeholders)");
    }

    /** Name, value and where it is, for comments. */
    String shown() {
        return named(name + "=" + Quoted.plain(value.strip()));
    }

    /** Whether the value is a placeholder, which is filled in elsewhere. */
    boolean hasPlaceholder() {
        return value.contains("${");
    }

    /**
     * The name as it may be shown although no client knows it. In a damaged file, a name may be part of a secret: one
     * without a value is not shown.
     */
    String namedIfPlain() {
        boolean plain = name.matches("[A-Za-z][\\w.\\[\\]-]*")
                && !value.replace("=", "").isBlank();
        return plain ? named() : "line " + location.line();
    }

    /** Omits the value, which may be a secret. */
    @Override
    public String toString() {
        return name + " in line " + location.line();
    }
}
