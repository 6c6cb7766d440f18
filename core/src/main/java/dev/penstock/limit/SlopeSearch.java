package dev.penstock.limit;

import dev.penstock.limit.ThroughputCurve.Change;

/**
 * Moves the limit along the slope of throughput against in-flight: up while it rises, down where it is flat or falls. In between
 * it tries a slightly higher and a slightly lower limit in turn, to detect changes of the target.
 *
 * <h2>Design note</h2>
 *
 * <p>The level is the best known limit. Measurements are made beside it, since a slope needs two points. One measurement is a
 * turn: a {@link LoadWindow} at a constant number of permits, which lasts until its error is small against the change in
 * throughput that is looked for.
 *
 * <p>Steps follow the gain, and double or triple while they keep their direction. Where the line is fitted through a peak, or
 * the curve is too steep for a line, the step ends halfway to the nearest limit known to be worse, or to the cap by refusals.
 *
 * <p>Sources: the slope as the signal is that of PCC Vivace (Dong et al., NSDI 2018) and of Uber's Cinnamon; steps that
 * grow while they pay are Vivace's confidence amplifier. The step that grows with the noise is our addition.
 *
 * <p>No side effects; not thread-safe.
 */
final class SlopeSearch {
    /** The minimum gain of a higher limit: percent more answers for each percent more in flight. */
    static final double MIN_GAIN = 0.05;

    /** A slope that exceeds the minimum gain by this many standard errors is followed. */
    static final double CLEAR_ERRORS = 0.3;

    /** From this slope on, throughput grows almost in proportion. */
    static final double STEEP_SLOPE = 0.7;

    /** Below this slope, with its error added, throughput does not grow. */
    private static final double FLAT_SLOPE = 0.08;

    /** The step for a gain of 1 at a pace of 1, as a difference of logarithms. */
    private static final double GAIN = 0.5;

    private static final double INITIAL_PACE = 1.4;
    private static final double FAST_PACE = 0.4;
    private static final double SLOW_PACE = 0.1;
    private static final double MAX_CUT = 0.2;

    /** The distance of a try from the level, as a share of it. */
    private static final double MIN_STEP = 0.04;

    private static final double MAX_STEP = 0.25;
    private static final double NOISY_STEP = 0.1;
    private static final double STEP_PER_NOISE = 1.5;
    private static final double STEP_PER_ERROR = 0.4;

    /** The pause between tries of other limits, where the curve is neither rising nor flat. */
    private static final long HOLD_NANOS = 2_500_000_000L;

    private final ThroughputCurve curve;
    private final LoadWindow turn;
    private final int min;
    private final int max;

    private double level;
    private int permits;
    private double cap;
    private int direction = 1;
    private int trySide = 1;
    private double pace = INITIAL_PACE;
    private long holdUntil;

    /**
     * A search from an initial level.
     *
     * @param curve the measured throughput
     * @param turn the measurement at the current limit
     * @param min the lower bound
     * @param max the upper bound
     */
    SlopeSearch(ThroughputCurve curve, LoadWindow turn, double level, int min, int max) {
        this.curve = curve;
        this.turn = turn;
        this.level = level;
        this.min = min;
        this.max = max;
    }

    /** Sets the initial time. */
    void begin(long now) {
        holdUntil = now;
    }

    /** The best known limit. */
    double level() {
        return level;
    }

    /** Takes over a level that another rule found. */
    void moveTo(double found) {
        level = found;
    }

    /** Takes over a level at which nothing was measured: the first steps are long. */
    void restartAt(double found) {
        level = found;
        pace = INITIAL_PACE;
    }

    /** The level is probably still too high: the first step goes down. */
    void goDown() {
        direction = -1;
        pace = FAST_PACE;
    }

    /** Takes over a level that was just tested: the next steps are short. */
    void continueAt(double found) {
        level = found;
        pace = SLOW_PACE;
    }

    /** Tries no other limit for a while. */
    void hold(long now) {
        holdUntil = now + HOLD_NANOS;
    }

    /**
     * The number of permits for the next turn.
     *
     * @param current the number of permits in the complete turn
     * @param change how that turn relates to those before it
     * @param refusalCap the concurrency above which the target refuses calls; infinite for none
     */
    int next(long now, int current, Change change, double refusalCap) {
        permits = current;
        cap = refusalCap;
        return curve.size() == 1 ? firstStep(change) : nextStep(now);
    }

