package dev.penstock.lab.simulate.udp;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * What a {@link UdpSimulator} counted. {@code received + twice = answered + dropped + full + unsent + waiting}, at every instant.
 *
 * @param received datagrams that came to it
 * @param bytes of them
 * @param answered answers sent, second ones among them
 * @param dropped thrown away on purpose
 * @param twice answers that were to be sent a second time
 * @param heldBack answers held back on purpose
 * @param full thrown away because too many answers waited for their time
 * @param unsent answers that the system did not take
 * @param waiting answers whose time has not come
 * @param lostBefore what the kernel dropped before it came to it, since its receive buffer was full; empty where that is not told
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
    /** The report in a few lines, for people. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("datagrams: received %,d (%,d bytes), dropped on purpose %,d, lost before at its full buffer %s"
                .formatted(
                        received,
                        bytes,
                        dropped,
                        lostBefore.isPresent() ? "%,d".formatted(lostBefore.getAsLong()) : "n/a"));
        lines.add("answers: sent %,d, of them twice %,d, held back %,d; waiting %,d"
                .formatted(answered, twice, heldBack, waiting));
        if (full > 0) {
            lines.add("%,d answers were thrown away because %,d waited already: shorten the delay, or send less"
                    .formatted(full, UdpSimulator.MOST_WAITING));
        }
        if (unsent > 0) {
            lines.add("%,d answers could not be sent".formatted(unsent));
        }
        return List.copyOf(lines);
    }
}
