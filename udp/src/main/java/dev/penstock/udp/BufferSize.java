package dev.penstock.udp;

import dev.penstock.LiveSetting;
import dev.penstock.udp.socket.KernelMemory;
import java.util.Locale;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * How large the receive buffer of a socket should be: made for a burst, doubled when the kernel had to drop, unless it was
 * pinned. Pure: it is told what was applied and what was dropped, and says what to ask for.
 *
 * <p>Written by one thread; read by many.
 */
final class BufferSize {
    /** No more than this by itself: 116,508 datagrams of 1 KB are 0.4 s at 290,000/s; more only adds delay. */
    static final long MOST = 256L << 20;

    /** What bursts are reckoned in: about 1 KB each. */
    static final int USUAL_SIZE = 1_024;

    private final int burst;
    private final int size;
    private final @Nullable Long pinned;
    private volatile long wanted;
    private volatile long applied;
    private volatile long drops;
    private long dropsAtChange;

    /**
     * A buffer for a burst.
     *
     * @param burst datagrams that may come at once
     * @param maxSize bytes of the largest datagram
     * @param pinned bytes of the kernel's memory that somebody has set; null when it shall find itself
     */
    BufferSize(int burst, int maxSize, @Nullable Long pinned) {
        this.burst = burst;
        this.size = Math.min(maxSize, USUAL_SIZE);
        this.pinned = pinned;
        this.wanted = pinned != null ? pinned : Math.min(MOST, KernelMemory.forDatagrams(burst, size));
    }

    /** What to ask for, in bytes of the kernel's memory. */
    long wanted() {
        return wanted;
    }

    /** What it is. */
    void applied(long bytes) {
        applied = bytes;
    }

    long applied() {
        return applied;
    }

    /** How many datagrams of the usual size it holds. */
    long holds() {
        return KernelMemory.datagrams(applied, size);
    }

    /** Whether a whole burst has room in it. */
    boolean holdsBurst() {
        return holds() >= burst;
    }

    /** Whether the system gave less than what was asked for. */
    boolean isClamped() {
        // The kernel halves and doubles, so one of an odd number is no less.
        return applied < wanted - 1;
    }

    /**
     * The kernel has dropped so many in all.
     *
     * @return a larger buffer to ask for; empty when it shall stay
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
            why = holding
                    + (isClamped() ? "; the system gave less than the " + ByteFormat.words(wanted) + " that were set" : "");
        } else if (isClamped()) {
            why = String.format(
                    Locale.ROOT, "%s, fewer than wanted: the system gives no more (net.core.rmem_max)", holding);
        } else if (!holdsBurst()) {
            why = String.format(
                    Locale.ROOT,
                    "%s, fewer than a burst of %,d: the most by itself is %s; set buffer",
                    holding,
                    burst,
                    ByteFormat.words(MOST));
        } else if (wanted > KernelMemory.forDatagrams(burst, size)) {
            why = String.format(Locale.ROOT, "%s; grown since %,d were dropped", holding, drops);
        } else {
            why = String.format(Locale.ROOT, "%s: a burst of %,d", holding, burst);
        }
        return new LiveSetting.Now(ByteFormat.words(applied), "4KB.." + ByteFormat.words(MOST), why, pinned != null);
    }
}
