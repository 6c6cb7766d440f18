package dev.penstock.lab.simulate.udp;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * The counters of a {@link UdpSimulator}. Invariant:
 * {@code received + twice = answered + dropped + full + unsent + waiting}.
 *
 * @param received datagrams received
 * @param bytes their bytes
 * @param answered answers sent, including second ones
 * @param dropped deliberately dropped
 * @param twice answers to be sent a second time
 * @param heldBack answers deliberately held back
 * @param full answers dropped because too many were waiting
 * @param unsent answers that the operating system did not accept
 * @param waiting answers waiting for their send time
 * @param lostBefore datagrams dropped by the kernel because the receive buffer was full; empty when not available
 */
public record UdpReport(
        long received,
        long bytes,
        long answered,
        long dropped,
        long twice,
        long heldBack,
        long full,
        long unsent,
        long waiting,
        OptionalLong lostBefore) {
    /** The report in a few readable lines. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("datagrams: received %,d (%,d bytes), dropped deliberately %,d, dropped at the full receive buffer %s"
                .formatted(
                        received,
                        bytes,
                        dropped,
                        lostBefore.isPresent() ? "%,d".formatted(lostBefore.getAsLong()) : "n/a"));
        lines.add("answers: sent %,d, duplicates %,d, held back %,d; waiting %,d"
                .formatted(answered, twice, heldBack, waiting));
        if (full > 0) {
            lines.add("%,d answers were dropped because %,d were already waiting: use a shorter delay or a lower rate"
                    .formatted(full, UdpSimulator.MAX_WAITING));
        }
        if (unsent > 0) {
            lines.add("%,d answers could not be sent".formatted(unsent));
        }
        return List.copyOf(lines);
    }
}
