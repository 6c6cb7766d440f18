package dev.penstock.races.udpburst;

import dev.penstock.lab.datagram.DatagramResult;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What became of datagrams that were sent one after another.
 *
 * @param sent how many
 * @param answered how many of them were answered as they had to be, each counted once
 * @param lost how many never were answered
 * @param wrong answers that were not what they had to be, that came twice, or that nobody had asked for
 * @param waiting how many had no answer yet when the time to send was over
 * @param rate how many were sent a second
 * @param maxMs the longest that an answer took, from when its datagram was due, in a burst from when the burst began; negative
 *     when there was none
 * @param droppedHere how many answers the sender's own socket dropped: not the server's fault
 * @param notKept why the sender did not send as it was asked; null when it did
 */
record BurstOutcome(
        long sent,
        long answered,
        long lost,
        long wrong,
        long waiting,
        double rate,
        double maxMs,
        long droppedHere,
        @Nullable String notKept) {
    static BurstOutcome of(DatagramResult result) {
        Map<String, Double> metrics = result.metrics();
        long right = result.load().counts().right();
        long inTime = Math.round(result.load().tps() * result.load().windowSeconds());
        return new BurstOutcome(
                result.sent(),
                right,
                result.lost(),
                result.sent() - right - result.lost() + result.duplicates() + result.strange(),
                result.sent() - inTime,
                result.perSecond(),
                metrics.getOrDefault("max_ms", -1.0),
                result.droppedHere().orElse(0),
                result.notKept());
    }

    /** Why it says nothing of the server, in one line; null when it does. */
    @Nullable
    String whyInvalid() {
        return droppedHere > 0 ? "the sender's own socket dropped " + droppedHere + " answers" : notKept;
    }
}
