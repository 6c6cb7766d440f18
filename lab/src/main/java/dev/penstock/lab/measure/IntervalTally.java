package dev.penstock.lab.measure;

import org.HdrHistogram.Histogram;

/**
 * What ended since someone last looked, the warm-up included: for the time line. Two digits are enough for a plot, and
 * make it small (26 KB) and quick to set back. Not safe for many threads.
 */
final class IntervalTally {
    final Histogram response = new Histogram(Latency.LEAST, Latency.MOST, 2);
    long ended;
    long right;
    long longest;

    void ended(boolean wasRight, long nanos) {
        ended++;
        if (wasRight) {
            right++;
        }
        longest = Math.max(longest, nanos);
        response.recordValue(nanos);
    }

    /** Takes all that another one has, and sets that back. */
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
