package dev.penstock.lab.probe;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The second part of a {@link KneeSearch}, for a target that refuses calls beyond some concurrency: bisects between the
 * highest level without errors and the lowest with errors. For one thread.
 */
final class ErrorBisection {
    /** The two levels are close enough when they differ by less than this factor, or by 1. */
    private static final double TOLERANCE = 1.1;

    private static final int MOST = 16;

    private final KneeMeasurements measured;
    private int made;

    ErrorBisection(KneeMeasurements measured) {
        this.measured = measured;
    }

    /**
     * The geometric middle of the two levels.
     *
     * @return null when errors are not the limit, or the two are close enough
     */
    @Nullable
    Integer next(Supplier<KneeEstimate> estimate) {
        int refused = measured.refused();
        if (refused == Integer.MAX_VALUE
                || made >= MOST
                || isClosed()
                || estimate.get().isWellBelowWorked()) {
            return null;
        }
        made++;
        int worked = measured.worked();
        return Math.max(worked + 1, (int) Math.sqrt((double) refused * worked));
    }

    /** Whether the two levels are close enough. */
    boolean isClosed() {
        int worked = measured.worked();
        int refused = measured.refused();
        return refused < Integer.MAX_VALUE && (refused - worked <= 1 || refused <= TOLERANCE * worked);
    }
}
