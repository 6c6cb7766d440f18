package dev.penstock.http.internal;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Validation, prefixes and normal forms of paths. */
public final class Paths {
    /**
     * A dot segment, including obfuscated forms that some servers decode: percent-encoded (even repeatedly), delimited by
     * backslashes, or followed by parameters after a semicolon.
     */
    private static final Pattern DOT_SEGMENT = Pattern.compile(
            "(?i)(?:/|\\\\|%(?:25)*(?:2f|5c))(?:\\.|%(?:25)*2e){1,2}(?:/|\\\\|;|%(?:25)*(?:2f|5c|3b)|$)");

    private Paths() {}

    /**
     * Checks that a path, with or without a query, can be sent.
     *
     * @throws IllegalArgumentException it does not begin with a slash, has a character that must be percent-encoded, or has a
     *     dot segment
     */
    public static void check(String path) {
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException("the path must begin with a slash");
        }
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            if (c <= ' ' || c > '~' || c == '#') {
                throw new IllegalArgumentException(
                        "the path has " + (c == '#' ? "a #" : "a character that is not visible ASCII") + " at " + i
                                + ", which must be percent-encoded");
            }
        }
        if (hasDotSegment(path)) {
            throw new IllegalArgumentException("the path has a . or .. segment: write the resolved path");
        }
    }

    /** Whether a path has a dot segment, even an obfuscated one. */
    public static boolean hasDotSegment(String path) {
        boolean mayHaveDots = path.indexOf('.') >= 0 || path.indexOf('%') >= 0;
        return mayHaveDots && DOT_SEGMENT.matcher(withoutQuery(path)).find();
    }

    /** The part before the query. */
    public static String withoutQuery(String path) {
        int query = path.indexOf('?');
        return query < 0 ? path : path.substring(0, query);
    }

    /**
     * Returns the part of a path after a prefix of whole segments: empty, or beginning with a slash; null if the path does not
     * have the prefix.
     */
    public static @Nullable String rest(String path, String prefix) {
        String base = withoutEnd(prefix);
        if (!path.startsWith(base)) {
            return null;
        }
        String rest = path.substring(base.length());
        if (rest.equals("/") && prefix.endsWith("/")) {
            return "";
        }
        return rest.isEmpty() || rest.startsWith("/") ? rest : null;
    }

    /**
     * Validates the path of a flow.
     *
     * @throws IllegalArgumentException if it is invalid; the message, one line, says what to write
     */
    public static String checked(String path) {
        if (path.indexOf('?') >= 0) {
            throw new IllegalArgumentException("path " + path + " has a query: write only the path");
        }
        String normal;
        try {
            check(path);
            normal = normal(path);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("path " + path + " cannot be served: " + e.getMessage(), e);
        }
        if (!normal.equals(path)) {
            throw new IllegalArgumentException("path " + path
                    + " cannot be served: requests are matched in normal form, so write it as " + normal);
        }
        return path;
    }

    /** The normal form of a flow's path, which requests are matched against; throws the exceptions of {@link NormalPath#of}. */
    public static String normal(String path) {
        return NormalPath.of(path).replaceAll("//+", "/");
    }

    /** Whether both match the same requests; a trailing slash is ignored. */
    public static boolean areSame(String one, String other) {
        return withoutEnd(one).equals(withoutEnd(other));
    }

    private static String withoutEnd(String path) {
        return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }
}
