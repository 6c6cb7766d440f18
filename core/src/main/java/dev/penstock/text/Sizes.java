package dev.penstock.text;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Parses and formats sizes: {@code 512B}, {@code 64KB}, {@code 1MB}, {@code 2GB}. Units are powers of 1024, so 64KB is
 * 65,536 bytes.
 */
public final class Sizes {
    private static final Pattern WRITTEN = Pattern.compile("(\\d{1,9})(B|KB|MB|GB)");
    private static final long KB = 1024;
    private static final long MB = 1024 * KB;
    private static final long GB = 1024 * MB;

    private Sizes() {}

    /** Parses a size into bytes; null when the text is not a size. */
    public static @Nullable Long parse(String text) {
        Matcher written = WRITTEN.matcher(text);
        return written.matches() ? Long.parseLong(written.group(1)) * unit(written.group(2)) : null;
    }

    private static long unit(String name) {
        return switch (name) {
            case "KB" -> KB;
            case "MB" -> MB;
            case "GB" -> GB;
            default -> 1;
        };
    }

    /** Formats a size in the largest unit that leaves no fraction, for instance {@code 64KB}. */
    public static String format(long bytes) {
        for (String name : new String[] {"GB", "MB", "KB"}) {
            if (bytes >= unit(name) && bytes % unit(name) == 0) {
                return bytes / unit(name) + name;
            }
        }
        return bytes + "B";
    }
}
