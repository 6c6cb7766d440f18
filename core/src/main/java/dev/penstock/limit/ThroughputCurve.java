package dev.penstock.limit;

import dev.penstock.limit.LimitController.Plateau;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The recent throughput at each number in flight, and the slope of throughput against in-flight, both as logarithms. At a slope
 * of 1, ten percent more in flight gives ten percent more answers; at 0 it gives no more; below 0 it gives fewer.
 *
 * <h2>Design note</h2>
 *
 * <p>The slope is fitted by weighted least squares to at most {@value #MAX_POINTS} points: at a hundred answers a second, noise
 * is larger than the gain of one step. The weight of a point falls with its error, with its age (targets drift), and with its
 * distance from the point of interest (the curve has a knee and is only locally linear). A weak prior of slope {@value
 * #PRIOR_SLOPE} is used while little is known.
 *
 * <p>All points are dropped when a new one cannot belong to the same curve: ten percent more in flight can hardly change the
 * answers by more than ten percent. The oldest points are left out of the fit one by one while points scatter much more than
 * their errors explain; the remaining scatter increases the error of the slope. A line cannot represent a peak, so the curve
 * also reports the nearest number on either side that was clearly worse, and a step does not go beyond it.
 *
 * <p>No side effects; not thread-safe.
 */
final class ThroughputCurve {
    static final int MAX_POINTS = 16;

    private static final double PRIOR_SLOPE = 0.3;
    /** The width of the weight function, as a difference of logarithms: at this distance a point has 0.6 of its weight. */
    private static final double WIDTH = 0.35;

    private static final double DRIFT_PER_TURN = 0.015;
    private static final double SAME_POINT = 0.01;
    private static final double MAX_SCATTER = 4;
    private static final int MIN_POINTS = 4;
    private static final double RECENT_TURNS = 10;
    private static final double MIN_VARIANCE = 1e-5;
    /** Rates this close to the best, as a difference of logarithms, count as equal. */
    private static final double SAME_RATE = 0.02;

    /** A measurement: logarithms of the number in flight and of the rate, the variance of the latter, and its time in turns. */
    private record Point(double inFlight, double rate, double variance, double turn) {
        /** This measurement and a later one at the same number in flight, as a more precise one. */
        Point merge(double laterRate, double laterVariance, double now) {
            double sum = laterVariance + variance;
            double share = variance / sum;
            return new Point(inFlight, rate + share * (laterRate - rate), variance * (laterVariance / sum), now);
        }
    }

    private final List<Point> points = new ArrayList<>(MAX_POINTS);
    /** The oldest point used in the fit; older ones only show where throughput was worse. */
    private int oldest;

    private double now;
    private double slope = PRIOR_SLOPE;
    private double error = 1;
    private double scatter = 1;

    /** How a new point relates to the curve. */
    enum Change {
        /** It fits the curve. */
        NONE,
        /** Throughput is much higher than the curve allows: a new curve begins with this point. */
        ROSE,
        /** Throughput is much lower: a new curve begins with this point. */
        FELL
    }

    /**
     * Adds a point.
     *
     * @param permits the number in flight; above 0
     * @param perSecond useful answers per second; above 0
     * @param squaredError the squared error of the logarithm of that rate
     * @param turns the time since the last point, in turns of the controller
     */
    Change add(double permits, double perSecond, double squaredError, double turns) {
        now += turns;
        double x = Math.log(permits);
        double y = Math.log(perSecond);
        Change change = points.isEmpty() ? Change.NONE : change(x, y, squaredError);
        if (change != Change.NONE) {
            clear();
        }
        if (!points.isEmpty() && Math.abs(x - points.getLast().inFlight) < SAME_POINT) {
            points.add(points.removeLast().merge(y, squaredError, now));
            return change;
        }
        if (points.size() == MAX_POINTS) {
            points.removeFirst();
            oldest = Math.max(0, oldest - 1);
        }
        points.add(new Point(x, y, squaredError, now));
        return change;
    }

    private Change change(double x, double y, double squaredError) {
        Point last = points.getLast();
        double further = Math.abs(x - last.inFlight);
        double more = y - last.rate;
        double slack = Math.max(0.1, 4 * Math.sqrt(squaredError + last.variance));
        if (more > 1.2 * further + slack) {
            return Change.ROSE;
        }
        return more < -1.5 * further - slack ? Change.FELL : Change.NONE;
    }

    void clear() {
        points.clear();
        oldest = 0;
        slope = PRIOR_SLOPE;
        error = 1;
    }

    int size() {
        return points.size();
    }

    /** Fits the slope near a number in flight; requires at least one point. */
    void fit(double permits) {
        double at = Math.log(permits);
        fitLine(at);
        while (scatter > MAX_SCATTER && points.size() - oldest > MIN_POINTS) {
            oldest++;
            fitLine(at);
        }
    }

    private void fitLine(double at) {
        List<Point> fitted = points.subList(oldest, points.size());
        double weights = 0;
        double squaredWeights = 0;
        double sumX = 0;
        double sumY = 0;
        for (Point point : fitted) {
            double weight = weight(point, at);
            weights += weight;
            squaredWeights += weight * weight;
            sumX += weight * point.inFlight;
            sumY += weight * point.rate;
        }
        double meanX = sumX / weights;
        double meanY = sumY / weights;
        double spread = 0;
        double together = 0;
        for (Point point : fitted) {
            double weight = weight(point, at);
            double x = point.inFlight - meanX;
            spread += weight * x * x;
            together += weight * x * (point.rate - meanY);
        }
        scatter = scatter(fitted, at, meanX, meanY, together / (spread + 1), weights * weights / squaredWeights);
        double known = spread / Math.clamp(scatter, 1, 25);
        slope = (together / Math.clamp(scatter, 1, 25) + PRIOR_SLOPE) / (known + 1);
        error = 1 / Math.sqrt(known + 1);
    }

    /** The scatter of the points around the line, as a multiple of their own errors; 1 when there are too few points. */
    private double scatter(List<Point> fitted, double at, double meanX, double meanY, double steep, double many) {
        if (many <= 2.2) {
            return 1;
        }
        double misses = 0;
        for (Point point : fitted) {
            double miss = point.rate - meanY - steep * (point.inFlight - meanX);
            misses += weight(point, at) * miss * miss;
        }
        return misses / (many - 2);
    }

    private double weight(Point point, double at) {
        double far = (point.inFlight - at) / WIDTH;
        double drift = (points.getLast().turn - point.turn) * DRIFT_PER_TURN;
        return Math.exp(-far * far / 2) / (point.variance + drift * drift + MIN_VARIANCE);
    }

    /** The points of the last turns, latest first. */
    private List<Point> recent() {
        return points.reversed().stream()
                .takeWhile(point -> now - point.turn < RECENT_TURNS)
                .toList();
    }

    /**
     * The nearest number in flight, on one side of a given number, that recently gave clearly fewer answers.
     *
     * @param permits the given number
     * @param direction 1 for above it, -1 for below
     * @return that number; infinity or 0 when there is none
     */
    double nearestWorse(double permits, int direction) {
        double tried = direction * Math.log(permits);
        double nearest = Double.POSITIVE_INFINITY;
        Point last = points.getLast();
        for (Point point : recent()) {
            double x = direction * point.inFlight;
            if (x > tried + SAME_POINT) {
                double clear = 2 * Math.sqrt(point.variance + last.variance);
                if (point.rate < last.rate - clear) {
                    nearest = Math.min(nearest, x);
                }
                tried = x;
            }
        }
        return Math.exp(direction * nearest);
    }

    /**
     * The range in which more in flight recently gave no more answers; null with one point only, or when the highest number in
     * flight is also the lowest with that throughput.
     */
    @Nullable
    Plateau plateau() {
        List<Point> recent = recent();
        if (recent.isEmpty()) {
            return null;
        }
        double best = recent.stream().mapToDouble(Point::rate).max().orElseThrow();
        Point widest = Collections.max(recent, Comparator.comparingDouble(Point::inFlight));
        Point first = recent.stream()
                .filter(point -> point.rate > best - Math.max(SAME_RATE, 2 * Math.sqrt(point.variance)))
                .min(Comparator.comparingDouble(Point::inFlight))
                .orElse(widest);
        if (first.inFlight >= widest.inFlight) {
            return null;
        }
        double longer = widest.inFlight - widest.rate - (first.inFlight - first.rate);
        return new Plateau(
                (int) Math.round(Math.exp(first.inFlight)),
                (int) Math.round(Math.exp(widest.inFlight)),
                Math.expm1(longer));
    }

    /** Whether the last point has clearly lower throughput than the one before it. */
    boolean worsened() {
        if (points.size() < 2) {
            return false;
        }
        Point last = points.getLast();
        Point before = points.get(points.size() - 2);
        return last.rate < before.rate - 2 * Math.sqrt(last.variance + before.variance);
    }

    /** Whether throughput rises more steeply than a slope, by a number of standard errors; false with one point only. */
    boolean isSteeperThan(double other, double errors) {
        return points.size() > 1 && slope - other > errors * error;
    }

    /** The slope of the last fit. */
    double slope() {
        return slope;
    }

    /** The standard error of the slope. */
    double error() {
        return error;
    }

    /** What the last fit shows: the start of a sentence. */
    String reason() {
        return "10 %% more in flight gives %.1f %% more answers (+-%.1f)".formatted(10 * slope, 10 * error);
    }
}
