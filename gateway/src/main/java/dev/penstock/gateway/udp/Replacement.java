package dev.penstock.gateway.udp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.penstock.udp.ByteReplacement;
import dev.penstock.udp.DatagramHandler;
import java.nio.BufferOverflowException;
import java.util.List;

/** Find and replace in a body. Thread-safe. */
@FunctionalInterface
interface Replacement {
    /** A reference to a group: $ and a digit, or a name in braces. */
    java.util.regex.Pattern GROUP = java.util.regex.Pattern.compile("(?<!\\\\)\\$(?:(\\d)|\\{(\\w+)})");

    /**
     * Replaces all occurrences.
     *
     * @throws IllegalArgumentException the result would be too large
     */
    byte[] in(byte[] body);

    /** A text, found as its bytes in UTF-8. */
    static Replacement text(String find, String with) {
        ByteReplacement bytes = ByteReplacement.bytes(find.getBytes(UTF_8), with.getBytes(UTF_8));
        return new Replacement() {
            @Override
            public byte[] in(byte[] body) {
                return bytes.in(body);
            }

            // Without a copy.
            @Override
            public DatagramHandler inline() {
                return bytes;
            }
        };
    }

    /**
     * A regular expression of RE2 (Russ Cox, Regular Expression Matching in the Wild, 2010), matched in time linear in the
     * length of the body, so that no body can stop the gateway. It matches bytes: no body is changed elsewhere, whatever
     * its encoding.
     *
     * @throws IllegalArgumentException RE2 does not support the expression, it has characters beyond ASCII, or the replacement
     *     names a group that is missing
     */
    static Replacement regex(String find, String with) {
        if (find.chars().anyMatch(c -> c > 0x7F)) {
            throw new IllegalArgumentException(
                    "it matches bytes: write characters beyond ASCII as bytes of UTF-8, such as \\xC3\\xA9");
        }
        Pattern pattern = compiled(find);
        java.util.regex.Matcher group = GROUP.matcher(with);
        while (group.find()) {
            boolean isThere = group.group(1) == null
                    ? pattern.namedGroups().containsKey(group.group(2))
                    : Integer.parseInt(group.group(1)) <= pattern.groupCount();
            if (!isThere) {
                throw new IllegalArgumentException("it has no group for " + group.group());
            }
        }
        String bytes = new String(with.getBytes(UTF_8), ISO_8859_1);
        return body -> {
            Matcher matcher = pattern.matcher(new String(body, ISO_8859_1));
            return matcher.find() ? matcher.replaceAll(bytes).getBytes(ISO_8859_1) : body;
        };
    }

    private static Pattern compiled(String find) {
        try {
            return Pattern.compile(find);
        } catch (PatternSyntaxException wrong) {
            throw new IllegalArgumentException(wrong.getDescription(), wrong);
        }
    }

    /** One after the other. */
    static Replacement all(List<Replacement> steps) {
        return body -> {
            byte[] replaced = body;
            for (Replacement step : steps) {
                replaced = step.in(replaced);
            }
            return replaced;
        };
    }

    /** For the thread that reads datagrams. */
    default DatagramHandler inline() {
        return (request, answer) -> {
            byte[] body = new byte[request.remaining()];
            request.get(body);
            byte[] replaced = in(body);
            if (replaced.length > answer.capacity()) {
                throw new BufferOverflowException();
            }
            answer.put(replaced);
            return true;
        };
    }
}
