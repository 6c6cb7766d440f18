package dev.penstock.collapse;

/**
 * A linear model of the call time: {@code base + perItem * items + perCall * others}, where {@code others} is the number of
 * calls in progress when this one begins. A call begins when its batch is closed, so {@code perCall} covers the wait for other
 * calls: for capacity of a busy target, and for permits of the flow's own limit. All batchers of a target share one model.
 *
 * <h2>Design note</h2>
 *
 * <p>Weighted least squares on exponentially decaying sums over {@value #CALLS} calls, or {@value #SECONDS} s if those are
 * more calls. The weight of a call is 1 / expected time, since long calls vary more than short ones. A call time is capped at
 * {@value #STRAY} times its expected value. The first {@value #FIRST} calls only determine the base.
 *
 * <p>A coefficient counts only as far as it exceeds {@value #STANDARD_ERRORS} times its standard error (the positive-part
 * estimator of James and Stein, Estimation with quadratic loss, 1961). While all calls have the same size there is no evidence
 * that items cost time; then larger batches are tried, which provides it. Batches of closed-loop callers that return
 * together cannot grow, so smaller ones are tried until items are known to account for less than {@value #UNPROVEN} of the time.
 *
 * <p>Safe for many threads.
 */
final class CallTimeModel {
    private static final double CALLS = 64;
    private static final double SECONDS = 4;
    private static final double STRAY = 4;
    private static final double LEAST_EXPECTED = 0.25;
    private static final double STANDARD_ERRORS = 2.5;
    private static final double UNPROVEN = 0.3;
    private static final int FIRST = 8;
    private static final double COLLINEAR = 1e-6;

    /**
     * The fitted coefficients, in nanoseconds.
     *
     * @param base the fixed time of a call; 0 or more
     * @param perItem the time per request in it; 0 or more
     * @param perCall the time per other call in progress; 0 or more
     */
    record Fit(double base, double perItem, double perCall) {
        private static final Fit UNKNOWN = new Fit(0, 0, 0);

        /** Whether any call was recorded. */
        boolean isKnown() {
            return base + perItem + perCall > 0;
        }
    }

    private int out;
    private int first;
    private double typical;
    private long lastAt;
    private double calls;
    private double weights;
    private double items;
    private double others;
    private double time;
    private double itemsItems;
    private double itemsOthers;
    private double othersOthers;
    private double itemsTime;
    private double othersTime;
    private double residuals;
    private double perItem;
    private double perCall;
    private double itemError = Double.POSITIVE_INFINITY;
    private Fit fit = Fit.UNKNOWN;

    /** A call begins; returns the number of other calls in progress. */
    synchronized int begin() {
        return out++;
    }

    /** A call has ended, answered or not. */
    synchronized void end() {
        out--;
    }

    synchronized Fit fit() {
        return fit;
    }

    /** The mean number of requests per call while they may account for much of its time, without evidence; otherwise 0. */
    synchronized int unprovenSize() {
        double possible = (perItem + STANDARD_ERRORS * Math.sqrt(itemError)) * items;
        return fit.perItem() > 0 || possible <= UNPROVEN * time ? 0 : (int) items;
    }

    /**
     * Records an answered call.
     *
     * @param now the current time
     * @param nanos its duration
     * @param size its number of requests
     * @param among the number of other calls in progress when it began
     */
    synchronized void sample(long now, long nanos, int size, int among) {
        if (first < FIRST) {
            typical += (nanos - typical) / ++first;
            items += (size - items) / first;
            time = typical;
            fit = new Fit(time, 0, 0);
        } else {
            fade(now);
            double expected = Math.max(expected(size, among), Math.max(1, LEAST_EXPECTED * typical));
            double took = Math.min((double) nanos, STRAY * expected);
            typical += (took - typical) / CALLS;
            add(size, among, took, 1 / expected);
            residuals += (took - expected) * (took - expected) / expected;
            solve();
        }
        lastAt = now;
    }

    private double expected(double size, double among) {
        return time + perItem * (size - items) + perCall * (among - others);
    }

    private void fade(long now) {
        double kept = Math.exp(-Math.min(1 / CALLS, Math.max(0, now - lastAt) / (SECONDS * 1e9)));
        calls *= kept;
        weights *= kept;
        itemsItems *= kept;
        itemsOthers *= kept;
        othersOthers *= kept;
        itemsTime *= kept;
        othersTime *= kept;
        residuals *= kept;
    }

    /** Updates the means, and the sums of squares and products around them (Welford, 1962). */
    private void add(double size, double among, double took, double weight) {
        calls++;
        weights += weight;
        double share = weight / weights;
        double itemsOff = size - items;
        double othersOff = among - others;
        double timeOff = took - time;
        items += share * itemsOff;
        others += share * othersOff;
        time += share * timeOff;
        double left = weight * (1 - share);
        itemsItems += left * itemsOff * itemsOff;
        itemsOthers += left * itemsOff * othersOff;
        othersOthers += left * othersOff * othersOff;
        itemsTime += left * itemsOff * timeOff;
        othersTime += left * othersOff * timeOff;
    }

    private void solve() {
        double variance = residuals / calls;
        double determinant = itemsItems * othersOthers - itemsOthers * itemsOthers;
        double callError = 0;
        itemError = Double.POSITIVE_INFINITY;
        perItem = 0;
        perCall = 0;
        if (determinant > COLLINEAR * itemsItems * othersOthers) {
            perItem = (itemsTime * othersOthers - othersTime * itemsOthers) / determinant;
            perCall = (othersTime * itemsItems - itemsTime * itemsOthers) / determinant;
            itemError = variance * othersOthers / determinant;
            callError = variance * itemsItems / determinant;
        } else if (itemsItems > 0) {
            perItem = itemsTime / itemsItems;
            itemError = variance / itemsItems;
        } else if (othersOthers > 0) {
            perCall = othersTime / othersOthers;
            callError = variance / othersOthers;
        }
        boolean enough = calls >= FIRST;
        double item = enough ? shrunk(perItem, itemError) : 0;
        double call = enough ? shrunk(perCall, callError) : 0;
        fit = new Fit(Math.max(0, time - item * items - call * others), item, call);
    }

    private static double shrunk(double value, double variance) {
        return value <= 0 ? 0 : value * Math.max(0, 1 - STANDARD_ERRORS * STANDARD_ERRORS * variance / (value * value));
    }
}
