package dev.penstock.lab.probe;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Searches for a target's knee. Input: measurements; output: the next level to measure. Makes no calls and has
 * no clock.
 *
 * <p>First the concurrency doubles ({@link ConcurrencyClimb}). When errors are few, more calls without concurrency show
 * whether they have another cause; then the doubling goes on. For a target that refuses calls beyond some concurrency,
 * the search bisects between the highest level without errors and the lowest with errors. For any other target, levels
 * around the knee ({@link KneeEstimate}) are measured repeatedly ({@link RepeatedLevels}). The doubling phase, during
 * which both sides warm up, does not count any more as soon as there are enough rounds without it.
 *
 * <p>For one thread.
 */
public final class KneeSearch {
    /** Why the doubling phase ended. */
    public enum Bound {
        /** Throughput was flat or fell. */
        SATURATED,
        /** Some answers were wrong or missing, more than without concurrency. */
        ERRORS,
        /** This machine could not start more calls in time. */
        LATE,
        /** The budget allows no more calls per second. */
        RATE,
        /** The budget allows no more connections. */
        CONNECTIONS,
        /** The target announces that it has no more connections. */
        ANNOUNCED,
        /** The time was up. */
        TIME
    }

    /** With a smaller share of errors, it is checked whether calls fail without concurrency too. */
    private static final double FEW_ERRORS = 0.03;

    /** A level with fewer calls shows nothing. */
    private static final int FEWEST_CALLS = 3;

    /** The share of the whole time for a level of the climb. */
    private static final double CLIMB_SHARE = 1.0 / 24;

    /** Two levels are close enough when they differ by less than this factor, or by 1. */
    private static final double CLOSE = 1.1;

    private static final int MAX_BISECTIONS = 16;
    private static final int MAX_SLOWER = 8;
    private static final double SHORTEST_CALL = 1e-5;

    private final double whole;
    private final int most;
    private final KneeMeasurements measured = new KneeMeasurements();
    private final LevelDuration duration;
    private final ConcurrencyClimb climb;
    private final RepeatedLevels rounds;
    private boolean sporadicChecked;
    private int bisections;

    private KneeSearch(double whole, int most, Bound mostReason, double alone, long seed) {
        this.whole = whole;
        this.most = most;
        this.duration = new LevelDuration(measured, alone);
        this.climb = new ConcurrencyClimb(measured, most, mostReason);
        this.rounds = new RepeatedLevels(seed);
    }

    /**
     * A search.
     *
     * @param whole seconds available
     * @param most maximum concurrency, 1 or more
     * @param mostReason why it is limited to that
     * @param alone approximate seconds of a call without concurrency
     * @param seed the same seed gives the same order of levels
     */
    public static KneeSearch within(double whole, int most, Bound mostReason, double alone, long seed) {
        if (!(whole > 0) || most < 1 || !(alone >= 0)) {
            throw new IllegalArgumentException("a search needs time > 0, concurrency >= 1 and a call time >= 0");
        }
        return new KneeSearch(whole, most, mostReason, Math.max(alone, SHORTEST_CALL), seed);
    }

    /** Adds calls already made without concurrency: errors as frequent as theirs do not count at higher levels. */
    public KneeSearch sequential(long calls, long errors) {
        measured.sequential(calls, errors);
        return this;
    }

    /**
     * The next level to measure.
     *
     * @param left remaining seconds
     * @return empty when the search is over
     */
    public Optional<KneeLevel> next(double left) {
        KneeLevel check = checkOfSporadicErrors(left);
        if (check != null) {
            return Optional.of(check);
        }
        if (climb.bound() == null) {
            KneeLevel level = duration.level(climb.concurrency(), CLIMB_SHARE * whole, false);
            if (level.whole() <= left) {
                return Optional.of(level);
            }
            climb.end(Bound.TIME);
        }
        for (Integer concurrency = afterClimb(); concurrency != null; concurrency = afterClimb()) {
            KneeLevel level = duration.level(concurrency, left / rounds.left(), true);
            if (level.whole() <= left) {
                return Optional.of(level);
            }
            if (rounds.isBetweenRounds()) {
                break;
            }
        }
        return Optional.empty();
    }

