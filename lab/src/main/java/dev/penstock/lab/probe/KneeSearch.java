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
 * Looks for the knee of a peer: a level to measure comes out, what was seen there goes in. It calls nobody and has no clock.
 *
 * <p>First it climbs, twice as many at once each time, until the answers a second are flat and stay so, or fall, or errors
 * begin, or a bound of the budget is met. A peer that refuses calls beyond some number is then closed in on between the last level
 * without errors and the first with them. For any other, levels around the bend of the fitted curve are measured again and
 * again, each round in another random order, so that a peer that warms up or tires does not look like a bend. The climb itself, on
 * which both sides warm up, is left out of the fit as soon as there are rounds enough without it.
 *
 * <p>For one thread.
 */
public final class KneeSearch {
    /** Why it climbed no further. */
    public enum Bound {
        /** The answers a second were flat, or fell. */
        BENT,
        /** More and more calls were not answered right. */
        ERRORS,
        /** The budget allows no more calls a second. */
        RATE,
        /** The budget allows no more connections. */
        CONNECTIONS,
        /** The peer says of itself that it has no more connections to give. */
        ANNOUNCED,
        /** The time was up. */
        TIME
    }

    private static final double FLAT = 1.06;
    private static final double FELL = 0.92;
    private static final double MORE_ERRORS = 0.03;
    private static final double CLOSE = 1.1;
    private static final int FEWEST_CALLS = 3;
    private static final int MOST_SLOWER = 8;
    private static final int ROUNDS = 4;
    private static final int MOST_ROUNDS = 8;
    private static final int ENOUGH_ROUNDS = 2;
    private static final double PRECISE = 0.05;
    private static final double[] AROUND = {0.25, 0.5, 0.7, 0.85, 1, 1.2, 1.5, 2};

    private final double whole;
    private final int most;
    private final long seed;
    private final Random random;
    private final List<KneeObservation> clean = new ArrayList<>();
    private final List<KneeObservation> spoilt = new ArrayList<>();
    private final Deque<Integer> round = new ArrayDeque<>();
    private int rounds;
    private int climbing = 1;
    private int climbed;
    private int flat;
    private double slower = 1;
    private final double alone;

    private Bound atMost = Bound.CONNECTIONS;

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
     * @param whole seconds that it may take
     * @param most calls at once, 1 or more
     * @param alone seconds that a call takes when there is no other, about
     * @param seed the same seed, the same order of levels
     */
    public static KneeSearch within(double whole, int most, double alone, long seed) {
        if (!(whole > 0) || most < 1 || !(alone >= 0)) {
            throw new IllegalArgumentException("a search needs some time and 1 or more calls at once");
        }
        return new KneeSearch(whole, most, Math.max(alone, 1e-5), seed);
    }

    /** Says why there are to be no more at once than the most; default {@link Bound#CONNECTIONS}. */
    public KneeSearch boundBy(Bound why) {
        atMost = why;
        return this;
    }

