package dev.penstock.jms;

import java.util.Set;
import java.util.regex.Pattern;

/** The rules for message properties, from section 3.5 of JMS 3.1. */
final class JmsProperties {
    private static final Pattern NAME =
            Pattern.compile("[\\p{L}_$][\\p{L}\\p{N}_$&&\\p{javaJavaIdentifierPart}]{0,254}");

    /** Clients reject these only in upper case (section 3.8.1.1). */
    private static final Set<String> RESERVED =
            Set.of("NULL", "TRUE", "FALSE", "NOT", "AND", "OR", "BETWEEN", "LIKE", "IN", "IS", "ESCAPE");

    private JmsProperties() {}

    static void check(String name, Object value) {
        if (!isName(name)) {
            throw new IllegalArgumentException(
                    "invalid property name '" + name + "': use a letter, _ or $, then letters, digits, _ and $, at most"
                            + " 255 characters, and no reserved word of selectors such as NOT");
        }
        if (!isValue(value)) {
            throw new IllegalArgumentException("property " + name + " must be a string, number or boolean, but is a "
                    + value.getClass().getName());
        }
    }

    /** Clients check char by char, so they accept no letter that is a surrogate pair. */
    static boolean isName(String name) {
        return NAME.matcher(name).matches()
                && name.chars().noneMatch(c -> Character.isSurrogate((char) c))
                && !RESERVED.contains(name);
    }

    static boolean isValue(Object value) {
        return value instanceof String
                || value instanceof Boolean
                || value instanceof Byte
                || value instanceof Short
                || value instanceof Integer
                || value instanceof Long
                || value instanceof Float
                || value instanceof Double;
    }
}
