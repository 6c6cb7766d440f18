package dev.penstock.lab.probe;

import dev.penstock.lab.probe.KneeSearch.Bound;
import dev.penstock.lab.probe.fit.KneeFit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The last part of a {@link KneeSearch}: measures levels around the knee in several rounds, each in another random
 * order, so that drift of the target (warming up, slowing down) does not look like a knee. Each round verifies the
 * highest level without errors too, and none measures a level at or above one with errors. For one thread.
 */
final class RepeatedLevels {
    private static final int ROUNDS = 4;

    /** The maximum while the interval is too wide. */
    private static final int MAX_ROUNDS = 8;

    /** After so many complete rounds the climb is left out of the fit. */
    private static final int ENOUGH_WITHOUT_CLIMB = 2;

    /** Levels, as multiples of the knee. */
    private static final double[] AROUND = {0.25, 0.5, 0.7, 0.85, 1, 1.2, 1.5, 2};

    private static final double WITHIN = 1.2;

    private final KneeMeasurements measured;
    private final ConcurrencyClimb climb;
    private final int most;
    private final Random random;
    private final Deque<Integer> round = new ArrayDeque<>();
    private int rounds;

    RepeatedLevels(KneeMeasurements measured, ConcurrencyClimb climb, int most, long seed) {
        this.measured = measured;
        this.climb = climb;
        this.most = most;
        this.random = new Random(seed);
    }

    /** Whether no level of the current round is left. */
    boolean isBetweenRounds() {
        return round.isEmpty();
    }

    /** Whether the rounds have enough measurements for a fit without those of the climb. */
    boolean sufficeWithoutClimb() {
        return rounds - (round.isEmpty() ? 0 : 1) >= ENOUGH_WITHOUT_CLIMB;
    }

    /** The approximate number of levels still to measure, the current one included. */
    int left() {
        return round.size() + 1 + Math.max(0, ROUNDS - rounds) * AROUND.length;
    }

    /** The next level; null when there were enough rounds. */
    @Nullable
    Integer next(Supplier<KneeEstimate> estimate) {
        if (round.isEmpty() && !isEnough(estimate)) {
            round.addAll(plan(estimate.get().fit()));
            rounds++;
        }
        int refused = measured.refused();
        Integer next = round.poll();
        while (next != null && next >= refused) {
            next = round.poll();
        }
        return next;
    }

    private boolean isEnough(Supplier<KneeEstimate> estimate) {
        if (measured.clean().isEmpty() || rounds >= MAX_ROUNDS) {
            return true;
        }
        return rounds >= ROUNDS && estimate.get().isPreciseEnough();
    }

    private List<Integer> plan(@Nullable KneeFit fit) {
        int worked = measured.worked();
        // When throughput stopped growing, levels well beyond the knee distinguish the models and bracket the knee.
        int highest = climb.bound() == Bound.SATURATED ? Math.min(most, 2 * worked) : worked;
        double middle = fit == null ? highest / 2.0 : Math.min(fit.chosen().knee(), highest / WITHIN);
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
}
