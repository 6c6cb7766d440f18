package dev.penstock.lab.measure;

import org.HdrHistogram.Histogram;

/**
 * Transactions that ended since the last sample, including the warm-up, for the time line. Times are of right answers, and
 * of those that never came with the time waited for them. Two significant digits
 * suffice for a plot, and keep it small (26 KB) and cheap to reset. Not thread-safe.
 */
final class IntervalTally {
    final Histogram response = new Histogram(Latency.MIN, Latency.MAX, 2);
    long ended;
    long right;
    long longest;

    void ended(Outcome outcome, long nanos) {
        ended++;
        if (outcome == Outcome.RIGHT) {
            right++;
        } else if (!outcome.isUnanswered()) {
            return;
        }
        longest = Math.max(longest, nanos);
        response.recordValue(nanos);
    }

    /** Adds all of another tally and resets that one. */
    void take(IntervalTally other) {
        if (other.ended == 0) {
            return;
        }
        response.add(other.response);
        ended += other.ended;
        right += other.right;
        longest = Math.max(longest, other.longest);
        other.response.reset();
        other.ended = 0;
        other.right = 0;
        other.longest = 0;
    }
}
