package dev.penstock.meter;

import java.util.Map;
import java.util.StringJoiner;

/**
 * What became of every transaction offered to a flow, at one instant.
 *
 * @param offered how many came in
 * @param answered how many the target answered
 * @param rejected how many were never sent
 * @param failed how many are known not to have taken effect, or were refused for good
 * @param unknown how many were sent and got no answer
 * @param inFlight how many have not ended yet
 * @param causes for each ending but answered, how many by cause; causes that did not occur are left out
 */
public record Accounting(
        long offered,
        long answered,
        long rejected,
        long failed,
        long unknown,
        long inFlight,
        Map<String, Map<String, Long>> causes) {

    /** Whether every transaction is in exactly one place: the law that every flow keeps, at every instant. */
    public boolean holds() {
        return inFlight >= 0 && offered == answered + rejected + failed + unknown + inFlight;
    }

    /** Whether the law holds and nothing is left in flight, as must be after a drain. */
    public boolean isSettled() {
        return holds() && inFlight == 0;
    }

    /** The law in one line with its numbers, and the causes behind them. */
    public String sentence() {
        StringJoiner line = new StringJoiner(", ");
        line.add("offered %d = answered %d + rejected %d + failed %d + unknown %d + in flight %d"
                .formatted(offered, answered, rejected, failed, unknown, inFlight));
        causes.forEach(
                (ending, counts) -> counts.forEach((cause, count) -> line.add(ending + " by " + cause + " " + count)));
        return line.toString();
    }
}
