package dev.penstock.gateway;

import dev.penstock.meter.Accounting;
import dev.penstock.udp.DropLocation;
import dev.penstock.udp.UdpSource;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What became of the datagrams of a source. Safe for many threads.
 *
 * <h2>Design note</h2>
 *
 * <p>What is answered by the thread that reads passes no meter, for that would cost more than the answer. Its accounting is made
 * of what the source counts: offered is what was received, answered what was handled (also where no answer is wanted), and
 * failed what was handled with no answer: refused, since it came from a socket of this process, was truncated, or the handler could not take it, or undone, since
 * its answer could not be sent. None has taken effect, for what is inline only turns bytes into bytes. What was lost before it
 * was received is in {@code lost}, and no transaction.
 */
record DatagramOutcomes(UdpSource source) {
    /** The accounting of what is answered by the thread that reads. */
    Accounting inline() {
        Map<DropLocation, Long> drops = source.drops();
        Map<String, Long> counts = source.counts();
        long answered = counts.getOrDefault("answered", 0L) + counts.getOrDefault("unanswered", 0L);
        long refused = lost(drops, DropLocation.OWN)
                + lost(drops, DropLocation.TRUNCATED)
                + lost(drops, DropLocation.RING)
                + lost(drops, DropLocation.HANDLER);
        long undone = lost(drops, DropLocation.SEND);
        long ended = answered + refused + undone;
        // Counted one after the other while more come in: what was received is never less than what has ended.
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

    /** What became of them, those received first, as people read it; the source counts them last. */
    Map<String, Long> counts() {
        Map<String, Long> counts = new LinkedHashMap<>();
        counts.put("received", 0L);
        counts.putAll(source.counts());
        return counts;
    }

    /** How many were lost, by the word of each place, in the order in which they pass by. */
    Map<String, Long> lost() {
        Map<DropLocation, Long> drops = source.drops();
        Map<String, Long> lost = new LinkedHashMap<>();
        for (DropLocation place : DropLocation.values()) {
            lost.put(place.word(), lost(drops, place));
        }
        return lost;
    }
}