    /**
     * The level to measure next.
     *
     * @param left seconds that are left
     * @return empty when the search is over
     */
    public Optional<KneeLevel> next(double left) {
        if (bound == null) {
            KneeLevel level = level(climbing, left);
            if (level.whole() <= left) {
                return Optional.of(level);
            }
            bound = Bound.TIME;
        }
        for (Integer atOnce = chosen(); atOnce != null; atOnce = chosen()) {
            KneeLevel level = level(atOnce, left);
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
        Integer atOnce = round.isEmpty() ? closingIn() : null;
        return atOnce == null ? repeated() : atOnce;
    }

    /** So many calls that the mean is known to a few percent, and each caller makes several, as far as there is time. */
    private KneeLevel level(int atOnce, double left) {
        double each = slower * expected(atOnce);
        double share = bound == null ? whole / 24 : left / Math.max(1, round.size() + 1 + roundsLeft() * AROUND.length);
        double wanted = Math.max(10 * each, 1_000 * each / atOnce);
        double lasting = Math.clamp(wanted, Math.min(0.2, share), Math.max(share, 5 * each));
        return new KneeLevel(atOnce, 1.5 * each, lasting);
    }

    private int roundsLeft() {
        return Math.max(0, ROUNDS - rounds);
    }

    /** How long a call takes there: as at the nearest level that was seen, and longer in proportion beyond it. */
    private double expected(int atOnce) {
        double mean = alone;
        double nearest = Double.POSITIVE_INFINITY;
        for (KneeObservation seen : clean) {
            double off = Math.abs(Math.log((double) atOnce / seen.atOnce()));
            if (off < nearest) {
                nearest = off;
                mean = seen.mean() * Math.max(1, bound == null ? 1 : (double) atOnce / seen.atOnce());
            }
        }
        return mean;
    }

    /** Between the last level without errors and the first with them; null when that is not what bounds it, or it is done. */
    private @Nullable Integer closingIn() {
        if (bound != Bound.ERRORS || clean.isEmpty() || bentBefore()) {
            return null;
        }
        int refused = leastSpoilt();
        int taken = mostClean();
        return refused - taken <= 1 || refused <= CLOSE * taken ? null : (int) Math.sqrt((double) refused * taken);
    }

    /** Whether the curve bends well before errors begin. */
    private boolean bentBefore() {
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
        if (clean.isEmpty() || rounds >= MOST_ROUNDS) {
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
        int seen = mostClean();
        // Where it bends, what is well beyond tells the curves apart, and brackets the knee.
        int highest = bound == Bound.BENT ? Math.min(most, 2 * seen) : seen;
        double middle = fit == null ? highest / 2.0 : Math.min(fit.chosen().knee(), highest / 1.2);
        TreeSet<Integer> levels = new TreeSet<>();
        levels.add(1);
        levels.add(seen);
        for (double times : AROUND) {
            levels.add(Math.clamp(Math.round(times * middle), 1, highest));
        }
        List<Integer> shuffled = new ArrayList<>(levels);
        Collections.shuffle(shuffled, random);
        return shuffled;
    }

    /** Tells what was seen at the level that {@link #next} gave. */
    public void saw(KneeObservation seen) {
        if (seen.calls() < FEWEST_CALLS) {
            sawTooLittle();
            return;
        }
        if (seen.paced() || seen.perSecond() <= 0 || seen.errorShare() > mayErr()) {
            spoilt.add(seen);
            if (bound == null) {
                bound = seen.paced() && seen.errorShare() <= mayErr() ? Bound.RATE : Bound.ERRORS;
            }
            return;
        }
        if (bound == null) {
            climb(seen);
            climbed++;
        }
        clean.add(seen);
    }

    /** Calls took far longer than was expected: as much more time for the next levels, a few times. */
    private void sawTooLittle() {
        slower *= 2;
        if (bound == null && slower > MOST_SLOWER) {
            bound = Bound.TIME;
        }
    }

    /** A peer that errs now and then errs at every level. */
    private double mayErr() {
        return MORE_ERRORS + (clean.isEmpty() ? 0 : 2 * clean.getFirst().errorShare());
    }

    private void climb(KneeObservation seen) {
        double best = clean.stream().mapToDouble(KneeObservation::perSecond).max().orElse(0);
        double doubt =
                clean.isEmpty() ? 0 : Math.hypot(seen.doubt(), clean.getLast().doubt());
        boolean grew = seen.perSecond() > best * (FLAT + doubt);
        flat = grew ? 0 : flat + 1;
        if (flat >= 2 || seen.perSecond() < best * (FELL - 2 * doubt)) {
            bound = Bound.BENT;
        } else if (seen.atOnce() >= most) {
            bound = atMost;
        } else {
            climbing = Math.min(most, flat == 0 ? 2 * seen.atOnce() : seen.atOnce() * 3 / 2 + 1);
        }
    }

    private int mostClean() {
        return clean.stream().mapToInt(KneeObservation::atOnce).max().orElse(1);
    }

    private int leastSpoilt() {
        return spoilt.stream()
                .filter(seen -> !seen.paced() || seen.errorShare() > mayErr())
                .mapToInt(KneeObservation::atOnce)
                .min()
                .orElse(Integer.MAX_VALUE);
    }

    private @Nullable KneeFit fit() {
        List<Sample> samples = fitted().stream().map(KneeObservation::sample).toList();
        return KneeFit.of(samples, seed);
    }

    private List<KneeObservation> fitted() {
        boolean enough = rounds > ENOUGH_ROUNDS || (rounds == ENOUGH_ROUNDS && round.isEmpty());
        return enough ? clean.subList(climbed, clean.size()) : clean;
    }

    /** Whether something was measured beyond the knee, and the interval ends within what was measured. */
    private boolean isReached(KneeFit fit) {
        return fit.chosen().knee() <= mostClean() / 1.2 && fit.high() <= 1.2 * mostClean();
    }

    /** Why it climbed no further; null while it does. */
    public @Nullable Bound bound() {
        return bound;
    }

    /** What is known by now; null when nothing was measured that tells anything. */
    public @Nullable KneeFinding finding() {
        if (clean.isEmpty()) {
            return null;
        }
        List<KneeObservation> all = new ArrayList<>(clean);
        all.addAll(spoilt);
        KneeSentences words = new KneeSentences(bound == null ? Bound.TIME : bound, mostClean(), leastSpoilt(), rounds);
        KneeFit fit = fit();
        if (fit != null && isReached(fit)) {
            return words.reached(fit, fitted(), all);
        }
        return bound == Bound.ERRORS && leastSpoilt() <= Math.max(CLOSE * mostClean(), mostClean() + 1)
                ? words.refused(fit, clean, all)
                : words.notReached(fit, clean, all);
    }
}
