package dev.penstock.udp;

import dev.penstock.LiveSetting;
import dev.penstock.udp.socket.KernelMemory;
import java.util.Locale;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Computes the size of a socket's receive buffer: enough for a burst, doubled when the kernel drops datagrams, unless pinned.
 * Pure: callers report the applied size and the drops, and get the size to request.
 *
 * <p>Written by one thread, read by many.
 */
final class BufferSize {
    /** The automatic maximum: 116,508 datagrams of 1 KB are 0.4 s at 290,000/s; more only adds delay. */
    static final long MOST = 256L << 20;

    private static final long KB = 1_024;
    private static final long MB = KB * KB;

    /** The size of the datagrams of a burst, in bytes. */
    static final int USUAL_SIZE = 1_024;

    private final int burst;
    private final int size;
    private final @Nullable Long pinned;
    private volatile long wanted;
    private volatile long applied;
    private volatile long drops;
    private long dropsAtChange;

    /**
     * Creates the size for a burst.
     *
     * @param burst the number of datagrams that may arrive at once
     * @param maxSize the maximum size of a datagram, in bytes
     * @param pinned the configured size in bytes of kernel memory; null for automatic
     */
    BufferSize(int burst, int maxSize, @Nullable Long pinned) {
        this.burst = burst;
        this.size = Math.min(maxSize, USUAL_SIZE);
        this.pinned = pinned;
        this.wanted = pinned != null ? pinned : Math.min(MOST, KernelMemory.forDatagrams(burst, size));
    }

    /** The size to request, in bytes of kernel memory. */
    long wanted() {
        return wanted;
    }

    /** Records the size that the system granted. */
    void applied(long bytes) {
        applied = bytes;
    }

    long applied() {
        return applied;
    }

    /** The number of datagrams it holds, of 1 KB or the maximum size if smaller. */
    long holds() {
        return KernelMemory.datagrams(applied, size);
    }

    /** Whether it holds a whole burst. */
    boolean holdsBurst() {
        return holds() >= burst;
    }

    /** Whether the system granted less than requested. */
    boolean isClamped() {
        // The kernel halves and doubles the value, so 1 less than an odd number is not less.
        return applied < wanted - 1;
    }

    /**
     * Records the total number of datagrams that the kernel dropped.
     *
     * @return a larger size to request; empty for no change
     */
    OptionalLong dropped(long total) {
        drops = total;
        if (pinned != null || total <= dropsAtChange || isClamped() || wanted >= MOST) {
            dropsAtChange = Math.max(dropsAtChange, total);
            return OptionalLong.empty();
        }
        dropsAtChange = total;
        wanted = Math.min(MOST, 2 * Math.max(wanted, applied));
        return OptionalLong.of(wanted);
    }

    LiveSetting.Now setting() {
        String holding = String.format(Locale.ROOT, "holds %,d datagrams of %,d bytes", holds(), size);
        String why;
        if (pinned != null) {
            why = holding + (isClamped() ? "; the system granted less than the configured " + format(wanted) : "");
        } else if (isClamped()) {
            why = String.format(
                    Locale.ROOT, "%s, fewer than requested: limited by the system (net.core.rmem_max)", holding);
        } else if (!holdsBurst()) {
            why = String.format(
                    Locale.ROOT,
                    "%s, fewer than a burst of %,d: the automatic maximum is %s; set buffer",
                    holding,
                    burst,
                    format(MOST));
        } else if (wanted > KernelMemory.forDatagrams(burst, size)) {
            why = String.format(Locale.ROOT, "%s; grown after %,d drops", holding, drops);
        } else {
            why = String.format(Locale.ROOT, "%s: a burst of %,d", holding, burst);
        }
        return new LiveSetting.Now(format(applied), "4KB.." + format(MOST), why, pinned != null);
    }

    /** A number of bytes for display, such as 208KB. */
    static String format(long bytes) {
        if (bytes >= 10 * MB || (bytes >= MB && bytes % MB == 0)) {
            return Math.round(bytes / (double) MB) + "MB";
        }
        if (bytes >= MB) {
            return String.format(Locale.ROOT, "%.1fMB", bytes / (double) MB);
        }
        return bytes >= KB ? bytes / KB + "KB" : bytes + "B";
    }
}
