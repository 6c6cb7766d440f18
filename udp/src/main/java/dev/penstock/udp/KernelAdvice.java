package dev.penstock.udp;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What an administrator should do so that less is lost, with the commands. Pure. */
final class KernelAdvice {
    /** The rate at which a stall is reckoned where none was seen. */
    static final long USUAL_RATE = 100_000;

    private KernelAdvice() {}

    /**
     * About a source.
     *
     * @param buffer the smallest of its receive buffers
     * @param rate the most datagrams that came in a second so far; 0 when none did
     * @param drops what was lost so far
     */
    static List<String> about(BufferSize buffer, long rate, Map<DropLocation, Long> drops) {
        List<String> lines = new ArrayList<>();
        if (buffer.isClamped()) {
            clamped(buffer, rate > 0 ? rate : USUAL_RATE, lines);
        }
        if (drops.getOrDefault(DropLocation.BACKLOG, 0L) > 0) {
            lines.add(String.format(
                    Locale.ROOT,
                    "the kernel dropped %,d packets of this machine before any socket, as a processor's queue was full; as root:"
                            + " sysctl -w net.core.netdev_max_backlog=3000",
                    drops.get(DropLocation.BACKLOG)));
        }
        if (drops.getOrDefault(DropLocation.CARD, 0L) > 0) {
            lines.add(String.format(
                    Locale.ROOT,
                    "the network cards of this machine dropped %,d packets; look at ethtool -S, and give them longer rings (ethtool -G <card> rx"
                            + " 4096)",
                    drops.get(DropLocation.CARD)));
        }
        return List.copyOf(lines);
    }

    private static void clamped(BufferSize buffer, long rate, List<String> lines) {
        long holds = buffer.holds();
        lines.add(String.format(
                Locale.ROOT,
                "the receive buffer holds %,d datagrams = %s of a stall at %,d/s; what comes beyond that is lost at the socket."
                        + " %s were wanted, and the system gives no more; as root: sysctl -w net.core.rmem_max=%d",
                holds,
                stall(holds, rate),
                rate,
                ByteFormat.words(buffer.wanted()),
                asked(buffer.wanted())));
        lines.add(String.format(
                Locale.ROOT,
                "to keep it over a restart: echo net.core.rmem_max=%d > /etc/sysctl.d/90-penstock.conf (or give this process"
                        + " CAP_NET_ADMIN, with which it needs neither)",
                asked(buffer.wanted())));
    }

    /** The kernel doubles what it is asked for, and the bound is on what it is asked for. */
    private static long asked(long wanted) {
        return (wanted + 1) / 2;
    }

    private static String stall(long datagrams, long rate) {
        double millis = 1_000.0 * datagrams / rate;
        return millis < 10
                ? String.format(Locale.ROOT, "%.1f ms", millis)
                : String.format(Locale.ROOT, "%,d ms", Math.round(millis));
    }
}
