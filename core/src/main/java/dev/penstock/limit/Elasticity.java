package dev.penstock.limit;

/**
 * How the time of a call depends on the number in flight, both as logarithms: 0 at a target without load, 1 where more in flight
 * gives no more answers, above 1 where it gives fewer. Estimated from pairs of turns by a Kalman filter whose state moves with
 * the limit; the noise of a pair is that of its times, corrected by how far pairs scatter.
 */
final class Elasticity {
    /** The variance that an estimate gains with each pair, and with the square of the way that the limit has moved. */
    private static final double DRIFT = 0.02;

    private static final double PER_MOVE = 6;

    /** A pair this many variances away is a change of the target. */
    private static final double SHIFT = 4;

    /** A level of times that differs this many errors from the expected one is a change of the target, too. */
    private static final double CHANGE = 2;

    /** What a change is not taken for: times of a target that collapses. */
    private static final double STEEPEST = 3;

    private static final double SLACK = 0.05;
    private static final double MOST_SCATTER = 10;

    private boolean known;
    private double value = 0.5;
    private double variance = 1;
    private double scatter = 1;
    private double pairVariance;
    private double lastTime = Double.NaN;
    private double lastInFlight;
    private double lastNoise;

    /**
     * Takes a pair into account.
     *
     * @param moved the way of the limit since the last pair, as a difference of logarithms
     * @return whether the target has changed
     */
    boolean add(Turn low, Turn high, long now, double moved) {
        double span = Math.log((double) high.permits() / low.permits());
        double noise = low.variance() + high.variance();
        double lowCost = low.cost(now);
        double highCost = high.cost(now);
        double measured = measured(low, high, now);
        boolean changed = detectChange(
                Math.log(lowCost * highCost) / 2,
                Math.log((double) high.permits() * low.permits()) / 2,
                noise / 4,
                Math.clamp(measured, 0, STEEPEST));
        double own = noise / (span * span);
        double prior = known ? variance + DRIFT + PER_MOVE * moved * moved : 100;
        double miss = (measured - value) * (measured - value);
        double deviation = miss / (own * scatter + prior);
        if (known) {
            scatter = Math.clamp(scatter * (1 + 0.1 * (Math.min(deviation, 9) - 1)), 1, MOST_SCATTER);
            prior += deviation > SHIFT ? miss : 0;
        }
        known = true;
        pairVariance = own * scatter + 1e-3;
        value += prior / (prior + pairVariance) * (measured - value);
        variance = prior * pairVariance / (prior + pairVariance);
        return changed;
    }

    /** What a pair shows by itself. */
    static double measured(Turn low, Turn high, long now) {
        return Math.log(high.cost(now) / low.cost(now)) / Math.log((double) high.permits() / low.permits());
    }

    /** How far what a pair shows by itself is off, as a standard deviation. */
    static double error(Turn low, Turn high) {
        return Math.sqrt(low.variance() + high.variance()) / Math.log((double) high.permits() / low.permits());
    }

    private boolean detectChange(double time, double inFlight, double noise, double measured) {
        double before = Math.clamp(value, 0, STEEPEST);
        double moved = inFlight - lastInFlight;
        double longer = time - lastTime;
        // Between the two levels the elasticity may have been the one or the other.
        double expected = Math.clamp(
                longer, Math.min(before * moved, measured * moved), Math.max(before * moved, measured * moved));
        double surprise = Double.isNaN(lastTime) ? 0 : longer - expected;
        boolean changed = Math.abs(surprise) > SLACK + CHANGE * Math.sqrt(noise + lastNoise);
        lastTime = time;
        lastInFlight = inFlight;
        lastNoise = noise;
        if (changed) {
            variance = 1;
            value = surprise < 0 ? 0.3 : 1;
        }
        return changed;
    }

    double value() {
        return value;
    }

    double variance() {
        return variance;
    }

    double error() {
        return Math.sqrt(variance);
    }

    /** The variance of the last pair alone. */
    double pairVariance() {
        return pairVariance;
    }
}
