package dev.penstock.udp;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Recommends kernel settings that reduce losses, with the commands. Pure. */
final class KernelAdvice {
    /** The rate for computing a stall while none was measured, in datagrams per second. */
    static final long ASSUMED_RATE = 100_000;

    private KernelAdvice() {}

    /**
     * Returns recommendations for a source, one line each.
     *
     * @param buffer the smallest of its receive buffers
     * @param rate the highest rate so far, in datagrams per second; 0 while unknown
     * @param drops the losses so far
     */
    static List<String> about(BufferSize buffer, long rate, Map<DropLocation, Long> drops) {
        List<String> lines = new ArrayList<>();
        if (buffer.isClamped()) {
            adviseReceiveBuffer(buffer, rate > 0 ? rate : ASSUMED_RATE, lines);
        }
        if (drops.getOrDefault(DropLocation.BACKLOG, 0L) > 0) {
            lines.add(String.format(
                    Locale.ROOT,
                    "the kernel dropped %,d packets of this machine before any socket, since a per-processor queue was full; as root:"
                            + " sysctl -w net.core.netdev_max_backlog=3000",
                    drops.get(DropLocation.BACKLOG)));
        }
        if (drops.getOrDefault(DropLocation.CARD, 0L) > 0) {
            lines.add(String.format(
                    Locale.ROOT,
                    "the network cards of this machine dropped %,d packets; check ethtool -S and enlarge their rings (ethtool -G <card> rx"
                            + " 4096)",
                    drops.get(DropLocation.CARD)));
        }
        return List.copyOf(lines);
    }

    private static void adviseReceiveBuffer(BufferSize buffer, long rate, List<String> lines) {
        long holds = buffer.holds();
        lines.add(String.format(
                Locale.ROOT,
                "the receive buffer holds %,d datagrams = %s of a stall at %,d/s; further datagrams are lost at the socket."
                        + " %s were requested, and the system grants no more; as root: sysctl -w net.core.rmem_max=%d",
                holds,
                stall(holds, rate),
                rate,
                BufferSize.format(buffer.wanted()),
                sysctlValue(buffer.wanted())));
        lines.add(String.format(
                Locale.ROOT,
                "to keep it across reboots: echo net.core.rmem_max=%d > /etc/sysctl.d/90-penstock.conf (or give this process"
                        + " CAP_NET_ADMIN, which makes both commands unnecessary)",
                sysctlValue(buffer.wanted())));
    }

    /** The value of the sysctl: the kernel doubles the requested size, and rmem_max limits the requested size. */
    private static long sysctlValue(long wanted) {
        return (wanted + 1) / 2;
    }

    private static String stall(long datagrams, long rate) {
        double millis = 1_000.0 * datagrams / rate;
        return millis < 10
                ? String.format(Locale.ROOT, "%.1f ms", millis)
                : String.format(Locale.ROOT, "%,d ms", Math.round(millis));
    }
}
