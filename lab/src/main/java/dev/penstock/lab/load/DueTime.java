package dev.penstock.lab.load;

import java.util.List;

/**
 * When a shape's rate has added up to a count: the inverse of its integral. Counts are asked for in rising order, so it only
 * ever goes forward.
 *
 * <h2>Design note</h2>
 *
 * <p>On a segment from rate a to rate b in the time d, c are due after t = 2c / (a + sqrt(a^2 + 2c(b - a)/d)). That is the
 * solution of a quadratic equation in the form that cancels no digits, and that also holds where a = b. Where the rate is 0
 * the count stands still, and what is due just then is due when the rate rises again.
 *
 * <p>For one thread.
 */
final class DueTime {
    /** Nothing is due any more. */
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
     * When so many are due.
     *
     * @param count not less than the one before, from 0 on
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
        last = Math.max(last, due); // where a rate sinks to 0, the root's last digits are lost
        return last;
    }

    private double within(double left) {
        double a = from[at];
        double root = Math.sqrt(Math.max(a * a + 2 * left * (to[at] - a) / nanos[at], 0));
        return left == 0 ? 0 : 2 * left / (a + root);
    }
}
