package dev.penstock.http;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Finds out whether a server behind the gateway may read a path as one that has another flow. A path that only some servers
 * read so must not get around that flow, since it may bear the stricter guarantees.
 *
 * <h2>Design note</h2>
 *
 * <p>What servers do to a path before they look for its resource: decode escapes, also twice, in overlong UTF-8 or in the form
 * {@code %u0070}; leave out the parameters of a segment (matrix URIs, session ids), before or after decoding; take a backslash
 * for a slash; take several slashes for one; ignore case, blanks and dots at the end of a segment; leave out an extension, as
 * in {@code payments.json}. No two servers do the same in the same order, so all readings that these steps lead to are looked
 * at. Dot segments are refused before, and looked for in every reading again.
 */
final class PathAmbiguity {
    /** A path with more readings than that is refused: only one made to deceive has so many. */
    private static final int MOST = 64;

    private static final Pattern PARAMETERS = Pattern.compile(";[^/]*");
    private static final Pattern IGNORED = Pattern.compile("[\\x00-\\x20\\x7f\\xa0]");
    private static final Pattern END = Pattern.compile("[?#\\x00].*", Pattern.DOTALL);
    private static final Pattern SLASHES = Pattern.compile("/+");

    /** Of each path the segments, in small letters. */
    private final List<List<String>> others;

    /**
     * Readings that lead to other paths.
     *
     * @param others in their normal form
     */
    PathAmbiguity(List<String> others) {
        this.others = others.stream().map(PathAmbiguity::segments).toList();
    }

    private static List<String> segments(String path) {
        return Arrays.stream(SLASHES.split(path.toLowerCase(Locale.ROOT)))
                .filter(segment -> !segment.isEmpty())
                .toList();
    }

    /** Whether a path in its normal form may be read as one under any of the others. */
    boolean mayLeadThere(String path) {
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
            if (readings.size() > MOST || leadsThere(reading)) {
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

    private boolean leadsThere(String reading) {
        String plain = IGNORED.matcher(END.matcher(reading).replaceFirst("")).replaceAll("");
        if (HttpCall.leadsElsewhere(plain)) {
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

    /** Whether a segment is another one but for dots at its end, or, as the last one, for an extension. */
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

    /** Every escape decoded once, to a character for each byte but in overlong UTF-8. */
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
