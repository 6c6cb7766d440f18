package dev.penstock.jms;

import java.util.regex.Pattern;

/** What JMS 3.1 section 3.5 lets be a property. */
final class Properties {
    private static final Pattern NAME = Pattern.compile("[\\p{L}_$][\\p{L}\\p{N}_$]{0,254}");

    private Properties() {}

    static void check(String name, Object value) {
        if (!isName(name)) {
            throw new IllegalArgumentException(
                    "a property's name is a letter, _ or $, then letters, digits, _ and $, at most"
                            + " 255 in all, not '" + name + "'");
        }
        if (!isValue(value)) {
            throw new IllegalArgumentException("property " + name + " is text, a number or a truth value, not "
                    + value.getClass().getName());
        }
    }

    static boolean isName(String name) {
        return NAME.matcher(name).matches();
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
