package dev.penstock.lab.probe;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
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

    /** After so many complete rounds the climb is left out of the estimate. */
    private static final int ENOUGH_WITHOUT_CLIMB = 2;

    /** Levels, as multiples of the knee. */
    private static final double[] AROUND = {0.25, 0.5, 0.7, 0.85, 1, 1.2, 1.5, 2};

    private static final double WITHIN = 1.2;

    private final Random random;
    private final Deque<Integer> round = new ArrayDeque<>();
    private int rounds;

    RepeatedLevels(long seed) {
        random = new Random(seed);
    }

    /** Whether no level of the current round is left. */
    boolean isBetweenRounds() {
        return round.isEmpty();
    }

    /** Whether the rounds have enough measurements for an estimate without those of the climb. */
    boolean sufficeWithoutClimb() {
        return rounds - (round.isEmpty() ? 0 : 1) >= ENOUGH_WITHOUT_CLIMB;
    }

    /** The approximate number of levels still to measure, the current one included. */
    int left() {
        return round.size() + 1 + Math.max(0, ROUNDS - rounds) * AROUND.length;
    }

    /**
     * The next level; null when there were enough rounds.
     *
     * @param estimate of the knee, at the beginning of a round
     * @param highest the highest level to measure
     * @param refused the lowest level with errors
     */
    @Nullable
    Integer next(KneeEstimate estimate, int highest, int refused) {
        if (round.isEmpty() && rounds < MAX_ROUNDS && !(rounds >= ROUNDS && estimate.isPreciseEnough())) {
            round.addAll(plan(estimate, highest));
            rounds++;
        }
        Integer next = round.poll();
        while (next != null && next >= refused) {
            next = round.poll();
        }
        return next;
    }

    private List<Integer> plan(KneeEstimate estimate, int highest) {
        double middle = Math.min(estimate.knee(), highest / WITHIN);
        TreeSet<Integer> levels = new TreeSet<>(List.of(1, estimate.worked()));
        for (double times : AROUND) {
            levels.add(Math.clamp(Math.round(times * middle), 1, highest));
        }
        List<Integer> shuffled = new ArrayList<>(levels);
        Collections.shuffle(shuffled, random);
        return shuffled;
    }
}
