package dev.penstock.lab.measure;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Samples a load while it runs, and makes a time line of the samples. Does not wait itself: the caller calls
 * {@link #sample} at {@link #nextAt()}.
 *
 * <p>The sampling interval is 1 s. A load shorter than 20 s is sampled 20 times, but at most 10 times per second; one
 * longer than 500 s is sampled 500 times. At most 600 intervals are kept: beyond that, adjacent intervals are merged
 * and the sampling interval doubles. A load of unknown length therefore starts at 10 samples per second and keeps
 * between 300 and 600 intervals.
 *
 * <p>For one thread.
 */
public final class TimeLineRecorder {
    /** The maximum number of intervals. */
    public static final int MAX = 600;

    private static final long SECOND = 1_000_000_000L;
    private static final long SHORTEST = SECOND / 10;
    private static final long FEWEST = 20;
    private static final long MAX_PLANNED = 500;

    private final IntervalReader reader;
    private final long warmUp;
    private final long lasting;
    private final List<Interval> intervals = new ArrayList<>();
    private long startAt;
    private long every;
    private long next;
    private long lastAt;

    /**
     * A time line that starts with {@link #begin}.
     *
     * @param recorder of the load; nobody else may take its intervals
     * @param warmUp nanoseconds of warm-up
     * @param lasting nanoseconds for which the load starts transactions, or {@link LoadRecorder#OPEN_END}
     * @param children other processes to measure
     */
    public TimeLineRecorder(LoadRecorder recorder, long warmUp, long lasting, List<ChildProbe> children) {
        this.reader = new IntervalReader(recorder, lasting, children);
        this.warmUp = warmUp;
        this.lasting = lasting;
        this.every = interval(lasting);
        this.next = every;
    }

    /**
     * Starts the time line.
     *
     * @param now the time, by the load's ticker
     */
    public void begin(long now) {
        startAt = now;
        reader.begin();
    }

    /** The time of the next sample, by the load's ticker. */
    public long nextAt() {
        return startAt + next;
    }

    /**
     * Takes a sample.
     *
     * @param now the time, by the load's ticker
     * @param inFlight transactions in flight
     */
    public void sample(long now, int inFlight) {
        if (now - startAt <= lastAt) {
            return;
        }
        intervals.add(reader.read(lastAt, now - startAt, inFlight));
        lastAt = now - startAt;
        if (intervals.size() > MAX) {
            halve();
        }
        next = (lastAt / every + 1) * every;
    }

    /**
     * Takes the last sample. A last interval shorter than half the others is merged with the previous one, because its
     * rates would be meaningless.
     *
     * @param now the time, by the load's ticker
     * @param inFlight transactions in flight
     * @param steady whether the load was meant to be steady after the warm-up
     * @return the time line; null when the load was too short
     */
    public @Nullable TimeLine end(long now, int inFlight, boolean steady) {
        long left = now - startAt - lastAt;
        sample(now, inFlight);
        if (left > 0 && left < every / 2 && intervals.size() > 1) {
            Interval last = intervals.removeLast();
            intervals.add(intervals.removeLast().with(last));
        }
        if (intervals.size() < 2) {
            return null;
        }
        List<Double> at = intervals.stream()
                .map(interval -> rounded((double) interval.to() / SECOND))
                .toList();
        String unsteady = steady ? SteadyState.note(intervals, warmUp, windowEnd(), every) : null;
        return new TimeLine((double) warmUp / SECOND, at, series(), List.of(), unsteady);
    }

    static long interval(long lasting) {
        if (lasting == LoadRecorder.OPEN_END) {
            return SHORTEST;
        }
        if (lasting > MAX_PLANNED * SECOND) {
            return Math.ceilDiv(lasting, MAX_PLANNED * SECOND) * SECOND;
        }
        return Math.clamp(lasting / FEWEST, SHORTEST, SECOND);
    }

    private void halve() {
        List<Interval> halved = new ArrayList<>();
        for (int i = 0; i < intervals.size(); i += 2) {
            Interval first = intervals.get(i);
            halved.add(i + 1 < intervals.size() ? first.with(intervals.get(i + 1)) : first);
        }
        intervals.clear();
        intervals.addAll(halved);
        every *= 2;
    }

    /** The time of the last start, in nanoseconds since the start of the load. */
    private long windowEnd() {
        long lastDueBy = intervals.stream()
                .filter(interval -> interval.value(Series.RATE) > 0)
                .mapToLong(Interval::to)
                .max()
                .orElse(0);
        return Math.min(lasting, lastDueBy);
    }

    private Map<String, List<@Nullable Double>> series() {
        Map<String, List<@Nullable Double>> known = new LinkedHashMap<>();
        for (Series series : Series.values()) {
            List<@Nullable Double> values = new ArrayList<>();
            intervals.forEach(interval -> {
                double value = interval.value(series);
                values.add(Double.isNaN(value) ? null : rounded(value));
            });
            if (values.stream().anyMatch(value -> value != null)) {
                known.put(series.key(), values);
            }
        }
        return known;
    }

    /** Rounded to three decimals: 1 us for ms, 1 ms for seconds. */
    private static double rounded(double value) {
        return Math.rint(value * 1e3) / 1e3;
    }
}
