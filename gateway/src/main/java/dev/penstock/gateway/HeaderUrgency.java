package dev.penstock.gateway;

import dev.penstock.Keyed;
import dev.penstock.Prioritized;
import java.util.function.ToIntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads from a header how urgent a request is: as RFC 9218 writes it in {@code Priority} ({@code u=1}, {@code u=5, i}), or
 * as a number alone. What is missing, out of range or cannot be read counts as {@value Prioritized#DEFAULT_URGENCY}, as
 * section 4 of that RFC asks for.
 *
 * @param header its name
 */
record HeaderUrgency(String header) implements ToIntFunction<Object> {
    private static final Pattern NUMBER = Pattern.compile("[ \\t]*([0-7])[ \\t]*");

    /** The member {@code u} of a dictionary (RFC 8941 section 3.2), which may have parameters behind it. */
    private static final Pattern MEMBER = Pattern.compile("(?:^|,)[ \\t]*u=([0-7])(?=[ \\t]*(?:[,;]|$))");

    private static final int LONGEST = 256;

    @Override
    public int applyAsInt(Object request) {
        String value = request instanceof Keyed keyed ? keyed.key(header) : null;
        return value == null || value.length() > LONGEST ? Prioritized.DEFAULT_URGENCY : urgency(value);
    }

    private static int urgency(String value) {
        Matcher number = NUMBER.matcher(value);
        if (number.matches()) {
            return Integer.parseInt(number.group(1));
        }
        Matcher member = MEMBER.matcher(value);
        int urgency = Prioritized.DEFAULT_URGENCY;
        // Of a key that is there twice, the last counts (RFC 8941 section 4.2.2).
        while (member.find()) {
            urgency = Integer.parseInt(member.group(1));
        }
        return urgency;
    }
}
