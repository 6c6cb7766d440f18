package dev.penstock.lab.probe;

import dev.penstock.lab.probe.fit.KneeFit;
import dev.penstock.lab.probe.fit.Sample;
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
 * Searches for a target's knee. Input: measurements; output: the next level to measure. Makes no calls and has no
 * clock.
 *
 * <p>First the concurrency doubles until throughput stays flat or falls, errors begin, or a limit of the budget is
 * reached. For a target that refuses calls beyond some concurrency, the search then bisects between the highest level
 * without errors and the lowest with errors. For any other target, levels around the knee of the fitted curve are
 * measured repeatedly, each round in another random order, so that drift of the target (warming up, slowing down) does
 * not look like a knee. The doubling phase, during which both sides warm up, is left out of the fit as soon as there
 * are enough rounds without it.
 *
 * <p>For one thread.
 */
public final class KneeSearch {
    /** Why the doubling phase ended. */
    public enum Bound {
        /** Throughput was flat or fell. */
        SATURATED,
        /** The share of wrong or missing answers grew. */
        ERRORS,
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
    private static final double MORE_ERRORS = 0.03;
    private static final double TOLERANCE = 1.1;
    private static final int FEWEST_CALLS = 3;
    private static final int MAX_SLOWER = 8;
    private static final int ROUNDS = 4;
    private static final int MAX_ROUNDS = 8;
    private static final int MIN_ROUNDS = 2;
    private static final double PRECISE = 0.05;
    private static final double[] AROUND = {0.25, 0.5, 0.7, 0.85, 1, 1.2, 1.5, 2};

    private final double whole;
    private final int most;
    private final long seed;
    private final Random random;
    private final List<KneeObservation> clean = new ArrayList<>();
    private final List<KneeObservation> erroneous = new ArrayList<>();
    private final Deque<Integer> round = new ArrayDeque<>();
    private int rounds;
    private int nextConcurrency = 1;
    private int doublingSteps;
    private int flat;
    private double slower = 1;
    private final double alone;

    private Bound mostReason = Bound.CONNECTIONS;

    private @Nullable Bound bound;

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

    /**
     * The next level to measure.
     *
     * @param left remaining seconds
     * @return empty when the search is over
     */
    public Optional<KneeLevel> next(double left) {
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
        for (KneeObservation observation : clean) {
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
        if (bound != Bound.ERRORS || clean.isEmpty() || kneeIsBeforeErrors()) {
            return null;
        }
        int refused = leastErroneous();
        int taken = mostClean();
        return refused - taken <= 1 || refused <= TOLERANCE * taken ? null : (int) Math.sqrt((double) refused * taken);
    }

    /** Whether the knee is well below the concurrency at which errors begin. */
    private boolean kneeIsBeforeErrors() {
        KneeFit fit = fit();
        return fit != null && fit.chosen().knee() < mostClean() / 1.2;
    }

    private @Nullable Integer repeated() {
        if (round.isEmpty() && !isEnough()) {
            round.addAll(plan());
            rounds++;
        }
        return round.poll();
    }

    private boolean isEnough() {
        if (clean.isEmpty() || rounds >= MAX_ROUNDS) {
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
        int highestClean = mostClean();
        // When throughput stopped growing, levels well beyond the knee distinguish the models and bracket the knee.
        int highest = bound == Bound.SATURATED ? Math.min(most, 2 * highestClean) : highestClean;
        double middle = fit == null ? highest / 2.0 : Math.min(fit.chosen().knee(), highest / 1.2);
        TreeSet<Integer> levels = new TreeSet<>();
        levels.add(1);
        levels.add(highestClean);
        for (double times : AROUND) {
            levels.add(Math.clamp(Math.round(times * middle), 1, highest));
        }
        List<Integer> shuffled = new ArrayList<>(levels);
        Collections.shuffle(shuffled, random);
        return shuffled;
    }

    /** Records the measurement of the level returned by {@link #next}. */
    public void record(KneeObservation observation) {
        if (observation.calls() < FEWEST_CALLS) {
            recordTooFewCalls();
            return;
        }
        if (observation.paced() || observation.throughput() <= 0 || observation.errorShare() > acceptedErrors()) {
            erroneous.add(observation);
            if (bound == null) {
                bound = observation.paced() && observation.errorShare() <= acceptedErrors() ? Bound.RATE : Bound.ERRORS;
            }
            return;
        }
        if (bound == null) {
            raise(observation);
            doublingSteps++;
        }
        clean.add(observation);
    }

    /** Calls took far longer than expected: allows more time for the next levels, a few times. */
    private void recordTooFewCalls() {
        slower *= 2;
        if (bound == null && slower > MAX_SLOWER) {
            bound = Bound.TIME;
        }
    }

    /** The accepted error share: a target with sporadic errors has them at every level. */
    private double acceptedErrors() {
        return MORE_ERRORS + (clean.isEmpty() ? 0 : 2 * clean.getFirst().errorShare());
    }

    private void raise(KneeObservation observation) {
        double best =
                clean.stream().mapToDouble(KneeObservation::throughput).max().orElse(0);
        double standardError = clean.isEmpty()
                ? 0
                : Math.hypot(observation.standardError(), clean.getLast().standardError());
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

    private int mostClean() {
        return clean.stream().mapToInt(KneeObservation::concurrency).max().orElse(1);
    }

    private int leastErroneous() {
        return erroneous.stream()
                .filter(observation -> !observation.paced() || observation.errorShare() > acceptedErrors())
                .mapToInt(KneeObservation::concurrency)
                .min()
                .orElse(Integer.MAX_VALUE);
    }

    private @Nullable KneeFit fit() {
        List<Sample> samples = fitted().stream().map(KneeObservation::sample).toList();
        return KneeFit.of(samples, seed);
    }

    private List<KneeObservation> fitted() {
        boolean enough = rounds > MIN_ROUNDS || (rounds == MIN_ROUNDS && round.isEmpty());
        return enough ? clean.subList(doublingSteps, clean.size()) : clean;
    }

    /** Whether a level beyond the knee was measured, and the interval ends within the measured range. */
    private boolean isReached(KneeFit fit) {
        return fit.chosen().knee() <= mostClean() / 1.2 && fit.high() <= 1.2 * mostClean();
    }

    /** Why the doubling phase ended; null while it lasts. */
    public @Nullable Bound bound() {
        return bound;
    }

    /** The result so far; null when there is no usable measurement. */
    public @Nullable KneeFinding finding() {
        if (clean.isEmpty()) {
            return null;
        }
        List<KneeObservation> all = new ArrayList<>(clean);
        all.addAll(erroneous);
        KneeSentences sentences =
                new KneeSentences(bound == null ? Bound.TIME : bound, mostClean(), leastErroneous(), rounds);
        KneeFit fit = fit();
        if (fit != null && isReached(fit)) {
            return sentences.reached(fit, fitted(), all);
        }
        return bound == Bound.ERRORS && leastErroneous() <= Math.max(TOLERANCE * mostClean(), mostClean() + 1)
                ? sentences.refused(fit, clean, all)
                : sentences.notReached(fit, clean, all);
    }
}
