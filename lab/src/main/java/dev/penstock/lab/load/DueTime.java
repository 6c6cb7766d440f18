package dev.penstock.lab.load;

import java.util.List;

/**
 * The time at which the integral of a shape's rate reaches a count: the inverse of the integral. Counts are requested
 * in ascending order.
 * <h2>Design note</h2>
 *
 * <p>On a segment from rate a to rate b of duration d, count c is reached after t = 2c / (a + sqrt(a^2 + 2c(b - a)/d)).
 * This form of the quadratic solution avoids cancellation and also holds for a = b. While the rate is 0 the count
 * stands still; a count reached at that moment is due when the rate rises again.
 *
 * <p>For one thread.
 */
final class DueTime {
    /** Nothing more is due. */
    static final long NEVER = Long.MAX_VALUE;

    private final double[] from;
    private final double[] to;
    private final long[] nanos;
    private final double[] counts;
    private final double then;
    private int at;
    private double countBefore;
    private long nanosBefore;
    private long last;

    DueTime(Shape shape) {
        List<Shape.Segment> segments = shape.segments();
        from = segments.stream().mapToDouble(Shape.Segment::from).toArray();
        to = segments.stream().mapToDouble(Shape.Segment::to).toArray();
        nanos = segments.stream().mapToLong(Shape.Segment::nanos).toArray();
        counts = segments.stream().mapToDouble(Shape.Segment::count).toArray();
        then = shape.then();
    }

    /**
     * The time at which this count is reached.
     *
     * @param count ascending, from 0
     * @return nanoseconds since the start, or {@link #NEVER}
     */
    long of(double count) {
        while (at < nanos.length && count >= countBefore + counts[at]) {
            countBefore += counts[at];
            nanosBefore += nanos[at];
            at++;
        }
        double left = Math.max(count - countBefore, 0) * 1e9;
        long more =
                at < nanos.length ? Math.min((long) within(left), nanos[at]) : then == 0 ? NEVER : (long) (left / then);
        long due = more >= NEVER - nanosBefore ? NEVER : nanosBefore + more;
        last = Math.max(last, due); // where a rate falls to 0, rounding of the root could step back
        return last;
    }

    private double within(double left) {
        double a = from[at];
        double root = Math.sqrt(Math.max(a * a + 2 * left * (to[at] - a) / nanos[at], 0));
        return left == 0 ? 0 : 2 * left / (a + root);
    }
}
