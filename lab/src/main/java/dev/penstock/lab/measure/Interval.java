package dev.penstock.lab.measure;

import java.util.EnumMap;
import java.util.Map;

/**
 * One interval of a time line. Immutable.
 *
 * @param from nanoseconds since the start of the load
 * @param to the same
 * @param ended transactions that ended in the interval
 * @param values by series; absent or NaN when unknown
 */
record Interval(long from, long to, long ended, Map<Series, Double> values) {
    Interval {
        values = new EnumMap<>(values);
    }

    long nanos() {
        return to - from;
    }

    /** NaN when absent. */
    double value(Series series) {
        return values.getOrDefault(series, Double.NaN);
    }

    /** Merges this interval with the next one. */
    Interval with(Interval next) {
        Map<Series, Double> merged = new EnumMap<>(Series.class);
        for (Series series : Series.values()) {
            merged.put(series, series.merged(this, next));
        }
        return new Interval(from, next.to, ended + next.ended, merged);
    }
}
