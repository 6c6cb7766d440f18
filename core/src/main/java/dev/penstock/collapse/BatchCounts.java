package dev.penstock.collapse;

import java.util.Map;
import java.util.StringJoiner;
import org.HdrHistogram.Histogram;

/**
 * Counts of the batches that a flow has sent so far. An immutable snapshot.
 *
 * @param left the number of batches sent, by reason; contains every reason
 * @param sizes the number of requests per batch
 * @param waiting the number of requests that wait in open batches now
 * @param out the number of batches in progress at the target now
 * @param halved the number of batches that were refused as a whole and sent in halves
 */
public record BatchCounts(Map<SendReason, Long> left, Histogram sizes, long waiting, long out, long halved) {
    /** The number of batches sent. */
    public long count() {
        return left.values().stream().mapToLong(Long::longValue).sum();
    }

    /** One sentence with the number of batches, their mean size and why they were sent. */
    public String sentence() {
        StringJoiner why = new StringJoiner(", ");
        left.forEach((reason, count) -> {
            if (count > 0) {
                why.add(reason.label() + " " + count);
            }
        });
        return count() == 0
                ? "no batch yet, %d waiting".formatted(waiting)
                : "%d batches of %.1f requests (sent by %s), %d waiting".formatted(count(), mean(), why, waiting);
    }

    /** The mean number of requests per batch; 0 when there was none. */
    public double mean() {
        return sizes.getTotalCount() == 0 ? 0 : sizes.getMean();
    }
}
