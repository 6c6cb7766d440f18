package dev.penstock;

import java.util.Map;
import java.util.StringJoiner;

/**
 * The transactions of a flow by ending, at one instant.
 *
 * @param offered the number of transactions offered to the flow
 * @param answered the number answered by the target
 * @param rejected the number that were not sent
 * @param failed the number known not to have taken effect, or refused permanently
 * @param unknown the number sent without an answer
 * @param inFlight the number that have not ended yet
 * @param causes for each ending except answered, the number by cause; causes that did not occur are left out
 */
public record Accounting(
        long offered,
        long answered,
        long rejected,
        long failed,
        long unknown,
        long inFlight,
        Map<String, Map<String, Long>> causes) {

    /**
     * {@return whether the accounting invariant holds: every transaction has exactly one ending or is in flight} True at
     * all times.
     */
    public boolean isBalanced() {
        return inFlight >= 0 && offered == answered + rejected + failed + unknown + inFlight;
    }

    /** {@return whether the accounting invariant holds and nothing is in flight, as required after a drain} */
    public boolean isSettled() {
        return isBalanced() && inFlight == 0;
    }

    /** {@return the accounting equation with its numbers, followed by the causes, in one line} */
    public String sentence() {
        StringJoiner line = new StringJoiner(", ");
        line.add("offered %d = answered %d + rejected %d + failed %d + unknown %d + in flight %d"
                .formatted(offered, answered, rejected, failed, unknown, inFlight));
        causes.forEach(
                (ending, counts) -> counts.forEach((cause, count) -> line.add(ending + " by " + cause + " " + count)));
        return line.toString();
    }
}
