package dev.penstock.limit;

import java.util.SplittableRandom;

/**
 * Which number of permits the next pair of turns is to be around, from the {@link Elasticity} that pairs have shown: more while a
 * call takes hardly longer with more in flight, fewer where it takes longer in proportion.
 *
 * <p>Steps grow while the direction stays and get smaller when it turns; an uncertain estimate damps them. A step goes at most
 * half of the way to a number that was too high or too low; that knowledge fades, faster the longer it stops the search. Noisy
 * pairs get wider, then longer.
 *
 * <p>Not thread-safe.
 */
final class PairSearch {
    /** The elasticity that it looks for: a tenth more in flight gives half of a percent more answers. */
    private static final double GOAL = 0.95;

    /** It looks for less where calls take longer than this multiple of their unloaded time, as a logarithm; by how much less. */
    private static final double LONG = Math.log(1.5);

    private static final double LESS_IF_LONG = 0.3;

    private static final double LEAST_STEP = 0.2;
    private static final double MOST_STEP = 0.8;
    private static final double SURE_STEP = 0.4;
    private static final double MOST_DOWN = 0.25;
    private static final double MOST_UP = 0.7;
    /** Fewer in flight cost little where more give little, so the way down is faster. */
    private static final double DOWN = 3;

    private static final double DAMPING = 3;
    private static final double LEAST_DELTA = 0.04;
    private static final double MOST_DELTA = 0.1;
    private static final double WANTED_VARIANCE = 0.2;
    private static final double MOST_STRETCH = 8;
    private static final double FADING = 1.1;
    private static final int LONGEST_RUN = 5;

    private final SplittableRandom random = new SplittableRandom(7);
    private final Elasticity elasticity = new Elasticity();
    private double delta = MOST_DELTA;
    private double stretch = 1;
    private double step = 0.5;
    private int direction;
    private int run;
    private double moved;
    private double tooLow;
    private double tooHigh = Double.POSITIVE_INFINITY;

    /** Which side comes first in the next pair: at random, so that nothing periodic can look like an effect of the limit. */
    int firstSide() {
        return random.nextBoolean() ? 1 : -1;
    }

    /** The number of permits on one side of a level; 1 for more, -1 for fewer. */
    double beside(double level, int side) {
        double there = level * (1 + side * delta);
        double middle = Math.round(level);
        return side > 0 ? Math.max(there, middle + 1) : Math.min(there, middle - 1);
    }

    /** The highest level whose upper side is not above a number of permits. */
    double below(double most) {
        return Math.max(1, Math.min(most - 1, most / (1 + delta)));
    }

    /** By which factor turns are to be longer, because they are noisy. */
    double stretch() {
        return stretch;
    }

    Elasticity elasticity() {
        return elasticity;
    }

    /** Takes a pair around a level into account. */
    void add(Turn low, Turn high, long now) {
        if (elasticity.add(low, high, now, moved)) {
            tooLow = 0;
            tooHigh = Double.POSITIVE_INFINITY;
            step = Math.max(step, SURE_STEP);
        }
    }

    /** The level was too high, for its times. */
    void tooHigh(double level) {
        tooHigh = level;
        tooLow = 0;
    }

    /**
     * The next level.
     *
     * @param highest what was in force on the upper side of this one
     * @param slowdown how much longer than unloaded the calls of the pair took, as a logarithm
     */
    double next(double level, int highest, double slowdown) {
        double goal = GOAL - LESS_IF_LONG * Math.max(0, slowdown - LONG);
        double gain = Math.clamp(goal - elasticity.value(), -1, GOAL);
        double surplus = Math.max(0, elasticity.value() - elasticity.error() - GOAL);
        gain = gain < 0 ? Math.max(-1, DOWN * gain) : gain;
        int side = gain > 0 ? 1 : -1;
        run = side == direction ? Math.min(run + 1, LONGEST_RUN) : 1;
        step = side == direction ? Math.min(MOST_STEP, 1.3 * step) : Math.max(LEAST_STEP, step / 2);
        direction = side;
        step = gain - 1.5 * elasticity.error() > 0.5 ? Math.max(step, SURE_STEP) : step;
        double move = step * (gain - 3 * surplus) / (1 + DAMPING * elasticity.variance());
        double wanted = level * Math.exp(Math.clamp(move, -MOST_DOWN, MOST_UP));
        // Small numbers of permits would be rounded to where they are.
        wanted = gain > 0.5 ? Math.max(wanted, Math.min(level + 1, highest)) : wanted;
        return bisected(level, wanted, gain);
    }

    private double bisected(double level, double wanted, double gain) {
        double faded = Math.pow(FADING, 1 << (run - 1));
        tooHigh *= direction > 0 ? faded : FADING;
        tooLow /= direction < 0 ? faded : FADING;
        if (gain > elasticity.error()) {
            tooLow = level;
            tooHigh = tooHigh <= level ? Double.POSITIVE_INFINITY : tooHigh;
        } else if (gain < -elasticity.error()) {
            tooHigh = level;
            tooLow = tooLow >= level ? 0 : tooLow;
        }
        if (wanted > level) {
            return tooHigh > level ? Math.min(wanted, Math.sqrt(level * tooHigh)) : wanted;
        }
        return tooLow < level ? Math.max(wanted, Math.sqrt(level * tooLow)) : wanted;
    }

    /** The level has moved, for whatever reason; the next pair is made as precise as needed. */
    void moved(double from, double to) {
        moved = Math.log(to / from);
        if (elasticity.pairVariance() > WANTED_VARIANCE) {
            stretch = delta < MOST_DELTA ? stretch : Math.min(MOST_STRETCH, 1.5 * stretch);
            delta = Math.min(MOST_DELTA, 1.2 * delta);
        } else if (elasticity.pairVariance() < WANTED_VARIANCE / 3) {
            delta = stretch > 1 ? delta : Math.max(LEAST_DELTA, delta / 1.2);
            stretch = Math.max(1, stretch / 1.5);
        }
    }
}
