package dev.penstock.jms;

import java.util.Set;
import java.util.regex.Pattern;

/** What JMS 3.1 section 3.5 lets be a property. */
final class JmsProperties {
    private static final Pattern NAME =
            Pattern.compile("[\\p{L}_$][\\p{L}\\p{N}_$&&\\p{javaJavaIdentifierPart}]{0,254}");

    /** The clients refuse them in capitals only (section 3.8.1.1). */
    private static final Set<String> RESERVED =
            Set.of("NULL", "TRUE", "FALSE", "NOT", "AND", "OR", "BETWEEN", "LIKE", "IN", "IS", "ESCAPE");

    private JmsProperties() {}

    static void check(String name, Object value) {
        if (!isName(name)) {
            throw new IllegalArgumentException(
                    "a property's name is a letter, _ or $, then letters, digits, _ and $, at most"
                            + " 255 in all, and no word of selectors such as NOT, not '" + name + "'");
        }
        if (!isValue(value)) {
            throw new IllegalArgumentException("property " + name + " is text, a number or a truth value, not "
                    + value.getClass().getName());
        }
    }

    static boolean isName(String name) {
        return NAME.matcher(name).matches() && !RESERVED.contains(name);
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
