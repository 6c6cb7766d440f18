package dev.penstock.http;

import org.jspecify.annotations.Nullable;

/** How paths lie under one another. */
final class Paths {
    private Paths() {}

    /**
     * What follows a prefix, whole segments only: empty or beginning with a slash; null when the path is not under it.
     */
    static @Nullable String rest(String path, String prefix) {
        String base = prefix.endsWith("/") ? prefix.substring(0, prefix.length() - 1) : prefix;
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
        try {
            return HttpCall.get(path).path();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("path " + path + " cannot be served: " + e.getMessage(), e);
        }
    }
}
