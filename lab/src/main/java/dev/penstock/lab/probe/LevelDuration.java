package dev.penstock.lab.probe;

import org.jspecify.annotations.Nullable;

/**
 * Decides for how long a {@link KneeSearch} measures a level: enough calls to know the mean within a few percent, and
 * several per caller, as far as time allows. For one thread. In seconds.
 */
final class LevelDuration {
    private static final double WARM_UP_CALLS = 1.5;
    private static final int CALLS_EACH = 10;
    private static final int CALLS = 1_000;
    private static final int FEWEST_CALLS_EACH = 5;
    private static final double SHORTEST = 0.2;

    /** So many expected errors are enough to see whether there are any. */
    private static final int EXPECTED_ERRORS = 3;

    private final KneeMeasurements measured;
    private final double alone;
    private double slower = 1;

    /**
     * Without measurements.
     *
     * @param alone approximate seconds of a call without concurrency
     */
    LevelDuration(KneeMeasurements measured, double alone) {
        this.measured = measured;
        this.alone = alone;
    }

    /**
     * Calls took far longer than expected: later levels take twice as long.
     *
     * @return by which factor they are longer than calculated
     */
    double doubled() {
        slower *= 2;
        return slower;
    }

    /**
     * The duration of a level.
     *
     * @param share the seconds available for it; fewer than needed for {@value #FEWEST_CALLS_EACH} calls do not count
     * @param saturated whether calls beyond the measured levels take longer in proportion
     */
    KneeLevel level(int concurrency, double share, boolean saturated) {
        double each = slower * expected(concurrency, saturated);
        double wanted = Math.max(CALLS_EACH, (double) CALLS / concurrency) * each;
        double least = Math.min(SHORTEST, share);
        return new KneeLevel(
                concurrency,
                WARM_UP_CALLS * each,
                Math.clamp(wanted, least, Math.max(share, FEWEST_CALLS_EACH * each)));
    }

    /**
     * Enough calls without concurrency that some would fail if they fail as often as others.
     *
     * @param errorShare the share of others that failed
     * @return null when a quarter of the time left is too short for that
     */
    @Nullable
    KneeLevel sequential(double errorShare, double left, int fewestCalls) {
        double each = expected(1, true);
        double lasting = Math.min(EXPECTED_ERRORS / errorShare * each, left / 4);
        return lasting < fewestCalls * each ? null : new KneeLevel(1, each, lasting);
    }

    /** The expected time of a call: as at the nearest measured level. */
    private double expected(int concurrency, boolean saturated) {
        double mean = alone;
        double nearest = Double.POSITIVE_INFINITY;
        for (KneeObservation observation : measured.clean()) {
            double ratio = (double) concurrency / observation.concurrency();
            double off = Math.abs(Math.log(ratio));
            if (off < nearest) {
                nearest = off;
                mean = observation.mean() * Math.max(1, saturated ? ratio : 1);
            }
        }
        return mean;
    }
}
