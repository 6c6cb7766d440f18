package dev.penstock;

import dev.penstock.BatchCounts.SendReason;
import java.util.Locale;
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
    /** Why a batch was sent instead of waiting for more requests. */
    public enum SendReason {
        /** No further request was expected soon enough, or the expected ones did not arrive. */
        GAP,
        /** It had the maximum number of requests or bytes, or more requests would have cost more than they save. */
        FULL,
        /** Its first request had waited for the whole budget. */
        BUDGET,
        /** The deadline of one of its requests is near. */
        DEADLINE,
        /** The flow is shutting down. */
        DRAIN,
        /** Its only request is excluded from batches, or its key exceeds the number of keys with an open batch. */
        ALONE;

        /** {@return its name in metrics and reports, in lower case} */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** {@return the number of batches sent} */
    public long count() {
        return left.values().stream().mapToLong(Long::longValue).sum();
    }

    /** {@return one sentence with the number of batches, their mean size and why they were sent} */
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

    /** {@return the mean number of requests per batch; 0 when there was none} */
    public double mean() {
        return sizes.getTotalCount() == 0 ? 0 : sizes.getMean();
    }
}
