package dev.penstock.http;

import org.jspecify.annotations.Nullable;

/** How paths lie under one another. */
final class Paths {
    private Paths() {}

    /**
     * What follows a prefix, whole segments only: empty or beginning with a slash; null when the path is not under it.
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
     * Checks the path of a flow.
     *
     * @throws IllegalArgumentException with one line that says what to write
     */
    static String checked(String path) {
        if (path.indexOf('?') >= 0) {
            throw new IllegalArgumentException("path " + path + " has a query: write the path alone");
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
                    + " cannot be served: requests are matched in their normal" + " form, so write it as " + normal);
        }
        return path;
    }

    /** The form of the path of a flow that requests are matched against; throws as {@link NormalPath#of} does. */
    static String normal(String path) {
        return NormalPath.of(path).replaceAll("//+", "/");
    }

    /** Whether both cover the same requests: a slash at the end makes no difference. */
    static boolean areSame(String one, String other) {
        return withoutEnd(one).equals(withoutEnd(other));
    }

    private static String withoutEnd(String path) {
        return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }
}
