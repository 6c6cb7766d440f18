package dev.penstock.lab.probe;

import dev.penstock.lab.measure.Validity;
import dev.penstock.lab.report.ProbeNote;

/**
 * The measurement of one level.
 *
 * @param concurrency concurrent calls
 * @param throughput successful answers per second
 * @param mean mean seconds of a call
 * @param errorShare the share of calls without a correct answer, 0 to 1
 * @param calls the number of calls
 * @param spread standard deviation of a call's time, as a share of the mean
 * @param lagShare the share of the mean by which this machine started calls late, 0 to 1
 * @param paced whether the budget's rate limit delayed calls, so that the measurement does not show the
 *     target's capacity
 */
public record KneeObservation(
        int concurrency,
        double throughput,
        double mean,
        double errorShare,
        long calls,
        double spread,
        double lagShare,
        boolean paced) {
    /** The lower bound of the error, whatever the number of calls: machines are not steady. */
    private static final double MIN_ERROR = 0.01;

    /** Whether this machine was measured, rather than the target. */
    boolean isLate() {
        return lagShare > Validity.MAX_LAG;
    }

    /** Whether neither this machine nor the budget held back the calls. */
    boolean showsCapacity() {
        return !paced && !isLate() && throughput > 0;
    }

    /** The number of calls without a correct answer. */
    long errors() {
        return Math.round(errorShare * calls);
    }

    /** The standard error of the throughput, as a share. */
    double standardError() {
        double byChance = spread / Math.sqrt(Math.max(1.0, (double) calls));
        return Math.sqrt(byChance * byChance + MIN_ERROR * MIN_ERROR);
    }

    ProbeNote.Point point() {
        return new ProbeNote.Point(concurrency, throughput, 1e3 * mean, errorShare);
    }
}
