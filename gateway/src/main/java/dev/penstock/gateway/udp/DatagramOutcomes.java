package dev.penstock.gateway.udp;

import dev.penstock.Accounting;
import dev.penstock.udp.DropLocation;
import dev.penstock.udp.UdpSource;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The accounting of the datagrams of a UDP source. Thread-safe.
 *
 * <h2>Design note</h2>
 *
 * <p>Inline datagrams bypass the meter, which would cost more than the answer. Their accounting is derived from the
 * counters of the source: offered is received; answered is handled (also without an answer); failed is handled without
 * success: refused, because of its sender, because it was truncated, or the handler could not take it, or
 * undone, because its answer could not be sent. None of the failed had an effect, because inline handling only converts
 * bytes to bytes. Datagrams lost before they were received are in {@code lost} and are not transactions.
 */
record DatagramOutcomes(UdpSource source) {
    /** The accounting of inline datagrams. */
    Accounting inline() {
        Map<DropLocation, Long> drops = source.drops();
        Map<String, Long> counts = source.counts();
        long answered = counts.getOrDefault("answered", 0L) + counts.getOrDefault("unanswered", 0L);
        long refused = lost(drops, DropLocation.OWN)
                + lost(drops, DropLocation.PEER)
                + lost(drops, DropLocation.TRUNCATED)
                + lost(drops, DropLocation.RING)
                + lost(drops, DropLocation.HANDLER);
        long undone = lost(drops, DropLocation.SEND);
        long ended = answered + refused + undone;
        // The counters are read one after the other while more arrive; received is never less than ended.
        long offered = Math.max(ended, counts.getOrDefault("received", 0L));
        Map<String, Long> causes = new LinkedHashMap<>();
        put(causes, "refused", refused);
        put(causes, "undone", undone);
        return new Accounting(
                offered,
                answered,
                0,
                refused + undone,
                0,
                offered - ended,
                causes.isEmpty() ? Map.of() : Map.of("failed", causes));
    }

    private static void put(Map<String, Long> causes, String cause, long count) {
        if (count > 0) {
            causes.put(cause, count);
        }
    }

    private static long lost(Map<DropLocation, Long> drops, DropLocation place) {
        return drops.getOrDefault(place, 0L);
    }

    /** The counters of the source, with received first. */
    Map<String, Long> counts() {
        Map<String, Long> counts = new LinkedHashMap<>();
        counts.put("received", 0L);
        counts.putAll(source.counts());
        return counts;
    }

    /** The number of lost datagrams by place, in the order of processing. */
    Map<String, Long> lost() {
        Map<DropLocation, Long> drops = source.drops();
        Map<String, Long> lost = new LinkedHashMap<>();
        for (DropLocation place : DropLocation.values()) {
            lost.put(place.word(), lost(drops, place));
        }
        return lost;
    }
}
