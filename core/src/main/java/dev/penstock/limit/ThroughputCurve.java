package dev.penstock.limit;

import org.jspecify.annotations.Nullable;

/**
 * The recent throughput at each number in flight, and the slope of throughput against in-flight, both as logarithms. At a slope
 * of 1, ten percent more in flight gives ten percent more answers; at 0 it gives no more; below 0 it gives fewer.
 *
 * <h2>Design note</h2>
 *
 * <p>The slope is fitted by weighted least squares to at most {@value #MAX_POINTS} points. The weight of a point falls with its
 * error, with its age (targets drift), and with its distance from the point of interest (the curve has a knee and is only
 * locally linear). A weak prior of slope {@value #PRIOR_SLOPE} is used while little is known.
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

    private final double[] inFlight = new double[MAX_POINTS];
    private final double[] rate = new double[MAX_POINTS];
    private final double[] variance = new double[MAX_POINTS];
    private final double[] turn = new double[MAX_POINTS];
    private int size;
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
        Change change = size == 0 ? Change.NONE : change(x, y, squaredError);
        if (change != Change.NONE) {
            clear();
        }
        if (size > 0 && Math.abs(x - inFlight[size - 1]) < SAME_POINT) {
            merge(y, squaredError);
        } else {
            append(x, y, squaredError);
        }
        return change;
    }

    private Change change(double x, double y, double squaredError) {
        double further = Math.abs(x - inFlight[size - 1]);
        double more = y - rate[size - 1];
        double slack = Math.max(0.1, 4 * Math.sqrt(squaredError + variance[size - 1]));
        if (more > 1.2 * further + slack) {
            return Change.ROSE;
        }
        return more < -1.5 * further - slack ? Change.FELL : Change.NONE;
    }

    /** Combines two measurements at the same number in flight into a more precise one. */
    private void merge(double y, double squaredError) {
        int last = size - 1;
        double share = variance[last] / (squaredError + variance[last]);
        rate[last] += share * (y - rate[last]);
        variance[last] *= squaredError / (squaredError + variance[last]);
        turn[last] = now;
    }

    private void append(double x, double y, double squaredError) {
        if (size == MAX_POINTS) {
            removeFirst();
        }
        inFlight[size] = x;
        rate[size] = y;
        variance[size] = squaredError;
        turn[size] = now;
        size++;
    }

    private void removeFirst() {
        size--;
        oldest = Math.max(0, oldest - 1);
        System.arraycopy(inFlight, 1, inFlight, 0, size);
        System.arraycopy(rate, 1, rate, 0, size);
        System.arraycopy(variance, 1, variance, 0, size);
        System.arraycopy(turn, 1, turn, 0, size);
    }

    void clear() {
        size = 0;
        oldest = 0;
        slope = PRIOR_SLOPE;
        error = 1;
    }

    int size() {
        return size;
    }

    /** Fits the slope near a number in flight; requires at least one point. */
    void fit(double permits) {
        double at = Math.log(permits);
        fitLine(at);
        while (scatter > MAX_SCATTER && size - oldest > MIN_POINTS) {
            oldest++;
            fitLine(at);
        }
    }

    private void fitLine(double at) {
        double weights = 0;
        double squaredWeights = 0;
        double sumX = 0;
        double sumY = 0;
        for (int point = oldest; point < size; point++) {
            double weight = weight(point, at);
            weights += weight;
            squaredWeights += weight * weight;
            sumX += weight * inFlight[point];
            sumY += weight * rate[point];
        }
        double meanX = sumX / weights;
        double meanY = sumY / weights;
        double spread = 0;
        double together = 0;
        for (int point = oldest; point < size; point++) {
            double weight = weight(point, at);
            double x = inFlight[point] - meanX;
            spread += weight * x * x;
            together += weight * x * (rate[point] - meanY);
        }
        scatter = scatter(at, meanX, meanY, together / (spread + 1), weights * weights / squaredWeights);
        double known = spread / Math.clamp(scatter, 1, 25);
        slope = (together / Math.clamp(scatter, 1, 25) + PRIOR_SLOPE) / (known + 1);
        error = 1 / Math.sqrt(known + 1);
    }

    /** The scatter of the points around the line, as a multiple of their own errors; 1 when there are too few points. */
    private double scatter(double at, double meanX, double meanY, double steep, double many) {
        if (many <= 2.2) {
            return 1;
        }
        double misses = 0;
        for (int point = oldest; point < size; point++) {
            double miss = rate[point] - meanY - steep * (inFlight[point] - meanX);
            misses += weight(point, at) * miss * miss;
        }
        return misses / (many - 2);
    }

    private double weight(int point, double at) {
        double far = (inFlight[point] - at) / WIDTH;
        double drift = (turn[size - 1] - turn[point]) * DRIFT_PER_TURN;
        return Math.exp(-far * far / 2) / (variance[point] + drift * drift + MIN_VARIANCE);
    }

    /**
     * The nearest number in flight, on one side of a given number, that recently gave clearly fewer answers.
     *
     * @param permits the given number
     * @param direction 1 for above it, -1 for below
     * @return that number; infinity or 0 when there is none
     */
    double nearestWorse(double permits, int direction) {
        double at = direction * Math.log(permits);
        double best = rate[size - 1];
        double tried = at;
        double nearest = Double.POSITIVE_INFINITY;
        for (int point = size - 1; point >= 0 && now - turn[point] < RECENT_TURNS; point--) {
            double x = direction * inFlight[point];
            if (x > tried + SAME_POINT) {
                double clear = 2 * Math.sqrt(variance[point] + variance[size - 1]);
                if (rate[point] < best - clear) {
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
        double best = Double.NEGATIVE_INFINITY;
        int widest = -1;
        for (int point = size - 1; point >= 0 && now - turn[point] < RECENT_TURNS; point--) {
            best = Math.max(best, rate[point]);
            widest = widest < 0 || inFlight[point] > inFlight[widest] ? point : widest;
        }
        int first = widest;
        for (int point = size - 1; point >= 0 && now - turn[point] < RECENT_TURNS; point--) {
            boolean asGood = rate[point] > best - Math.max(SAME_RATE, 2 * Math.sqrt(variance[point]));
            first = asGood && inFlight[point] < inFlight[first] ? point : first;
        }
        if (first == widest) {
            return null;
        }
        double longer = inFlight[widest] - rate[widest] - (inFlight[first] - rate[first]);
        return new Plateau(
                (int) Math.round(Math.exp(inFlight[first])),
                (int) Math.round(Math.exp(inFlight[widest])),
                Math.expm1(longer));
    }

    /** Whether the last point has clearly lower throughput than the one before it. */
    boolean worsened() {
        int last = size - 1;
        return last > 0 && rate[last] < rate[last - 1] - 2 * Math.sqrt(variance[last] + variance[last - 1]);
    }

    /** The slope of the last fit. */
    double slope() {
        return slope;
    }

    /** The standard error of the slope. */
    double error() {
        return error;
    }
}