    private int firstStep(Change change) {
        if (change != Change.NONE) {
            direction = change == Change.ROSE ? 1 : -1;
            pace = FAST_PACE;
        }
        return tryBeside(direction);
    }

    private int nextStep(long now) {
        double gain = curve.slope() - MIN_GAIN;
        if (rises()) {
            return level >= upperBound() ? atUpperBound(now) : step(now, 1, gain);
        }
        if (falls()) {
            return step(now, -1, Math.min(gain, -MIN_GAIN));
        }
        pace = SLOW_PACE;
        if (now - holdUntil < 0) {
            return restingLimit();
        }
        trySide = -trySide;
        if (trySide > 0) {
            hold(now);
        }
        return tryBeside(trySide);
    }

    /** A line fitted through a peak still rises when its last point is just past the peak. */
    private boolean rises() {
        return curve.isSteeperThan(MIN_GAIN, CLEAR_ERRORS) && !(curve.worsened() && permits > turn.lastPermits());
    }

    /** Whether {@link #next} goes down: throughput does not grow, or falls. */
    boolean falls() {
        boolean flat = curve.slope() + curve.error() < FLAT_SLOPE;
        return curve.size() > 1 && !rises() && flat && !(curve.worsened() && permits < turn.lastPermits());
    }

    /** The upper bound, or the cap by refusals if that is lower. */
    private int upperBound() {
        return (int) Math.max(min, Math.min(max, cap));
    }

    /** Stays at the upper bound while throughput still rises, and sometimes tries whether fewer give as many answers. */
    private int atUpperBound(long now) {
        if (permits < upperBound()) {
            hold(now);
            return upperBound();
        }
        return now - holdUntil < 0 ? upperBound() : tryBeside(-1);
    }

    private int step(long now, int to, double gain) {
        boolean again = to == direction && Integer.compare(permits, turn.lastPermits()) == to;
        boolean steep = gain - curve.error() > 0.5;
        pace = again ? Math.min(INITIAL_PACE, (steep ? 3 : 2) * pace) : SLOW_PACE;
        direction = to;
        double step = to > 0 ? pace * GAIN * gain : Math.max(-MAX_CUT, 2 * pace * GAIN * gain);
        // A small limit grows by at least one permit.
        double aim = Math.max(
                level * Math.exp(step),
                gain - curve.error() > STEEP_SLOPE ? permits : steep ? Math.min(permits, level + 1) : 0);
        level = Math.clamp(bounded(aim, to), min, upperBound());
        hold(now);
        return to > 0 && level >= upperBound() ? upperBound() : tryBeside(to);
    }

    /** Halves the distance to a limit that was worse or was refused, rather than stepping over it. */
    private double bounded(double aim, int to) {
        double nearestWorse = curve.nearestWorse(level, to);
        double bound = to > 0 ? Math.min(cap, nearestWorse) : nearestWorse;
        return to * (bound - aim) > 0 ? aim : Math.sqrt(level * bound);
    }

    /**
     * The limit between two tries. With so much noise that the level is a guess, it is slightly above the level: too few
     * permits cost throughput, too many only latency.
     */
    private int restingLimit() {
        double stepSize = stepSize();
        return (int) Math.round(stepSize > NOISY_STEP ? bounded(level * (1 + stepSize), 1) : level);
    }

    /** Slightly above or below the level, but never close to the current limit: that would show no difference. */
    private int tryBeside(int to) {
        int next = besideLevel(to);
        if (isTooClose(next)) {
            next = besideCurrent(to);
        }
        if (next < min || next > max || next > cap) {
            next = besideLevel(-to);
        }
        return isTooClose(next) ? besideCurrent(-to) : next;
    }

    private int besideCurrent(int to) {
        return permits + to * Math.max(1, (int) Math.round(permits * MIN_STEP));
    }

    private boolean isTooClose(int next) {
        return Math.abs(next - permits) < permits * MIN_STEP / 2;
    }

    private int besideLevel(int to) {
        int middle = (int) Math.round(level);
        int there = (int) Math.round(bounded(level * (1 + to * stepSize()), to));
        return to > 0 ? Math.max(there, middle + 1) : Math.min(there, middle - 1);
    }

    /** The distance of a try, relative to the level: it grows with the noise and with the error of the slope. */
    private double stepSize() {
        return Math.clamp(Math.max(STEP_PER_NOISE * turn.noise(), STEP_PER_ERROR * curve.error()), MIN_STEP, MAX_STEP);
    }
}
