package dev.penstock.http;

import org.jspecify.annotations.Nullable;

/** Prefixes and normal forms of paths. */
final class Paths {
    private Paths() {}

    /**
     * Returns the part of a path after a prefix of whole segments: empty, or beginning with a slash; null if the path does not
     * have the prefix.
     */
    static @Nullable String rest(String path, String prefix) {
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
    static String checked(String path) {
        if (path.indexOf('?') >= 0) {
            throw new IllegalArgumentException("path " + path + " has a query: write only the path");
        }
        String normal;
        try {
            HttpCall.get(path);
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
    static String normal(String path) {
        return NormalPath.of(path).replaceAll("//+", "/");
    }

    /** Whether both match the same requests; a trailing slash is ignored. */
    static boolean areSame(String one, String other) {
        return withoutEnd(one).equals(withoutEnd(other));
    }

    private static String withoutEnd(String path) {
        return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }
}
