package dev.penstock.udp;

import java.util.Locale;

/** Formats byte counts for display. */
final class ByteFormat {
    private static final long KB = 1_024;
    private static final long MB = KB * KB;

    private ByteFormat() {}

    static String words(long bytes) {
        if (bytes >= 10 * MB || (bytes >= MB && bytes % MB == 0)) {
            return Math.round(bytes / (double) MB) + "MB";
        }
        if (bytes >= MB) {
            return String.format(Locale.ROOT, "%.1fMB", bytes / (double) MB);
        }
        return bytes >= KB ? bytes / KB + "KB" : bytes + "B";
    }
}
