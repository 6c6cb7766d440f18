package dev.penstock.lab.measure;

import org.HdrHistogram.Histogram;

/** The transactions due in one slice of the window, or those of one label. Not thread-safe. */
final class SliceTally {
    final Histogram response = Latency.empty();
    final long[] outcomes = new long[Outcome.all().size()];
    /** Correct answers that arrived within the slice, whenever they were due. */
    long rightArrived;

    /** Adds a transaction that was due. */
    void due(Outcome outcome, long nanos) {
        outcomes[outcome.index()]++;
        response.recordValue(nanos);
    }

    void add(SliceTally other) {
        if (other.response.getTotalCount() > 0) {
            response.add(other.response);
        }
        for (int i = 0; i < outcomes.length; i++) {
            outcomes[i] += other.outcomes[i];
        }
        rightArrived += other.rightArrived;
    }
}
