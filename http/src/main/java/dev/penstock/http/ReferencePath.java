package dev.penstock.http;

import dev.penstock.http.header.Header;
import dev.penstock.http.internal.Paths;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A path template, possibly with a query, whose placeholders are filled with header fields of a call: {@code
 * /v1/payments/{Idempotency-Key}}. Values cannot change the structure of the path: slashes and question marks
 * are percent-encoded.
 *
 * @param literals the text before, between and after the placeholders
 * @param names the header names of the placeholders, one fewer than the literals
 */
record ReferencePath(List<String> literals, List<String> names) {
    private static final Pattern PLACEHOLDER = Pattern.compile("\\{([^{}]*)}");

    /**
     * Parses a template.
     *
     * @throws IllegalArgumentException if it is invalid; the message, one line, says what to write
     */
    static ReferencePath of(String template) {
        List<String> literals = new ArrayList<>();
        List<String> names = new ArrayList<>();
        Matcher place = PLACEHOLDER.matcher(template);
        int end = 0;
        while (place.find()) {
            if (!Header.isToken(place.group(1))) {
                throw wrong(template, "has a placeholder that is not a header name");
            }
            literals.add(template.substring(end, place.start()));
            names.add(place.group(1));
            end = place.end();
        }
        literals.add(template.substring(end));
        if (literals.stream().anyMatch(text -> text.indexOf('{') >= 0 || text.indexOf('}') >= 0)) {
            throw wrong(template, "has an unmatched brace");
        }
        if (names.isEmpty()) {
            throw wrong(template, "has no placeholder, so it would be the same for all transactions");
        }
        HttpCall.get(PLACEHOLDER.matcher(template).replaceAll("x"));
        return new ReferencePath(List.copyOf(literals), List.copyOf(names));
    }

    private static IllegalArgumentException wrong(String template, String what) {
        return new IllegalArgumentException(
                "the status path " + template + " " + what + ": write it like /v1/payments/{Idempotency-Key}");
    }

    /** The path for a call; null if it lacks a header field, or if a value would create a dot segment. */
    @Nullable
    String filled(HttpCall call) {
        StringBuilder path = new StringBuilder(literals.getFirst());
        for (int i = 0; i < names.size(); i++) {
            String value = call.key(names.get(i));
            if (value == null) {
                return null;
            }
            encode(value, path);
            path.append(literals.get(i + 1));
        }
        return Paths.hasDotSegment(path.toString()) ? null : path.toString();
    }

    /** Percent-encodes the Latin-1 bytes of the value, except unreserved characters (RFC 3986 section 2.3). */
    private static void encode(String value, StringBuilder to) {
        for (byte b : value.getBytes(StandardCharsets.ISO_8859_1)) {
            char c = (char) (b & 0xFF);
            boolean plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
            if (plain || "-._~".indexOf(c) >= 0) {
                to.append(c);
            } else {
                to.append(String.format("%%%02X", (int) c));
            }
        }
    }

    /** The template without its query, which may contain a secret. */
    String shown() {
        StringBuilder path = new StringBuilder(literals.getFirst());
        for (int i = 0; i < names.size(); i++) {
            path.append('{').append(names.get(i)).append('}').append(literals.get(i + 1));
        }
        return Paths.withoutQuery(path.toString());
    }
}
