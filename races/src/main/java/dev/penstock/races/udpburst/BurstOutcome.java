package dev.penstock.races.udpburst;

import dev.penstock.lab.datagram.DatagramResult;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The result of sending datagrams to a server.
 *
 * @param sent the number of datagrams sent
 * @param answered the number of datagrams with a correct answer, each counted once
 * @param lost the number of datagrams that were never answered
 * @param wrong the number of incorrect, duplicate or unrequested answers
 * @param waiting the number of datagrams without an answer when sending ended
 * @param rate datagrams sent per second
 * @param maxMs the maximum latency, measured from when the datagram was due; in a burst, from the start of the burst;
 *     negative if there was no answer
 * @param droppedHere the number of answers that the sender's own socket dropped, which is not the server's fault
 * @param senderProblem why the sender did not send as requested; null if it did
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
        @Nullable String senderProblem) {
    static BurstOutcome of(DatagramResult result) {
        Map<String, Double> metrics = result.metrics();
        long right = result.load().counts().right();
        long inTime = Math.round(result.load().tps() * result.load().windowSeconds());
        return new BurstOutcome(
                result.sent(),
                right,
                result.lost(),
                result.sent() - right - result.lost() + result.duplicates() + result.unexpected(),
                result.sent() - inTime,
                result.perSecond(),
                metrics.getOrDefault("max_ms", -1.0),
                result.droppedHere().orElse(0),
                result.senderProblem());
    }

    /** The reason why the result says nothing about the server, in one line; null if the result is valid. */
    @Nullable
    String whyInvalid() {
        return droppedHere > 0 ? "the sender's own socket dropped " + droppedHere + " answers" : senderProblem;
    }
}