    /** Once, if few calls failed: enough calls without concurrency that some of those would fail too. */
    private @Nullable KneeLevel checkOfSporadicErrors(double left) {
        int refused = measured.refused();
        if (sporadicChecked || refused == Integer.MAX_VALUE || measured.errorShare(refused) > FEW_ERRORS) {
            return null;
        }
        sporadicChecked = true;
        return duration.sequential(measured.errorShare(refused), left, FEWEST_CALLS);
    }

    private @Nullable Integer afterClimb() {
        int worked = measured.worked();
        int refused = measured.refused();
        KneeEstimate estimate = estimate();
        if (rounds.isBetweenRounds() && isBisected(worked, refused, estimate)) {
            bisections++;
            return Math.max(worked + 1, (int) Math.sqrt((double) refused * worked));
        }
        // When throughput stopped growing, levels well beyond the knee show whether it falls.
        int highest = climb.bound() == Bound.SATURATED ? Math.min(most, 2 * worked) : worked;
        return measured.clean().isEmpty() ? null : rounds.next(estimate, highest, refused);
    }

    private boolean isBisected(int worked, int refused, KneeEstimate estimate) {
        return refused < Integer.MAX_VALUE
                && bisections < MAX_BISECTIONS
                && !isClose(worked, refused)
                && !estimate.isWellBelowWorked();
    }

    private static boolean isClose(int worked, int refused) {
        return refused < Integer.MAX_VALUE && (refused - worked <= 1 || refused <= CLOSE * worked);
    }

    private KneeEstimate estimate() {
        return KneeEstimate.of(
                measured.cleanSince(rounds.sufficeWithoutClimb() ? climb.measurements() : 0), measured.worked());
    }

    /** Records the measurement of the level returned by {@link #next}. */
    public void record(KneeObservation observation) {
        if (observation.calls() < FEWEST_CALLS && observation.errors() == 0) {
            recordTooFewCalls(observation.paced());
            return;
        }
        measured.add(observation);
        climb.measured(observation);
    }

    /** Calls took far longer than expected: allows more time for the next levels, a few times. */
    private void recordTooFewCalls(boolean paced) {
        double slower = duration.doubled();
        if (climb.bound() == null && (paced || slower > MAX_SLOWER)) {
            climb.end(paced ? Bound.RATE : Bound.TIME);
        }
    }

    /** Why the doubling phase ended; null while it lasts. */
    public @Nullable Bound bound() {
        return climb.bound();
    }

    /** The reason why nothing higher is known. */
    private Bound reason() {
        if (measured.refused() < Integer.MAX_VALUE) {
            return Bound.ERRORS;
        }
        Bound bound = climb.bound();
        boolean isOfTime = bound == null || bound == Bound.TIME || bound == Bound.SATURATED;
        return isOfTime && measured.wasPaced() ? Bound.RATE : bound == null ? Bound.TIME : bound;
    }

    /** Why the measurements cannot be relied on, in one sentence with a remedy; null when they can. */
    public @Nullable String whyInvalid() {
        return measured.whyInvalid();
    }

    /** The result so far; null when there is no usable measurement. */
    public @Nullable KneeFinding finding() {
        List<KneeObservation> clean = measured.clean();
        if (clean.isEmpty()) {
            return null;
        }
        int worked = measured.worked();
        int refused = measured.refused();
        KneeSentences sentences =
                new KneeSentences(reason(), worked, refused, measured.errorShare(refused), measured.all(), clean);
        KneeEstimate estimate = estimate();
        if (estimate.isReached()) {
            return sentences.reached(estimate);
        }
        return isClose(worked, refused) ? sentences.refusing() : sentences.notReached();
    }
}
