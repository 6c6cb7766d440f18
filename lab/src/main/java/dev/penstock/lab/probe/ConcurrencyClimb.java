package dev.penstock.lab.probe;

import dev.penstock.lab.probe.KneeSearch.Bound;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The first part of a {@link KneeSearch}: doubles the concurrency until throughput stays flat or falls, calls fail, or
 * the budget allows no more. For one thread.
 */
final class ConcurrencyClimb {
    /** Throughput that rises by less than this factor is flat. */
    private static final double FLAT = 1.06;

    /** Throughput below this share of the best has fallen. */
    private static final double FELL = 0.92;

    private static final int FLAT_LEVELS = 2;

    private final KneeMeasurements measured;
    private final int most;
    private final Bound mostReason;
    private int concurrency = 1;
    private int measurements;
    private int flat;
    private int lateAt;
    private @Nullable Bound bound;
    private @Nullable KneeObservation failed;

    /**
     * Begins with one call at a time.
     *
     * @param most the maximum concurrency
     * @param mostReason why it is limited to that
     */
    ConcurrencyClimb(KneeMeasurements measured, int most, Bound mostReason) {
        this.measured = measured;
        this.most = most;
        this.mostReason = mostReason;
    }

    /** The next level to measure. */
    int concurrency() {
        return concurrency;
    }

    /** Why it ended; null while it lasts. */
    @Nullable
    Bound bound() {
        return bound;
    }

    void end(Bound why) {
        bound = why;
    }

    /** How many measurements it has used. Both sides warm up during them. */
    int measurements() {
        return measurements;
    }

    /** Decides what follows from a measurement that was just added. */
    void measured(KneeObservation observation) {
        KneeObservation ending = failed;
        if (bound == null) {
            use(observation);
        } else if (ending != null && measured.refused() == Integer.MAX_VALUE) {
            // Calls fail as often without concurrency: the climb goes on.
            bound = null;
            use(ending);
        }
    }

    private void use(KneeObservation observation) {
        measurements = measured.all().size();
        failed = null;
        int level = observation.concurrency();
        if (measured.isClean(observation)) {
            raise(observation);
        } else if (measured.fails(level) || observation.throughput() <= 0) {
            bound = Bound.ERRORS;
            failed = observation;
        } else if (observation.paced()) {
            bound = Bound.RATE;
        } else if (lateAt == level) {
            bound = Bound.LATE;
        } else {
            lateAt = level; // once more, because a machine may be busy for a moment
        }
    }

    private void raise(KneeObservation observation) {
        int level = observation.concurrency();
        List<KneeObservation> lower = measured.clean().stream()
                .filter(other -> other.concurrency() < level)
                .sorted(Comparator.comparingInt(KneeObservation::concurrency))
                .toList();
        double best =
                lower.stream().mapToDouble(KneeObservation::throughput).max().orElse(0);
        double error = lower.isEmpty()
                ? 0
                : Math.hypot(observation.standardError(), lower.getLast().standardError());
        flat = observation.throughput() > best * (FLAT + error) ? 0 : flat + 1;
        if (flat >= FLAT_LEVELS || observation.throughput() < best * (FELL - 2 * error)) {
            bound = Bound.SATURATED;
        } else if (level >= most) {
            bound = mostReason;
        } else {
            concurrency = Math.min(most, flat == 0 ? 2 * level : level * 3 / 2 + 1);
        }
    }
}
