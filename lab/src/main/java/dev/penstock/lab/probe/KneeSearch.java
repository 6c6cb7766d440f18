package dev.penstock.lab.probe;

import dev.penstock.lab.probe.KneeFinding.Beyond;
import dev.penstock.lab.report.Figures;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Searches for a target's knee. Input: measurements; output: the next level to measure. Makes no calls and has
 * no clock.
 *
 * <p>First the concurrency doubles, until throughput stays flat or falls, calls fail, or the budget allows no more. When
 * errors are few, more calls without concurrency show whether they have another cause; then the doubling goes on. For a
 * target that refuses calls beyond some concurrency, the search bisects between the highest level without errors and the
 * lowest with errors. For any other target, levels around the knee ({@link KneeEstimate}) are measured in several rounds,
 * each in another random order, so that drift of the target (warming up, slowing down) does not look like a knee. The
 * doubling phase, during which both sides warm up, does not count any more as soon as there are enough rounds without it.
 *
 * <p>For one thread. Times are in seconds.
 */
public final class KneeSearch {
    /** Why the doubling phase ended. */
    public enum Bound {
        /** Throughput was flat or fell. */
        SATURATED("the measurements do not agree on the knee: raise --for to learn more"),
        /** Some answers were wrong or missing, more than without concurrency. */
        ERRORS("errors began at concurrency %d, where %s %% of calls failed"),
        /** This machine could not start more calls in time. */
        LATE("this machine could not start more calls in time: probe from a machine with more cores to learn more"),
        /** The budget allows no more calls per second. */
        RATE("more calls would exceed the probe's rate limit: raise --max-rate to learn more"),
        /** The budget allows no more connections. */
        CONNECTIONS("the probe may open no more connections: raise --max-connections to learn more"),
        /** The target announces that it has no more connections. */
        ANNOUNCED("the peer's max_connections, without those reserved or in use, allows no more connections"),
        /** The time was up. */
        TIME("no time was left for higher levels: raise --for to learn more");

        private final String sentence;

        Bound(String sentence) {
            this.sentence = sentence;
        }
    }

    /**
     * The next level to measure.
     *
     * @param concurrency concurrent calls
     * @param warmUp seconds of warm-up, which do not count
     * @param lasting measured seconds
     */
    public record Level(int concurrency, double warmUp, double lasting) {
        /** The total time, in seconds. */
        public double whole() {
            return warmUp + lasting;
        }
    }

    /** With a smaller share of errors, it is checked whether calls fail without concurrency too. */
    private static final double FEW_ERRORS = 0.03;

    /** So many expected errors are enough to see whether there are any. */
    private static final int EXPECTED_ERRORS = 3;

    /** A level with fewer calls shows nothing. */
    private static final int FEWEST_CALLS = 3;

    /** The share of the whole time for a level of the climb. */
    private static final double CLIMB_SHARE = 1.0 / 24;

    /** Two levels are close enough when they differ by less than this factor, or by 1. */
    private static final double CLOSE = 1.1;

    private static final int MAX_BISECTIONS = 16;
    private static final int ROUNDS = 4;

    /** The maximum while the interval is too wide. */
    private static final int MAX_ROUNDS = 8;

    /** After so many complete rounds the climb is left out of the estimate. */
    private static final int ENOUGH_WITHOUT_CLIMB = 2;

    /** Levels, as multiples of the knee. */
    private static final double[] AROUND = {0.25, 0.5, 0.7, 0.85, 1, 1.2, 1.5, 2};

    private static final double WITHIN = 1.2;
    private static final double WARM_UP_CALLS = 1.5;
    private static final int CALLS_EACH = 10;
    private static final int CALLS = 1_000;
    private static final int FEWEST_CALLS_EACH = 5;
    private static final double SHORTEST = 0.2;
    private static final double SHORTEST_CALL = 1e-5;
    private static final int MAX_SLOWER = 8;

    private final double whole;
    private final int most;
    private final double alone;
    private final Random random;
    private final KneeMeasurements measured = new KneeMeasurements();
    private boolean sporadicChecked;
    private final ConcurrencyClimb climb;
    private int bisections;
    /** The levels left in this round. */
    private final Deque<Integer> round = new ArrayDeque<>();

    private int rounds;
    /** By how much levels take longer than calculated. */
    private double slower = 1;

