package dev.penstock.http;

import org.jspecify.annotations.Nullable;

/**
 * The one form of a path in which it is matched and forwarded (RFC 3986 section 6.2.2): escapes of unreserved characters
 * are decoded, other escapes have capital letters. Escapes of other characters stay, as they are data.
 */
final class NormalPath {
    private static final String HEX = "0123456789ABCDEF";

    private NormalPath() {}

    /**
     * The normal form of a path.
     *
     * @throws IllegalArgumentException when servers read the path in different ways: it has a backslash, an escape that is
     *     none, or one of NUL; with a sentence for the client
     */
    static String of(String path) {
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
                        "The path has a percent sign without two hexadecimal digits behind it: write the escape of one.");
            }
            if (value == 0) {
                throw new IllegalArgumentException("The path has an escaped NUL, where some servers end it.");
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

    /** The byte that the escape at a place stands for; -1 when it is no escape. */
    static int value(String path, int escape) {
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
     * A path under a prefix of whole segments, with the prefix as it is written there; null when it is not under it. Several
     * slashes count as one within the prefix, and stay behind it.
     */
    static @Nullable String under(String path, String prefix) {
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
