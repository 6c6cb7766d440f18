package dev.penstock.lab.datagram;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The findings of a {@link DatagramProbe} as sentences with their numbers, and recommended actions.
 *
 * @param found the findings
 * @param port of the peer
 * @param asked the largest burst that the peer should accept
 * @param buffer the receive buffer size for this many datagrams, in bytes of kernel memory
 */
public record DatagramSentences(DatagramProbe.Found found, int port, long asked, LongUnaryOperator buffer) {
    /** The maximum in a flow file. */
    private static final int MAX_BURST = 1_000_000;

    /** The findings, a sentence each. */
    public List<String> findings() {
        List<String> findings = new ArrayList<>();
        findings.add(roundTrip());
        edge(findings, "bursts", "datagrams", found.burst());
        edge(findings, "rate", "datagrams/s", found.rate());
        return List.copyOf(findings);
    }

    private String roundTrip() {
        DatagramResult result = found.roundTrip();
        if (result.load().counts().right() == 0) {
            return ("round trip: none of %,d datagrams was answered correctly, %,d were answered incorrectly; check whether"
                            + " something listens there, and what it answers (--find, --with, --check number)")
                    .formatted(result.sent(), result.load().counts().wrong());
        }
        return "round trip: median %s, p99 %s, maximum %s, of %,d single datagrams; %,d not answered"
                .formatted(
                        ms(result.load().service().percentile(50)),
                        ms(result.load().service().percentile(99)),
                        ms(result.load().service().max()),
                        result.sent(),
                        result.lost());
    }

    private static void edge(List<String> findings, String what, String unit, @Nullable LossEdge edge) {
        if (edge == null) {
            return;
        }
        if (edge.well() == 0 && edge.tooMuch().isEmpty()) {
            findings.add("%s: not measured, no time was left; allow more with --for".formatted(what));
            return;
        }
        String well = edge.well() == 0
                ? "%s: loss even at the lowest level tried".formatted(what)
                : "%s: no loss up to %,.0f %s".formatted(what, edge.well(), unit);
        String then = edge.tooMuch().isEmpty()
                ? "; higher levels were not tried"
                : edge.bound() == LossSearch.Seen.NOT_SENT
                        ? "; %,.0f is more than this machine can send, so this is the sender's own limit"
                                .formatted(edge.tooMuch().getAsDouble())
                        : "; loss at %,.0f".formatted(edge.tooMuch().getAsDouble());
        findings.add(
                well + then + (edge.ended() ? "" : " (time was up before the search ended; allow more with --for)"));
        if (edge.lost() > 0) {
            findings.add(
                    ("%s: of %,d sent in all trials %,d were lost: %s, %,d answers dropped at this sender's own socket,"
                                    + " %,d elsewhere (in the network, or not answered)")
                            .formatted(
                                    what,
                                    edge.sent(),
                                    edge.lost(),
                                    edge.atPeer().isPresent()
                                            ? "%,d dropped at the peer's socket (receive buffer full)"
                                                    .formatted(edge.atPeer().getAsLong())
                                            : "the peer's own drops are unknown, because it is on another machine (there: column drops of"
                                                    + " /proc/net/udp)",
                                    edge.here(),
                                    edge.elsewhere()));
        }
    }

    /** Recommended settings of a flow file; empty without a recommendation. */
    public List<String> yaml() {
        LossEdge burst = found.burst();
        if (burst == null) {
            return List.of();
        }
        return List.of(
                "flows:",
                "  NAME:",
                "    from: { udp: { port: %d, burst: %d } }   # %s"
                        .formatted(
                                port,
                                Math.clamp(asked, 1, MAX_BURST),
                                burst.tooMuch().isPresent() && burst.bound() == LossSearch.Seen.LOSSY
                                        ? "loss at bursts of %,.0f"
                                                .formatted(burst.tooMuch().getAsDouble())
                                        : "no loss at bursts of %,.0f".formatted(burst.well())));
    }

    /** Commands for an administrator; empty when nothing was dropped at a socket. */
    public List<String> sysctl() {
        List<String> lines = new ArrayList<>();
        if (asked == 0) {
            return lines;
        }
        // The kernel doubles the requested size, and net.core.rmem_max limits the requested size.
        long bytes = (buffer.applyAsLong(asked) + 1) / 2;
        if (lostAtPeer() > 0) {
            lines.add("sysctl -w net.core.rmem_max=%d   # at the peer: room for %,d datagrams".formatted(bytes, asked));
        }
        if (lostHere() > 0) {
            lines.add("sysctl -w net.core.rmem_max=%d   # here: room for %,d answers".formatted(bytes, asked));
        }
        return List.copyOf(lines);
    }

    private long lostAtPeer() {
        return lost(found.burst(), false) + lost(found.rate(), false);
    }

    private long lostHere() {
        return lost(found.burst(), true) + lost(found.rate(), true);
    }

    private static long lost(@Nullable LossEdge edge, boolean here) {
        return edge == null ? 0 : here ? edge.here() : edge.atPeer().orElse(0);
    }

    private static String ms(OptionalLong nanos) {
        return nanos.isEmpty() ? "n/a" : "%,.3f ms".formatted(nanos.getAsLong() / 1e6);
    }
}
