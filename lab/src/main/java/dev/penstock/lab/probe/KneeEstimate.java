package dev.penstock.lab.probe;

import dev.penstock.lab.probe.fit.KneeFit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The curve through the measurements of a {@link KneeSearch}, and whether they show its knee.
 *
 * @param fit the curve; null with too few levels
 * @param fitted the measurements that it fits
 * @param worked the highest concurrency without errors
 */
record KneeEstimate(@Nullable KneeFit fit, List<KneeObservation> fitted, int worked) {
    /** Half of the width of a precise interval, as a share of the knee. */
    private static final double PRECISE = 0.05;

    /** A knee this factor below a level is clearly below it. */
    private static final double CLEARLY = 1.2;

    /**
     * Fits the clean measurements.
     *
     * @param skipped the number of first measurements to leave out
     * @param seed the same seed gives the same interval
     */
    static KneeEstimate of(KneeMeasurements measured, int skipped, long seed) {
        List<KneeObservation> fitted = measured.cleanSince(skipped);
        KneeFit fit = KneeFit.of(fitted.stream().map(KneeObservation::sample).toList(), seed);
        return new KneeEstimate(fit, fitted, measured.worked());
    }

    /** Whether the knee is well below the highest concurrency without errors. */
    boolean isWellBelowWorked() {
        return fit != null && fit.chosen().knee() < worked / CLEARLY;
    }

    /** Whether a level beyond the knee was measured, and the interval ends within the measured range. */
    boolean isReached() {
        return fit != null && fit.chosen().knee() <= worked / CLEARLY && fit.high() <= CLEARLY * worked;
    }

    /** Whether more measurements of the same levels would make the interval no narrower than needed. */
    boolean isPreciseEnough() {
        return fit == null
                || !isReached()
                || fit.high() - fit.low() < 2 * PRECISE * fit.chosen().knee();
    }
}
