package dev.penstock.gateway.transport;

import dev.penstock.Keyed;
import dev.penstock.Prioritized;
import java.util.function.ToIntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the urgency of a request from a header: a {@code Priority} value of RFC 9218 ({@code u=1}, {@code u=5, i}), or
 * a plain number. A missing, invalid or out-of-range value counts as {@value Prioritized#DEFAULT_URGENCY}, as section 4
 * of that RFC requires.
 *
 * @param header the header name
 */
public record HeaderUrgency(String header) implements ToIntFunction<Object> {
    private static final Pattern NUMBER = Pattern.compile("[ \\t]*([0-7])[ \\t]*");

    /** The member {@code u} of a dictionary (RFC 8941 section 3.2), which may be followed by parameters. */
    private static final Pattern MEMBER = Pattern.compile("(?:^|,)[ \\t]*u=([0-7])(?=[ \\t]*(?:[,;]|$))");

    private static final int MAX_LENGTH = 256;

    @Override
    public int applyAsInt(Object request) {
        String value = request instanceof Keyed keyed ? keyed.key(header) : null;
        return value == null ? Prioritized.DEFAULT_URGENCY : of(value);
    }

    /** The urgency in a value of the header. */
    public static int of(String value) {
        if (value.length() > MAX_LENGTH) {
            return Prioritized.DEFAULT_URGENCY;
        }
        Matcher number = NUMBER.matcher(value);
        if (number.matches()) {
            return Integer.parseInt(number.group(1));
        }
        Matcher member = MEMBER.matcher(value);
        int urgency = Prioritized.DEFAULT_URGENCY;
        // Of duplicate keys, the last counts (RFC 8941 section 4.2.2).
        while (member.find()) {
            urgency = Integer.parseInt(member.group(1));
        }
        return urgency;
    }
}