    private KneeSearch(double whole, int most, Bound mostReason, double alone, long seed) {
        this.whole = whole;
        this.most = most;
        this.alone = alone;
        this.climb = new ConcurrencyClimb(measured, most, mostReason);
        this.random = new Random(seed);
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
    public Optional<Level> next(double left) {
        Level check = checkOfSporadicErrors(left);
        if (check != null) {
            return Optional.of(check);
        }
        if (climb.bound() == null) {
            Level level = level(climb.concurrency(), CLIMB_SHARE * whole, false);
            if (level.whole() <= left) {
                return Optional.of(level);
            }
            climb.end(Bound.TIME);
        }
        for (Integer next = afterClimb(); next != null; next = afterClimb()) {
            int levels = round.size() + 1 + Math.max(0, ROUNDS - rounds) * AROUND.length;
            Level level = level(next, left / levels, true);
            if (level.whole() <= left) {
                return Optional.of(level);
            }
            if (round.isEmpty()) {
                break;
            }
        }
        return Optional.empty();
    }

    /** Once, if few calls failed: enough calls without concurrency that some of those would fail too. */
    private @Nullable Level checkOfSporadicErrors(double left) {
        int refused = measured.refused();
        if (sporadicChecked || refused == Integer.MAX_VALUE || measured.errorShare(refused) > FEW_ERRORS) {
            return null;
        }
        sporadicChecked = true;
        double each = expected(1, true);
        double lasting = Math.min(EXPECTED_ERRORS / measured.errorShare(refused) * each, left / 4);
        return lasting < FEWEST_CALLS * each ? null : new Level(1, each, lasting);
    }

    /**
     * A level: enough calls to know the mean within a few percent, and several per caller, as far as time allows.
     *
     * @param share the seconds available for it; fewer than needed for {@value #FEWEST_CALLS_EACH} calls do not count
     * @param saturated whether calls beyond the measured levels take longer in proportion
     */
    private Level level(int calls, double share, boolean saturated) {
        double each = slower * expected(calls, saturated);
        double wanted = Math.max(CALLS_EACH, (double) CALLS / calls) * each;
        double least = Math.min(SHORTEST, share);
        double lasting = Math.clamp(wanted, least, Math.max(share, FEWEST_CALLS_EACH * each));
        return new Level(calls, WARM_UP_CALLS * each, lasting);
    }

    /** The expected time of a call: as at the nearest measured level. */
    private double expected(int calls, boolean saturated) {
        double mean = alone;
        double nearest = Double.POSITIVE_INFINITY;
        for (KneeObservation observation : measured.clean()) {
            double ratio = (double) calls / observation.concurrency();
            double off = Math.abs(Math.log(ratio));
            if (off < nearest) {
                nearest = off;
                mean = observation.mean() * Math.max(1, saturated ? ratio : 1);
            }
        }
        return mean;
    }

    private @Nullable Integer afterClimb() {
        int worked = measured.worked();
        int refused = measured.refused();
        KneeEstimate estimate = estimate();
        boolean isBisected = refused < Integer.MAX_VALUE
                && bisections < MAX_BISECTIONS
                && !isClose(worked, refused)
                && !estimate.isWellBelowWorked();
        if (round.isEmpty() && isBisected) {
            bisections++;
            return Math.max(worked + 1, (int) Math.sqrt((double) refused * worked));
        }
        if (measured.clean().isEmpty()) {
            return null;
        }
        if (round.isEmpty() && rounds < MAX_ROUNDS && !(rounds >= ROUNDS && estimate.isPreciseEnough())) {
            // When throughput stopped growing, levels well beyond the knee show whether it falls.
            round.addAll(around(estimate, climb.bound() == Bound.SATURATED ? Math.min(most, 2 * worked) : worked));
            rounds++;
        }
        round.removeIf(level -> level >= refused);
        return round.poll();
    }

    /** Each round verifies the highest level without errors too. */
    private List<Integer> around(KneeEstimate estimate, int highest) {
        double middle = Math.min(estimate.knee(), highest / WITHIN);
        TreeSet<Integer> levels = new TreeSet<>(List.of(1, estimate.worked()));
        for (double times : AROUND) {
            levels.add(Math.clamp(Math.round(times * middle), 1, highest));
        }
        List<Integer> shuffled = new ArrayList<>(levels);
        Collections.shuffle(shuffled, random);
        return shuffled;
    }

    private static boolean isClose(int worked, int refused) {
        return refused < Integer.MAX_VALUE && (refused - worked <= 1 || refused <= CLOSE * worked);
    }

    private KneeEstimate estimate() {
        boolean isEnough = rounds - (round.isEmpty() ? 0 : 1) >= ENOUGH_WITHOUT_CLIMB;
        return KneeEstimate.of(measured.cleanSince(isEnough ? climb.measurements() : 0), measured.worked());
    }

    /** Records the measurement of the level returned by {@link #next}. */
    public void record(KneeObservation observation) {
        if (observation.calls() < FEWEST_CALLS && observation.errors() == 0) {
            // Calls took far longer than expected: the next levels have more time, a few times.
            slower *= 2;
            if (climb.bound() == null && (observation.paced() || slower > MAX_SLOWER)) {
                climb.end(observation.paced() ? Bound.RATE : Bound.TIME);
            }
            return;
        }
        measured.add(observation);
        climb.measured(observation);
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
        double throughput = clean.stream()
                .filter(observation -> observation.concurrency() == worked)
                .mapToDouble(KneeObservation::throughput)
                .average()
                .orElse(0);
        double best =
                clean.stream().mapToDouble(KneeObservation::throughput).max().orElse(0);
        String failing = Figures.number(100 * measured.errorShare(refused));
        KneeEstimate estimate = estimate();
        if (estimate.isReached()) {
            double fall = Math.rint(100 * (1 - throughput / estimate.throughput()));
            String why = "of %d measurements, throughput at %d %s%s"
                    .formatted(
                            clean.size(),
                            worked,
                            estimate.falls() ? "is " + Figures.number(fall) + " % lower" : "is no higher",
                            reason() == Bound.ERRORS ? "; errors begin at concurrency " + refused : "");
            Beyond beyond = estimate.falls() ? Beyond.FALLS : Beyond.FLAT;
            double high = Math.min(estimate.high(), worked);
            return finding(beyond, estimate.knee(), estimate.low(), high, estimate.throughput(), why);
        }
        if (isClose(worked, refused)) {
            String why =
                    "no call failed because of concurrency at %d, and %s %% did at %d: the target refuses calls beyond that"
                            .formatted(worked, failing, refused);
            return finding(Beyond.REFUSES, worked, worked, refused, best, why);
        }
        String why = "throughput was %s/s at concurrency %d, and ".formatted(Figures.number(throughput), worked)
                + reason().sentence.formatted(refused, failing);
        return finding(null, worked, worked, worked, best, why);
    }

    private KneeFinding finding(
            @Nullable Beyond beyond, double knee, double low, double high, double best, String why) {
        return new KneeFinding(
                measured.all().stream().map(KneeObservation::point).toList(),
                beyond,
                knee,
                low,
                high,
                best,
                measured.worked(),
                why);
    }
}
