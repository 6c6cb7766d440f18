package dev.penstock.lab.probe;

import dev.penstock.lab.probe.fit.KneeFit;
import dev.penstock.lab.probe.fit.Sample;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Searches for a target's knee. Input: measurements; output: the next level to measure. Makes no calls and has no
 * clock.
 *
 * <p>First the concurrency doubles until throughput stays flat or falls, errors begin, or a limit of the budget is
 * reached. When errors are few, more calls without concurrency show whether they have another cause; then the doubling
 * goes on. For a target that refuses calls beyond some concurrency, the search bisects between the highest level
 * without errors and the lowest with errors. For any other target, levels around the knee of the fitted curve are
 * measured repeatedly, each round in another random order, so that drift of the target (warming up, slowing down) does
 * not look like a knee. Each round verifies the highest level without errors too, and none measures a level at or above
 * one with errors. The doubling phase, during which both sides warm up, is left out of the fit as soon as there are
 * enough rounds without it.
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

    private static final double FLAT = 1.06;
    private static final double FELL = 0.92;
    private static final double FEW_ERRORS = 0.03;
    private static final double TOLERANCE = 1.1;
    private static final int FEWEST_CALLS = 3;
    private static final int MAX_SLOWER = 8;
    private static final int MAX_BISECTIONS = 16;
    private static final int ROUNDS = 4;
    private static final int MAX_ROUNDS = 8;
    private static final int MIN_ROUNDS = 2;
    private static final double PRECISE = 0.05;
    private static final double[] AROUND = {0.25, 0.5, 0.7, 0.85, 1, 1.2, 1.5, 2};

    private final double whole;
    private final int most;
    private final long seed;
    private final Random random;
    private final KneeMeasurements measured = new KneeMeasurements();
    private final Deque<Integer> round = new ArrayDeque<>();
    private int rounds;
    private int nextConcurrency = 1;
    private int climbed;
    private int flat;
    private int lateAt;
    private int bisections;
    private boolean sporadicChecked;
    private double slower = 1;
    private final double alone;

    private Bound mostReason = Bound.CONNECTIONS;

    private @Nullable Bound bound;
    private @Nullable KneeObservation failed;

    private KneeSearch(double whole, int most, double alone, long seed) {
        this.whole = whole;
        this.most = most;
        this.alone = alone;
        this.seed = seed;
        this.random = new Random(seed);
    }

    /**
     * A search.
     *
     * @param whole seconds available
     * @param most maximum concurrency, 1 or more
     * @param alone approximate seconds of a call without concurrency
     * @param seed the same seed gives the same order of levels
     */
    public static KneeSearch within(double whole, int most, double alone, long seed) {
        if (!(whole > 0) || most < 1 || !(alone >= 0)) {
            throw new IllegalArgumentException("a search needs time > 0, concurrency >= 1 and a call time >= 0");
        }
        return new KneeSearch(whole, most, Math.max(alone, 1e-5), seed);
    }

    /** Sets the reason why concurrency is limited to the maximum; default {@link Bound#CONNECTIONS}. */
    public KneeSearch boundBy(Bound why) {
        mostReason = why;
        return this;
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
        if (bound == null) {
            KneeLevel level = level(nextConcurrency, left);
            if (level.whole() <= left) {
                return Optional.of(level);
            }
            bound = Bound.TIME;
        }
        for (Integer concurrency = chosen(); concurrency != null; concurrency = chosen()) {
            KneeLevel level = level(concurrency, left);
            if (level.whole() <= left) {
                return Optional.of(level);
            }
            if (round.isEmpty()) {
                return Optional.empty();
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
        double each = expected(1);
        double lasting = Math.min(3 / measured.errorShare(refused) * each, left / 4);
        return lasting < FEWEST_CALLS * each ? null : new KneeLevel(1, each, lasting);
    }

    private @Nullable Integer chosen() {
        Integer concurrency = round.isEmpty() ? bisected() : null;
        return concurrency == null ? repeated() : concurrency;
    }

    /** Enough calls to know the mean within a few percent, and several per caller, as far as time allows. */
    private KneeLevel level(int concurrency, double left) {
        double each = slower * expected(concurrency);
        double share = bound == null ? whole / 24 : left / Math.max(1, round.size() + 1 + roundsLeft() * AROUND.length);
        double wanted = Math.max(10 * each, 1_000 * each / concurrency);
        double lasting = Math.clamp(wanted, Math.min(0.2, share), Math.max(share, 5 * each));
        return new KneeLevel(concurrency, 1.5 * each, lasting);
    }

    private int roundsLeft() {
        return Math.max(0, ROUNDS - rounds);
    }

    /** The expected time of a call: as at the nearest measured level, and proportionally longer beyond it. */
    private double expected(int concurrency) {
        double mean = alone;
        double nearest = Double.POSITIVE_INFINITY;
        for (KneeObservation observation : measured.clean()) {
            double off = Math.abs(Math.log((double) concurrency / observation.concurrency()));
            if (off < nearest) {
                nearest = off;
                mean = observation.mean()
                        * Math.max(1, bound == null ? 1 : (double) concurrency / observation.concurrency());
            }
        }
        return mean;
    }

    /**
     * The geometric middle between the highest level without errors and the lowest with errors; null when errors are
     * not the limit, or the two are close enough.
     */
    private @Nullable Integer bisected() {
        int refused = measured.refused();
        if (refused == Integer.MAX_VALUE || bisections >= MAX_BISECTIONS || kneeIsBeforeErrors()) {
            return null;
        }
        int worked = measured.worked();
        if (isAdjacent(worked, refused)) {
            return null;
        }
        bisections++;
        return Math.max(worked + 1, (int) Math.sqrt((double) refused * worked));
    }

    private static boolean isAdjacent(int worked, int refused) {
        return refused - worked <= 1 || refused <= TOLERANCE * worked;
    }

    /** Whether the knee is well below the concurrency at which errors begin. */
    private boolean kneeIsBeforeErrors() {
        KneeFit fit = fit();
        return fit != null && fit.chosen().knee() < measured.worked() / 1.2;
    }

    private @Nullable Integer repeated() {
        if (round.isEmpty() && !isEnough()) {
            round.addAll(plan());
            rounds++;
        }
        int refused = measured.refused();
        Integer next = round.poll();
        while (next != null && next >= refused) {
            next = round.poll();
        }
        return next;
    }

    private boolean isEnough() {
        if (measured.clean().isEmpty() || rounds >= MAX_ROUNDS) {
            return true;
        }
        if (rounds < ROUNDS) {
            return false;
        }
        KneeFit fit = fit();
        return fit == null
                || !isReached(fit)
                || fit.high() - fit.low() < 2 * PRECISE * fit.chosen().knee();
    }

    private List<Integer> plan() {
        KneeFit fit = fit();
        int worked = measured.worked();
        // When throughput stopped growing, levels well beyond the knee distinguish the models and bracket the knee.
        int highest = bound == Bound.SATURATED ? Math.min(most, 2 * worked) : worked;
        double middle = fit == null ? highest / 2.0 : Math.min(fit.chosen().knee(), highest / 1.2);
        TreeSet<Integer> levels = new TreeSet<>();
        levels.add(1);
        levels.add(worked);
        for (double times : AROUND) {
            levels.add(Math.clamp(Math.round(times * middle), 1, highest));
        }
        List<Integer> shuffled = new ArrayList<>(levels);
        Collections.shuffle(shuffled, random);
        return shuffled;
    }

    /** Records the measurement of the level returned by {@link #next}. */
    public void record(KneeObservation observation) {
        if (observation.calls() < FEWEST_CALLS && observation.errors() == 0) {
            recordTooFewCalls(observation.paced());
            return;
        }
        measured.add(observation);
        if (bound == null) {
            climb(observation);
        } else if (failed != null && measured.refused() == Integer.MAX_VALUE) {
            // Calls fail as often without concurrency: the climb goes on.
            bound = null;
            climb(failed);
        }
    }

    /** Calls took far longer than expected: allows more time for the next levels, a few times. */
    private void recordTooFewCalls(boolean paced) {
        slower *= 2;
        if (bound == null && (paced || slower > MAX_SLOWER)) {
            bound = paced ? Bound.RATE : Bound.TIME;
        }
    }

    private void climb(KneeObservation observation) {
        climbed = measured.size();
        failed = null;
        int concurrency = observation.concurrency();
        if (measured.isClean(observation)) {
            raise(observation);
        } else if (measured.fails(concurrency) || observation.throughput() <= 0) {
            bound = Bound.ERRORS;
            failed = observation;
        } else if (observation.paced()) {
            bound = Bound.RATE;
        } else if (lateAt == concurrency) {
            bound = Bound.LATE;
        } else {
            lateAt = concurrency; // once more, because a machine may be busy for a moment
        }
    }

    private void raise(KneeObservation observation) {
        List<KneeObservation> lower = measured.clean().stream()
                .filter(other -> other.concurrency() < observation.concurrency())
                .sorted(Comparator.comparingInt(KneeObservation::concurrency))
                .toList();
        double best =
                lower.stream().mapToDouble(KneeObservation::throughput).max().orElse(0);
        double standardError = lower.isEmpty()
                ? 0
                : Math.hypot(observation.standardError(), lower.getLast().standardError());
        boolean grew = observation.throughput() > best * (FLAT + standardError);
        flat = grew ? 0 : flat + 1;
        if (flat >= 2 || observation.throughput() < best * (FELL - 2 * standardError)) {
            bound = Bound.SATURATED;
        } else if (observation.concurrency() >= most) {
            bound = mostReason;
        } else {
            nextConcurrency =
                    Math.min(most, flat == 0 ? 2 * observation.concurrency() : observation.concurrency() * 3 / 2 + 1);
        }
    }

    private @Nullable KneeFit fit() {
        List<Sample> samples = fitted().stream().map(KneeObservation::sample).toList();
        return KneeFit.of(samples, seed);
    }

    private List<KneeObservation> fitted() {
        boolean enough = rounds > MIN_ROUNDS || (rounds == MIN_ROUNDS && round.isEmpty());
        return enough ? measured.cleanSince(climbed) : measured.clean();
    }

    /** Whether a level beyond the knee was measured, and the interval ends within the measured range. */
    private boolean isReached(KneeFit fit) {
        int worked = measured.worked();
        return fit.chosen().knee() <= worked / 1.2 && fit.high() <= 1.2 * worked;
    }

    /** Why the doubling phase ended; null while it lasts. */
    public @Nullable Bound bound() {
        return bound;
    }

    /** The reason why nothing higher is known. */
    private Bound reason() {
        if (measured.refused() < Integer.MAX_VALUE) {
            return Bound.ERRORS;
        }
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
                new KneeSentences(reason(), worked, refused, measured.errorShare(refused), measured.all());
        KneeFit fit = fit();
        if (fit != null && isReached(fit)) {
            return sentences.reached(fit, fitted());
        }
        return refused < Integer.MAX_VALUE && isAdjacent(worked, refused)
                ? sentences.refused(fit, clean)
                : sentences.notReached(fit, clean);
    }
}
