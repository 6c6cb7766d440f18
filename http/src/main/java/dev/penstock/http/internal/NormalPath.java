package dev.penstock.http.internal;

import org.jspecify.annotations.Nullable;

/**
 * Normalizes paths for matching and forwarding (RFC 3986 section 6.2.2): escapes of unreserved characters are decoded; other
 * escapes are data, stay, and get upper-case digits.
 */
public final class NormalPath {
    private static final String HEX = "0123456789ABCDEF";

    private NormalPath() {}

    /**
     * Returns the normal form of a path.
     *
     * @throws IllegalArgumentException if servers interpret the path differently, because it has a backslash, an invalid
     *     escape, or an escaped NUL; the message is a sentence for the client
     */
    public static String of(String path) {
        if (path.indexOf('\\') >= 0) {
            throw new IllegalArgumentException("The path has a backslash: write a slash, or its escape if it is data.");
        }
        int escape = path.indexOf('%');
        if (escape < 0) {
            return path;
        }
        StringBuilder normal = new StringBuilder(path.length());
        int copied = 0;
        while (escape >= 0) {
            int value = value(path, escape);
            if (value < 0) {
                throw new IllegalArgumentException(
                        "The path has a percent sign without two hexadecimal digits after it: write %25 for a percent sign.");
            }
            if (value == 0) {
                throw new IllegalArgumentException("The path has an escaped NUL, which some servers treat as its end.");
            }
            normal.append(path, copied, escape);
            if (isUnreserved(value)) {
                normal.append((char) value);
            } else {
                normal.append('%').append(HEX.charAt(value >> 4)).append(HEX.charAt(value & 15));
            }
            copied = escape + 3;
            escape = path.indexOf('%', copied);
        }
        return normal.append(path, copied, path.length()).toString();
    }

    /** The byte value of the escape at an index; -1 if it is not a valid escape. */
    public static int value(String path, int escape) {
        if (escape + 2 >= path.length()) {
            return -1;
        }
        int high = digit(path.charAt(escape + 1));
        int low = digit(path.charAt(escape + 2));
        return high < 0 || low < 0 ? -1 : (high << 4) | low;
    }

    private static int digit(char c) {
        return c < 0x80 ? Character.digit(c, 16) : -1;
    }

    private static boolean isUnreserved(int c) {
        boolean plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        return plain || c == '-' || c == '.' || c == '_' || c == '~';
    }

    /**
     * Matches a path against a prefix of whole segments; returns the path with the prefix as written, or null if it does not
     * match. Repeated slashes count as one within the prefix, and are kept after it.
     */
    public static @Nullable String under(String path, String prefix) {
        int length = prefix.endsWith("/") ? prefix.length() - 1 : prefix.length();
        int at = 0;
        for (int i = 0; i < length; i++) {
            char wanted = prefix.charAt(i);
            if (at == path.length() || path.charAt(at) != wanted) {
                return null;
            }
            at++;
            while (wanted == '/' && at < path.length() && path.charAt(at) == '/') {
                at++;
            }
        }
        if (at < path.length() && path.charAt(at) != '/') {
            return null;
        }
        return at == length ? path : prefix.substring(0, length) + path.substring(at);
    }
}
