package dev.penstock.http;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A path, and a query if there is one, with places that header fields of a call fill in: {@code
 * /v1/payments/{Idempotency-Key}}. A value can fill its place only: whatever would end it, a slash or a question mark, is
 * percent-encoded.
 *
 * @param literals what stands between the places, before the first and after the last
 * @param names the names of the header fields, one fewer
 */
record ReferencePath(List<String> literals, List<String> names) {
    private static final Pattern PLACE = Pattern.compile("\\{([^{}]*)}");

    /**
     * Reads a template.
     *
     * @throws IllegalArgumentException with one line that says what to write
     */
    static ReferencePath of(String template) {
        List<String> literals = new ArrayList<>();
        List<String> names = new ArrayList<>();
        Matcher place = PLACE.matcher(template);
        int end = 0;
        while (place.find()) {
            if (!Header.isToken(place.group(1))) {
                throw wrong(template, "has a place that names no header");
            }
            literals.add(template.substring(end, place.start()));
            names.add(place.group(1));
            end = place.end();
        }
        literals.add(template.substring(end));
        if (literals.stream().anyMatch(text -> text.indexOf('{') >= 0 || text.indexOf('}') >= 0)) {
            throw wrong(template, "has a brace without its other half");
        }
        if (names.isEmpty()) {
            throw wrong(template, "has no place for the reference, so all would be asked the same");
        }
        HttpCall.get(PLACE.matcher(template).replaceAll("x"));
        return new ReferencePath(List.copyOf(literals), List.copyOf(names));
    }

    private static IllegalArgumentException wrong(String template, String what) {
        return new IllegalArgumentException(
                "the status path " + template + " " + what + ": write it like /v1/payments/{Idempotency-Key}");
    }

    /** The path for a call; null when it lacks a header field, or has one that would lead elsewhere, such as two dots. */
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
        return HttpCall.hasDotSegment(path.toString()) ? null : path.toString();
    }

    /** Everything but unreserved characters (RFC 3986 section 2.3), as the bytes that the field has on the wire. */
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

    /** The template without its query, which may hold a secret. */
    String shown() {
        StringBuilder path = new StringBuilder(literals.getFirst());
        for (int i = 0; i < names.size(); i++) {
            path.append('{').append(names.get(i)).append('}').append(literals.get(i + 1));
        }
        return HttpCall.pathOnly(path.toString());
    }
}
