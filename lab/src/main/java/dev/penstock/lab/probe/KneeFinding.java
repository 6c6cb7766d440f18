package dev.penstock.lab.probe;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How many calls at once a peer takes before more of them give no more answers.
 *
 * @param points what was measured, by number at once
 * @param chosen the curve that explains them best; null when there were too few
 * @param other the curve that explains them less well; null when there is none
 * @param reached whether the knee is bracketed by what was measured; if not, {@link #knee} is only the most that was tried
 * @param knee the number at once from which on more gives nothing
 * @param low lower end of its 95 % interval
 * @param high upper end of it
 * @param bestPerSecond answers a second at the knee
 * @param why what it rests on, or why it is not reached, in one sentence with its numbers
 */
public record KneeFinding(
        List<Point> points,
        @Nullable Curve chosen,
        @Nullable Curve other,
        boolean reached,
        double knee,
        double low,
        double high,
        double bestPerSecond,
        String why) {
    /**
     * One measurement.
     *
     * @param atOnce calls at once
     * @param perSecond right answers a second
     * @param meanMillis the mean time that one took
     * @param errorShare how many of all were not answered right, 0 to 1
     */
    public record Point(int atOnce, double perSecond, double meanMillis, double errorShare) {}

    /**
     * A fitted curve.
     *
     * @param name of the model: {@code usl} or {@code capped line}
     * @param words with its parameters, for people
     * @param aic its Akaike information criterion, smaller is better
     * @param perSecond its answers a second at each place of {@link #atOnce}
     * @param atOnce places from left to right
     */
    public record Curve(String name, String words, double aic, List<Double> atOnce, List<Double> perSecond) {
        /** Copies the lists. */
        public Curve {
            atOnce = List.copyOf(atOnce);
            perSecond = List.copyOf(perSecond);
        }
    }

    /** Copies the list. */
    public KneeFinding {
        points = List.copyOf(points);
    }
}
