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
 * <p>Two levels far apart can be as good as their neighbours, and one of them much better: beyond the number at which a target
 * collapses, a bit more or less changes nothing, and small gains are lost in noise. So where calls take much longer than without
 * load, some pairs look far: down to the number that would end that, and where that gave fewer answers, up to twice the number.
 *
 * <p>Not thread-safe.
 */
final class PairSearch {
    /** The elasticity that it looks for: a tenth more in flight gives half of a percent more answers. */
    private static final double GOAL = 0.95;

    /** How far a pair looks at most, as a difference of logarithms. */
    private static final double FARTHEST_DOWN = Math.log(8);

    private static final double FARTHEST_UP = Math.log(2);

    /** Pairs beside the level between two that look far. */
    private static final int NEAR_PAIRS = 16;

    /** By how many standard deviations a number far above has to be better. */
    private static final double SURE = 0.5;

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

    /** What the next pair compares the level with. */
    private enum Look {
        NEAR,
        DOWN,
        UP
    }

    private final SplittableRandom random = new SplittableRandom(7);
    private final Elasticity elasticity = new Elasticity();
    private double delta = MOST_DELTA;
    private double stretch = 1;
    private double step = 0.5;
    private int direction;
    private int run;
    private double moved;
    private double excess;
    private double room;
    private boolean longPays;
    private boolean higherPaid;
    private int side;
    private Look look = Look.NEAR;
    private int nearPairs;
    private double tooLow;
    private double tooHigh = Double.POSITIVE_INFINITY;

    /**
     * The permits of the first half of the next pair, around a level. Which side comes first is random, so that nothing periodic
     * can look like an effect of the limit.
     */
    double first(double level) {
        look = excess > 2 * MOST_DELTA ? farther() : Look.NEAR;
        side = random.nextBoolean() ? 1 : -1;
        return half(level);
    }

    private Look farther() {
        if (higherPaid && room > 2 * MOST_DELTA) {
            return Look.UP;
        }
        nearPairs = nearPairs > 0 ? nearPairs - 1 : NEAR_PAIRS;
        return nearPairs == NEAR_PAIRS ? Look.DOWN : Look.NEAR;
    }

    /** The permits of its other half. */
    double second(double level) {
        side = -side;
        return half(level);
    }

    private double half(double level) {
        double middle = Math.round(level);
        return switch (look) {
            case NEAR -> {
                double there = level * (1 + side * delta);
                yield side > 0 ? Math.max(there, middle + 1) : Math.min(there, middle - 1);
            }
            case DOWN -> side > 0 ? level : Math.min(level * Math.exp(-Math.min(excess, FARTHEST_DOWN)), middle - 1);
            case UP -> side > 0 ? Math.max(level * Math.exp(Math.min(room, FARTHEST_UP)), middle + 1) : level;
        };
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
            nearPairs = 0;
        }
    }

    /** Whether the pair compares two levels far from each other. */
    boolean isFar() {
        return look != Look.NEAR;
    }

    /** Whether the higher level of such a pair is the better one: the level, unless the other is surely better. */
    boolean isHigherBetter(Turn low, Turn high, long now) {
        double measured = Elasticity.measured(low, high, now);
        higherPaid = measured + SURE * Elasticity.error(low, high) < GOAL;
        longPays = higherPaid || (longPays && (look == Look.UP || measured < GOAL));
        if (measured >= GOAL) {
            tooHigh(high.permits());
        }
        return higherPaid || (look == Look.DOWN && measured < GOAL);
    }

    /** Whether calls that take long give more answers than fewer calls in flight, which do not. */
    boolean longPays() {
        return longPays;
    }

    /** How much longer calls at the level take than without a sign of load, and how much longer still they may; as logarithms. */
    void take(double excess, double room) {
        this.excess = excess;
        this.room = room;
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
     */
    double next(double level, int highest) {
        double gain = Math.clamp(GOAL - elasticity.value(), -1, GOAL);
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
