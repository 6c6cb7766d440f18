package dev.penstock.lab.measure;

import org.HdrHistogram.Histogram;

/** What became of the transactions that were due in one slice of the window. Not safe for many threads. */
final class SliceTally {
    final Histogram response = Latency.empty();
    final long[] outcomes = new long[Outcome.all().size()];
    /** Right answers that came within the slice, whenever they were due. */
    long rightCame;

    void add(SliceTally other) {
        if (other.response.getTotalCount() > 0) {
            response.add(other.response);
        }
        for (int i = 0; i < outcomes.length; i++) {
            outcomes[i] += other.outcomes[i];
        }
        rightCame += other.rightCame;
    }
}
