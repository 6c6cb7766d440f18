package dev.penstock.lab.measure;

import org.HdrHistogram.Histogram;

/** The transactions due in one slice of the window, or those of one label. Not thread-safe. */
final class SliceTally {
    /** Of right answers, and of those that never came with the time waited for them. */
    final Histogram response = Latency.empty();

    long leastUnanswered = Long.MAX_VALUE;
    final long[] outcomes = new long[Outcome.all().size()];
    /** Correct answers that arrived within the slice, whenever they were due. */
    long rightArrived;

    /** Adds a transaction that was due. */
    void due(Outcome outcome, long nanos) {
        outcomes[outcome.index()]++;
        if (outcome.isUnanswered()) {
            unanswered(nanos, 1);
        } else if (outcome == Outcome.RIGHT) {
            response.recordValue(nanos);
        }
    }

    /** Adds the time that some transactions waited for an answer that never came. */
    void unanswered(long nanos, long count) {
        response.recordValueWithCount(nanos, count);
        leastUnanswered = Math.min(leastUnanswered, nanos);
    }

    void add(SliceTally other) {
        if (other.response.getTotalCount() > 0) {
            response.add(other.response);
        }
        for (int i = 0; i < outcomes.length; i++) {
            outcomes[i] += other.outcomes[i];
        }
        leastUnanswered = Math.min(leastUnanswered, other.leastUnanswered);
        rightArrived += other.rightArrived;
    }
}
