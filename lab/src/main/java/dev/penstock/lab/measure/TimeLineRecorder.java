package dev.penstock.lab.measure;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Looks now and then at a load while it runs, and makes a time line of what it saw. Someone else waits: {@link #nextAt()}
 * says until when, {@link #look} looks.
 *
 * <p>It looks once a second; 20 times in a load of less than 20 s, but no more than 10 times a second; 500 times in a load
 * of more than 500 s. It keeps at most 600 intervals: when a load goes on beyond, each two become one and it looks half as
 * often, so a load whose length is not known begins at 10 looks a second and keeps between 300 and 600 intervals.
 *
 * <p>For one thread.
 */
public final class TimeLineRecorder {
    /** The most intervals. */
    public static final int MOST = 600;

    private static final long SECOND = 1_000_000_000L;
    private static final long SHORTEST = SECOND / 10;
    private static final long FEWEST = 20;
    private static final long MOST_PLANNED = 500;

    private final IntervalReader reader;
    private final long warmUp;
    private final long lasting;
    private final List<Interval> intervals = new ArrayList<>();
    private long startAt;
    private long every;
    private long next;
    private long lastAt;

    /**
     * A time line that begins with {@link #begin}.
     *
     * @param recorder of the load; nobody else may take its intervals
     * @param warmUp nanoseconds at its beginning that are in no other figure
     * @param lasting nanoseconds for which it starts transactions, or {@link LoadRecorder#OPEN_END}
     * @param children other processes to look at
     */
    public TimeLineRecorder(LoadRecorder recorder, long warmUp, long lasting, List<ChildProbe> children) {
        this.reader = new IntervalReader(recorder, children);
        this.warmUp = warmUp;
        this.lasting = lasting;
        this.every = interval(lasting);
        this.next = every;
    }

    /**
     * The load begins.
     *
     * @param now a reading of the load's ticker
     */
    public void begin(long now) {
        startAt = now;
        reader.begin();
    }

    /** The reading of the load's ticker at which to look next. */
    public long nextAt() {
        return startAt + next;
    }

    /**
     * Looks.
     *
     * @param now a reading of the load's ticker
     * @param inFlight transactions without an ending
     */
    public void look(long now, int inFlight) {
        if (now - startAt <= lastAt) {
            return;
        }
        intervals.add(reader.read(lastAt, now - startAt, inFlight));
        lastAt = now - startAt;
        if (intervals.size() > MOST) {
            halve();
        }
        next = (lastAt / every + 1) * every;
    }

    /**
     * Looks for the last time. A last interval of less than half the length of the others becomes part of the one before,
     * for its rates would say nothing.
     *
     * @param now a reading of the load's ticker
     * @param inFlight transactions without an ending
     * @param steady whether the load itself was to be steady after the warm-up
     * @return the time line; null when the load was too short for one
     */
    public @Nullable TimeLine end(long now, int inFlight, boolean steady) {
        long left = now - startAt - lastAt;
        look(now, inFlight);
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
        String unsteady = steady ? SteadinessNote.of(intervals, warmUp, windowEnd(), every) : null;
        return new TimeLine((double) warmUp / SECOND, at, series(), List.of(), unsteady);
    }

    static long interval(long lasting) {
        if (lasting == LoadRecorder.OPEN_END) {
            return SHORTEST;
        }
        if (lasting > MOST_PLANNED * SECOND) {
            return Math.ceilDiv(lasting, MOST_PLANNED * SECOND) * SECOND;
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

    /** When it started no more, in nanoseconds since it began. */
    private long windowEnd() {
        long lastDueBy = intervals.stream()
                .filter(interval -> interval.value(Series.RATE) > 0)
                .mapToLong(Interval::to)
                .max()
                .orElse(0);
        return Math.min(lasting, lastDueBy);
    }

    private Map<String, List<@Nullable Double>> series() {
        Map<String, List<@Nullable Double>> told = new LinkedHashMap<>();
        for (Series series : Series.values()) {
            List<@Nullable Double> values = new ArrayList<>();
            intervals.forEach(interval -> {
                double value = interval.value(series);
                values.add(Double.isNaN(value) ? null : rounded(value));
            });
            if (values.stream().anyMatch(value -> value != null)) {
                told.put(series.key(), values);
            }
        }
        return told;
    }

    /** To three decimals: 1 us where it is ms, 1 ms where it is seconds. */
    private static double rounded(double value) {
        return Math.rint(value * 1e3) / 1e3;
    }
}
