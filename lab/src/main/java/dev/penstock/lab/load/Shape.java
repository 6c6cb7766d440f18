package dev.penstock.lab.load;

import dev.penstock.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * How the rate of a load goes over time: straight lines, one after another, and in the end a rate that stays. A rate may be
 * 0 for a while; nothing is due then. Immutable.
 *
 * <pre>
 *   flat        ramp          steps         spike
 *   ______         ___             __           _
 *               __/            ___|          __| |__
 * </pre>
 *
 * @param segments what comes first, in order
 * @param then the rate that stays after them, for each second
 * @param words what it is, for people
 */
public record Shape(List<Segment> segments, double then, String words) {
    /** The highest rate, for each second. */
    public static final double MOST = 1_000_000;

    /** The most segments: 1,000. */
    public static final int MOST_SEGMENTS = 1_000;

    private static final double LONGEST_NANOS = 100 * 365.25 * 86_400e9;

    /**
     * A straight line.
     *
     * @param from its rate at its beginning, for each second
     * @param to its rate at its end
     * @param nanos its length, above 0
     */
    public record Segment(double from, double to, long nanos) {
        /**
         * Checks the ranges.
         *
         * @throws IllegalArgumentException when a rate is out of range, or the length not above 0
         */
        public Segment {
            checked(from);
            checked(to);
            if (nanos <= 0) {
                throw new IllegalArgumentException("each part of a load's shape takes some time");
            }
        }

        /** How many are due in it. */
        double count() {
            return (from + to) / 2 * (nanos / 1e9);
        }

        private double rateAt(long at) {
            return from + (to - from) * at / nanos;
        }
    }

    /**
     * Copies what it is given.
     *
     * @throws IllegalArgumentException when it has too many segments, or never a rate above 0
     */
    public Shape {
        segments = List.copyOf(segments);
        checked(then);
        if (segments.size() > MOST_SEGMENTS) {
            throw new IllegalArgumentException("a load's shape has at most 1,000 parts, not " + segments.size());
        }
        if (segments.stream().mapToDouble(Segment::nanos).sum() > LONGEST_NANOS) {
            throw new IllegalArgumentException("a load's shape lasts at most 100 years");
        }
        if (then == 0 && segments.stream().allMatch(segment -> segment.count() == 0)) {
            throw outOfRange(0);
        }
    }

    /**
     * The same rate all the time.
     *
     * @param rate above 0, at most {@link #MOST} a second
     */
    public static Shape flat(double rate) {
        return new Shape(List.of(), rate, words(rate));
    }

    /**
     * From one rate evenly to another, which stays.
     *
     * @param from 0 to {@link #MOST} a second
     * @param to the same; not both 0
     * @param over how long that takes
     */
    public static Shape ramp(double from, double to, Duration over) {
        String words = "ramp from " + words(from) + " to " + words(to) + " in " + Durations.words(over);
        return new Shape(List.of(new Segment(from, to, Durations.nanos(over))), to, words);
    }

    /**
     * One rate after another; the last one stays.
     *
     * @param rates at least one, 0 to {@link #MOST} a second each, not all 0
     * @param each how long each lasts
     */
    public static Shape steps(List<Double> rates, Duration each) {
        if (rates.isEmpty()) {
            throw new IllegalArgumentException("a load in steps has at least one rate");
        }
        long nanos = Durations.nanos(each);
        List<Segment> segments =
                rates.stream().map(rate -> new Segment(rate, rate, nanos)).toList();
        String words = rates.stream().map(Shape::words).collect(Collectors.joining(", "));
        return new Shape(segments, rates.getLast(), "steps of " + Durations.words(each) + ": " + words);
    }

    /**
     * A rate with another one for a while.
     *
     * @param base before and after; 0 to {@link #MOST} a second
     * @param peak meanwhile; the same; not both 0
     * @param at when it begins, since the start
     * @param lasting for how long
     */
    public static Shape spike(double base, double peak, Duration at, Duration lasting) {
        checked(base);
        return spiked(List.of(), base, words(base), peak, at, lasting);
    }

    /**
     * The same with another rate for a while; after it, the rate is what it would have been without.
     *
     * @param peak 0 to {@link #MOST} a second
     * @param at when it begins, since the start
     * @param lasting for how long
     */
    public Shape withSpike(double peak, Duration at, Duration lasting) {
        return spiked(segments, then, words, peak, at, lasting);
    }

    /**
     * Whether the rate is the same from one time to another.
     *
     * @param from nanoseconds since the start
     * @param to the same, or {@link Long#MAX_VALUE} for ever
     */
    boolean isFlat(long from, long to) {
        List<Segment> within = between(segments, then, from, to);
        double rate = within.isEmpty() ? then : within.getFirst().from();
        return within.stream().allMatch(segment -> segment.from() == rate && segment.to() == rate)
                && (to != Long.MAX_VALUE || then == rate);
    }

    @Override
    public String toString() {
        return words;
    }

    private static Shape spiked(
            List<Segment> base, double then, String words, double peak, Duration at, Duration lasting) {
        if (at.isNegative()) {
            throw new IllegalArgumentException("a spike begins at or after the start of its load");
        }
        long from = Durations.nanos(at);
        Segment spike = new Segment(peak, peak, Durations.nanos(lasting));
        List<Segment> segments = new ArrayList<>(between(base, then, 0, from));
        segments.add(spike);
        segments.addAll(between(base, then, from + spike.nanos(), Long.MAX_VALUE));
        String with = " with " + words(peak) + " from " + Durations.words(at) + " on for " + Durations.words(lasting);
        return new Shape(segments, then, words + with);
    }

    /** What lies between two times; the end is filled up with the last rate, unless it is open. */
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

    private static String words(double rate) {
        boolean whole = rate == Math.rint(rate);
        return (whole ? String.valueOf((long) rate) : String.valueOf(rate)) + "/s";
    }

    private static void checked(double rate) {
        if (!(rate >= 0 && rate <= MOST)) {
            throw outOfRange(rate);
        }
    }

    private static IllegalArgumentException outOfRange(double rate) {
        return new IllegalArgumentException(
                "a rate is above 0 and at most 1000000 transactions for each second, not " + rate);
    }
}
