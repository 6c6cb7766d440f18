package dev.penstock.migrate;

import dev.penstock.gateway.config.FileLocation;
import dev.penstock.gateway.config.Quoted;

/**
 * One named value of an old file, whatever its format: the nesting of XML and YAML is part of the name.
 *
 * @param location location of the name
 * @param condition without which it does not apply, for instance {@code profile test}; empty for always
 */
record PropertyLine(String name, String value, FileLocation location, String condition) {
    PropertyLine(String name, String value, FileLocation location) {
        this(name, value, location, "");
    }

    private static final int MAX_NAME = 200;

    /** The name and where it is, for comments. */
    String named() {
        return named(name);
    }

    /** As {@link #named()}, by another name. */
    String named(String shown) {
        String whole = Quoted.whole(shown);
        String cut = whole.length() > MAX_NAME ? whole.substring(0, MAX_NAME) + "..." : whole;
        return cut + " (line " + location.line() + ")";
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
