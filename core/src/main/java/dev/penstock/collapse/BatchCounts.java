package dev.penstock.collapse;

import java.util.Map;
import java.util.StringJoiner;
import org.HdrHistogram.Histogram;

/**
 * What batches a flow has made so far. A copy that does not change.
 *
 * @param left how many batches left, by why; every reason is there
 * @param sizes how many requests each had
 * @param waiting how many requests wait in open batches now
 * @param out how many batches are at the target now
 * @param halved how many batches were refused as a whole, and sent in halves
 */
public record BatchCounts(Map<SendReason, Long> left, Histogram sizes, long waiting, long out, long halved) {
    /** How many batches left. */
    public long count() {
        return left.values().stream().mapToLong(Long::longValue).sum();
    }

    /** How many there were, how large, and why they left, in one sentence. */
    public String sentence() {
        StringJoiner why = new StringJoiner(", ");
        left.forEach((reason, count) -> {
            if (count > 0) {
                why.add(reason.word() + " " + count);
            }
        });
        return count() == 0
                ? "no batch yet, %d wait".formatted(waiting)
                : "%d batches of %.1f (left by %s), %d wait".formatted(count(), mean(), why, waiting);
    }

    /** How many requests a batch had in the mean; 0 when there was none. */
    public double mean() {
        return sizes.getTotalCount() == 0 ? 0 : sizes.getMean();
    }
}
