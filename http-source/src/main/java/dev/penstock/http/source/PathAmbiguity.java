package dev.penstock.http.source;

import dev.penstock.http.internal.NormalPath;
import dev.penstock.http.internal.Paths;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Detects paths that a server behind the gateway could interpret as the path of another flow. Such a path must not bypass that
 * flow, which may have stricter guarantees.
 *
 * <h2>Design note</h2>
 *
 * <p>Servers transform a path before they look up its resource: they decode escapes, even twice, in overlong UTF-8 or in the
 * form {@code %u0070}; remove the parameters of a segment (matrix URIs, session ids), before or after decoding; treat a
 * backslash as a slash; merge slashes; ignore case, and spaces and dots at the end of a segment; remove an extension, as in
 * {@code payments.json}. The steps and their order differ between servers, so all interpretations that these steps lead to are
 * checked. Dot segments are refused before, and checked again in every interpretation.
 */
final class PathAmbiguity {
    /** A path with more interpretations is refused: only a crafted path has so many. */
    private static final int MAX_READINGS = 64;

    private static final Pattern PARAMETERS = Pattern.compile(";[^/]*");
    private static final Pattern IGNORED = Pattern.compile("[\\x00-\\x20\\x7f\\xa0]");
    private static final Pattern END = Pattern.compile("[?#\\x00].*", Pattern.DOTALL);
    private static final Pattern SLASHES = Pattern.compile("/+");

    /** The segments of each path, in lower case. */
    private final List<List<String>> others;

    /**
     * Checks against other paths.
     *
     * @param others paths of other flows, in normal form
     */
    PathAmbiguity(List<String> others) {
        this.others = others.stream().map(PathAmbiguity::segments).toList();
    }

    private static List<String> segments(String path) {
        return Arrays.stream(SLASHES.split(path.toLowerCase(Locale.ROOT)))
                .filter(segment -> !segment.isEmpty())
                .toList();
    }

    /** Whether a path in normal form could be interpreted as one under any of the other paths. */
    boolean isAmbiguous(String path) {
        if (others.isEmpty()) {
            return false;
        }
        Set<String> readings = new HashSet<>();
        Deque<String> toRead = new ArrayDeque<>();
        toRead.add(path);
        while (!toRead.isEmpty()) {
            String reading = toRead.remove();
            if (!readings.add(reading)) {
                continue;
            }
            if (readings.size() > MAX_READINGS || matchesOther(reading)) {
                return true;
            }
            if (reading.indexOf('%') >= 0) {
                toRead.add(decoded(reading));
            }
            if (reading.indexOf(';') >= 0) {
                toRead.add(PARAMETERS.matcher(reading).replaceAll(""));
            }
            if (reading.indexOf('\\') >= 0) {
                toRead.add(reading.replace('\\', '/'));
            }
        }
        return false;
    }

    private boolean matchesOther(String reading) {
        String plain = IGNORED.matcher(END.matcher(reading).replaceFirst("")).replaceAll("");
        if (Paths.hasDotSegment(plain)) {
            return true;
        }
        List<String> segments = segments(plain);
        for (List<String> other : others) {
            if (isUnder(segments, other)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isUnder(List<String> path, List<String> other) {
        if (path.size() < other.size()) {
            return false;
        }
        for (int i = 0; i < other.size(); i++) {
            boolean last = i == other.size() - 1 && i == path.size() - 1;
            if (!isSame(path.get(i), other.get(i), last)) {
                return false;
            }
        }
        return true;
    }

    /** Whether a segment equals another apart from trailing dots or, for the last segment, an extension. */
    private static boolean isSame(String segment, String other, boolean last) {
        if (!segment.startsWith(other)) {
            return false;
        }
        for (int i = other.length(); i < segment.length(); i++) {
            if (segment.charAt(i) != '.') {
                return last && i > other.length();
            }
        }
        return true;
    }

    /** Decodes every escape once, one character per byte, except for overlong UTF-8. */
    private static String decoded(String path) {
        StringBuilder decoded = new StringBuilder(path.length());
        int at = 0;
        while (at < path.length()) {
            int value = path.charAt(at) == '%' ? NormalPath.value(path, at) : -1;
            if (value == 0xC0 || value == 0xC1) {
                int next = at + 3 < path.length() && path.charAt(at + 3) == '%' ? NormalPath.value(path, at + 3) : -1;
                if (next >= 0x80 && next < 0xC0) {
                    decoded.append((char) (((value & 1) << 6) | (next & 0x3F)));
                    at += 6;
                    continue;
                }
            }
            if (value < 0 && path.startsWith("%u00", at)) {
                value = NormalPath.value(path, at + 3);
                at += value < 0 ? 0 : 3;
            }
            decoded.append(value < 0 ? path.charAt(at) : (char) value);
            at += value < 0 ? 1 : 3;
        }
        return decoded.toString();
    }
}
