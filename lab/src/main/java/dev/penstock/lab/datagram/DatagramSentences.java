package dev.penstock.lab.datagram;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link DatagramProbe} found, in sentences with their numbers, and what to do about it. It measures nothing.
 *
 * @param found what was
 * @param port of the peer
 * @param asked the largest burst that it should carry
 * @param buffer how large a receive buffer has to be for so many datagrams, in bytes of the kernel's memory
 */
public record DatagramSentences(DatagramProbe.Found found, int port, long asked, LongUnaryOperator buffer) {
    /** A flow file takes no more. */
    private static final int MOST_BURST = 1_000_000;

    /** What was found, a sentence each. */
    public List<String> findings() {
        List<String> findings = new ArrayList<>();
        findings.add(roundTrip());
        edge(findings, "bursts", "datagrams at once", found.burst());
        edge(findings, "rate", "datagrams a second", found.rate());
        return List.copyOf(findings);
    }

    private String roundTrip() {
        DatagramResult result = found.roundTrip();
        if (result.load().counts().right() == 0) {
            return ("round trip: none of %,d datagrams was answered as it should be, %,d were answered otherwise; see whether"
                            + " something listens there and answers, and what (--find, --with, --check number)")
                    .formatted(result.sent(), result.load().counts().wrong());
        }
        return "round trip: median %s, p99 %s, longest %s, of %,d datagrams one by one; %,d not answered"
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
            findings.add("%s: no time was left to find out; give it more with --for".formatted(what));
            return;
        }
        String well = edge.well() == 0
                ? "%s: even the least that was tried lost some".formatted(what)
                : "%s: nothing is lost up to %,.0f %s".formatted(what, edge.well(), unit);
        String then = edge.tooMuch().isEmpty()
                ? "; more was not tried"
                : edge.bound() == LossSearch.Seen.NOT_SENT
                        ? "; %,.0f is more than this machine can send, so this is the sender's own bound"
                                .formatted(edge.tooMuch().getAsDouble())
                        : "; loss starts by %,.0f".formatted(edge.tooMuch().getAsDouble());
        findings.add(well
                + then
                + (edge.ended() ? "" : " (the time was over before it was certain; give it more with --for)"));
        if (edge.lost() > 0) {
            findings.add(
                    ("%s: of %,d sent in all trials %,d were lost: %s, %,d answers on the way back, at this sender's own socket,"
                                    + " %,d elsewhere (on the way, or not answered)")
                            .formatted(
                                    what,
                                    edge.sent(),
                                    edge.lost(),
                                    edge.atPeer().isPresent()
                                            ? "%,d at the peer's socket, its receive buffer full"
                                                    .formatted(edge.atPeer().getAsLong())
                                            : "the peer is not on this machine, so its own drops are not known (there: column drops of"
                                                    + " /proc/net/udp)",
                                    edge.here(),
                                    edge.elsewhere()));
        }
    }

    /** What to write into a flow file; empty when there is nothing to recommend. */
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
                                Math.clamp(asked, 1, MOST_BURST),
                                burst.tooMuch().isPresent() && burst.bound() == LossSearch.Seen.LOSSY
                                        ? "lost some at %,.0f at once"
                                                .formatted(burst.tooMuch().getAsDouble())
                                        : "carried %,.0f at once".formatted(burst.well())));
    }

    /** What an administrator has to do, as commands; empty when nothing was lost at a socket. */
    public List<String> sysctl() {
        List<String> lines = new ArrayList<>();
        if (asked == 0) {
            return lines;
        }
        // The kernel doubles what it is asked for, and the bound is on what it is asked for.
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
