package dev.penstock.lab.load;

import dev.penstock.text.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The rate of a load over time: linear segments, then a final rate. A rate may be 0 for a while; nothing is due
 * then. Immutable.
 *
 * <pre>
 *    flat        ramp          steps         spike
 *  ______         ___             __           _
 *              __/            ___|          __| |__
 * </pre>
 *
 * @param segments the initial segments, in order
 * @param then the rate after them, per second
 * @param text readable description
 */
public record Shape(List<Segment> segments, double then, String text) {
    /** The maximum rate, per second. */
    public static final double MAX = 1_000_000;

    /** The maximum number of segments: 1,000. */
    public static final int MAX_SEGMENTS = 1_000;

    private static final double LONGEST_NANOS = 100 * 365.25 * 86_400e9;

    /**
     * A linear segment.
     *
     * @param from rate at its start, per second
     * @param to rate at its end
     * @param nanos its duration, above 0
     */
    public record Segment(double from, double to, long nanos) {
        /**
         * Checks the ranges.
         *
         * @throws IllegalArgumentException when a rate is out of range, or the duration is not above 0
         */
        public Segment {
            checked(from);
            checked(to);
            if (nanos <= 0) {
                throw new IllegalArgumentException("each segment of a load's shape must last longer than 0");
            }
        }

        /** The number of arrivals in it. */
        double count() {
            return (from + to) / 2 * (nanos / 1e9);
        }

        private double rateAt(long at) {
            return from + (to - from) * at / nanos;
        }
    }

    /**
     * Checks and copies the arguments.
     *
     * @throws IllegalArgumentException with too many segments, or without a rate above 0
     */
    public Shape {
        segments = List.copyOf(segments);
        checked(then);
        if (segments.size() > MAX_SEGMENTS) {
            throw new IllegalArgumentException("a load's shape has at most 1,000 segments, not " + segments.size());
        }
        if (segments.stream().mapToDouble(Segment::nanos).sum() > LONGEST_NANOS) {
            throw new IllegalArgumentException("a load's shape lasts at most 100 years");
        }
        if (then == 0 && segments.stream().allMatch(segment -> segment.count() == 0)) {
            throw outOfRange(0);
        }
    }

    /**
     * A constant rate.
     *
     * @param rate above 0, at most {@link #MAX} per second
     */
    public static Shape flat(double rate) {
        return new Shape(List.of(), rate, format(rate));
    }

    /**
     * A linear change from one rate to another, which then stays.
     *
     * @param from 0 to {@link #MAX} per second
     * @param to the same range; not both 0
     * @param over duration of the change
     */
    public static Shape ramp(double from, double to, Duration over) {
        String text = "ramp from " + format(from) + " to " + format(to) + " in " + Durations.format(over);
        return new Shape(List.of(new Segment(from, to, Durations.nanos(over))), to, text);
    }

    /**
     * One rate after another; the last one stays.
     *
     * @param rates at least one, each 0 to {@link #MAX} per second, not all 0
     * @param each duration of each
     */
    public static Shape steps(List<Double> rates, Duration each) {
        if (rates.isEmpty()) {
            throw new IllegalArgumentException("a load in steps has at least one rate");
        }
        long nanos = Durations.nanos(each);
        List<Segment> segments =
                rates.stream().map(rate -> new Segment(rate, rate, nanos)).toList();
        String text = rates.stream().map(Shape::format).collect(Collectors.joining(", "));
        return new Shape(segments, rates.getLast(), "steps of " + Durations.format(each) + ": " + text);
    }

    /**
     * A base rate with a temporary peak.
     *
     * @param base before and after; 0 to {@link #MAX} per second
     * @param peak during the spike; the same range; not both 0
     * @param at start of the spike, since the start
     * @param lasting its duration
     */
    public static Shape spike(double base, double peak, Duration at, Duration lasting) {
        checked(base);
        return spiked(List.of(), base, format(base), peak, at, lasting);
    }

    /**
     * The same shape with a temporary peak; after it, the rate is the same as without it.
     *
     * @param peak 0 to {@link #MAX} per second
     * @param at start of the spike, since the start
     * @param lasting its duration
     */
    public Shape withSpike(double peak, Duration at, Duration lasting) {
        return spiked(segments, then, text, peak, at, lasting);
    }

    /**
     * Whether the rate is constant between two times.
     *
     * @param from nanoseconds since the start
     * @param to the same, or {@link Long#MAX_VALUE} for the end
     */
    boolean isFlat(long from, long to) {
        List<Segment> within = between(segments, then, from, to);
        double rate = within.isEmpty() ? then : within.getFirst().from();
        return within.stream().allMatch(segment -> segment.from() == rate && segment.to() == rate)
                && (to != Long.MAX_VALUE || then == rate);
    }

    @Override
    public String toString() {
        return text;
    }

    private static Shape spiked(
            List<Segment> base, double then, String text, double peak, Duration at, Duration lasting) {
        if (at.isNegative()) {
            throw new IllegalArgumentException("a spike begins at or after the start of its load");
        }
        long from = Durations.nanos(at);
        Segment spike = new Segment(peak, peak, Durations.nanos(lasting));
        List<Segment> segments = new ArrayList<>(between(base, then, 0, from));
        segments.add(spike);
        segments.addAll(between(base, then, from + spike.nanos(), Long.MAX_VALUE));
        String with =
                " with " + format(peak) + " from " + Durations.format(at) + " on for " + Durations.format(lasting);
        return new Shape(segments, then, text + with);
    }

    /** The segments between two times, extended by the final rate unless open-ended. */
    private static List<Segment> between(List<Segment> segments, double then, long from, long to) {
        List<Segment> cut = new ArrayList<>();
        long start = 0;
        for (Segment segment : segments) {
            long end = start + segment.nanos();
            long first = Math.max(start, from);
            long last = Math.min(end, to);
            if (first < last) {
                cut.add(new Segment(segment.rateAt(first - start), segment.rateAt(last - start), last - first));
            }
            start = end;
        }
        if (to != Long.MAX_VALUE && Math.max(start, from) < to) {
            cut.add(new Segment(then, then, to - Math.max(start, from)));
        }
        return cut;
    }

    private static String format(double rate) {
        boolean whole = rate == Math.rint(rate);
        return (whole ? String.valueOf((long) rate) : String.valueOf(rate)) + "/s";
    }

    private static void checked(double rate) {
        if (!(rate >= 0 && rate <= MAX)) {
            throw outOfRange(rate);
        }
    }

    private static IllegalArgumentException outOfRange(double rate) {
        return new IllegalArgumentException(
                "a rate must be above 0 and at most 1000000 transactions per second, not " + rate);
    }
}
