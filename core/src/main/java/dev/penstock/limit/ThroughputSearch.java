package dev.penstock.limit;

import dev.penstock.limit.LimitController.LimitingFactor;
import dev.penstock.limit.LimitController.Plateau;
import dev.penstock.limit.ThroughputCurve.Change;
import dev.penstock.text.Durations;
import org.jspecify.annotations.Nullable;

/**
 * Searches the number of permits with the highest throughput, by measurements at one number after the other.
 *
 * <h2>Design note</h2>
 *
 * <p>One measurement is a turn: a {@link LoadWindow} at a constant number of permits. It begins when the attempts of the last
 * turn have ended, and gives one point of the {@link ThroughputCurve}. Then {@link LowerLimitProbe} or {@link SlopeSearch} choose
 * the number for the next turn. {@link SlowStart} learns from it up to which limit doubling is safe.
 *
 * <p>No side effects; not thread-safe.
 */
final class ThroughputSearch {
    /** A slope this many standard errors above the minimum gain needs no test of a much lower limit. */
    private static final double SURE_ERRORS = 2;

    /** A turn begins this multiple of the time of a call after the last one. */
    private static final double SETTLE_FACTOR = 1.1;

    private final int min;
    private final int max;
    private final TargetTimes times;
    private final SlowStart slowStart;
    private final ThroughputCurve curve = new ThroughputCurve();
    private final LoadWindow turn = new LoadWindow();
    private final LowerLimitProbe lowerProbe = new LowerLimitProbe();
    private final SlopeSearch slopeSearch;

    private long settleUntil;
    private String reason = "";
    private LimitingFactor factor = LimitingFactor.MEASURING;
    private @Nullable Plateau plateau;

    /**
     * A search.
     *
     * @param level the initial limit
     * @param min the lower bound
     * @param max the upper bound
     * @param times the times of calls; kept up to date by the caller
     * @param slowStart gets the limit up to which doubling is safe
     */
    ThroughputSearch(int level, int min, int max, TargetTimes times, SlowStart slowStart) {
        this.min = min;
        this.max = max;
        this.times = times;
        this.slowStart = slowStart;
        this.slopeSearch = new SlopeSearch(curve, turn, level, min, max);
    }

    /** Sets the initial time. */
    void begin(long now) {
        settleUntil = now;
        lowerProbe.begin(now);
        slopeSearch.begin(now);
    }

    /**
     * Takes a sample of the current turn into account.
     *
     * @param permits the current number of permits
     * @param cap the concurrency above which the target refuses calls; infinite for none
     * @return the next number of permits; 0 while the turn goes on
     */
    int next(LoadSample sample, int permits, double cap) {
        if (sample.from() - settleUntil < 0) {
            return 0;
        }
        turn.add(sample);
        return turn.isComplete(permits, times) ? endTurn(sample.to(), permits, cap) : 0;
    }

    private int endTurn(long now, int permits, double cap) {
        double perSecond = 1e9 * permits / turn.cost();
        Change change = curve.add(permits, perSecond, turn.variance(), turn.turns());
        curve.fit(level());
        turn.recordNoise();
        if (change == Change.ROSE) {
            slowStart.clear();
        } else if (curve.isSteeperThan(SlopeSearch.STEEP_SLOPE, 1)) {
            slowStart.raise(2 * level());
        }
        int next = change != Change.FELL && startsProbe(now, permits)
                ? lowerProbe.permits()
                : step(now, permits, change, cap);
        reason = "%s, at %.0f/s and %s each".formatted(curve.reason(), perSecond, Durations.format((long) turn.cost()));
        factor = factor(cap);
        plateau = curve.plateau();
        turn.end(permits);
        return next;
    }

    private boolean startsProbe(long now, int permits) {
        return !curve.isSteeperThan(SlopeSearch.MIN_GAIN, SURE_ERRORS)
                && lowerProbe.start(now, permits, min, turn, times);
    }

    private int step(long now, int permits, Change change, double cap) {
        double before = level();
        int next = slopeSearch.next(now, permits, change, cap);
        if (slopeSearch.falls()) {
            slowStart.stopAt(before, now);
        }
        return next;
    }

    private LimitingFactor factor(double cap) {
        if (cap < Double.POSITIVE_INFINITY || !curve.isSteeperThan(SlopeSearch.MIN_GAIN, SlopeSearch.CLEAR_ERRORS)) {
            return LimitingFactor.MEASURED;
        }
        return level() >= max ? LimitingFactor.UPPER_BOUND : LimitingFactor.MEASURING;
    }

    /** Whether a much lower limit is tested: samples then go to {@link #endProbe}. */
    boolean isProbing() {
        return lowerProbe.isRunning();
    }

    void cancelProbe() {
        lowerProbe.cancel();
    }

    /**
     * Takes a sample of a test into account. Adopts the lower limit if it gave as many answers.
     *
     * @param permits the current number of permits
     * @return the next number of permits; 0 while the test goes on
     */
    int endProbe(LoadSample sample, int permits) {
        LowerLimitProbe.Result result = lowerProbe.add(sample, times);
        if (result == LowerLimitProbe.Result.NONE) {
            return 0;
        }
        reason = lowerProbe.reason();
        if (result == LowerLimitProbe.Result.TOO_LOW) {
            return lowerProbe.permits();
        }
        if (result == LowerLimitProbe.Result.FEWER) {
            slowStart.stopAt(lowerProbe.from(), sample.to());
            times.restartWindow();
            return lowerProbe.from();
        }
        slowStart.stopAt(Math.sqrt((double) permits * lowerProbe.from()), sample.to());
        slopeSearch.continueAt(permits);
        curve.add(permits, lowerProbe.rate(), lowerProbe.variance(), 1);
        curve.fit(permits);
        turn.forgetLast();
        return permits;
    }

    /** Starts the next turn, which measures nothing until the attempts of the last one have ended. */
    void startTurn(long now, int before, int permits) {
        if (permits != before) {
            // With more in flight calls take longer, unless throughput rises in proportion.
            double longer = curve.slope() > SlopeSearch.STEEP_SLOPE ? 1 : Math.max(1, (double) permits / before);
            settleUntil = now + (long) (SETTLE_FACTOR * Math.max(times.typicalNanos(), times.nanos()) * longer);
        }
        turn.clear();
    }

    /** Measures nothing until then. */
    void settleUntil(long then) {
        settleUntil = then;
    }

    /** Discards what was measured, and starts again at a level. */
    void restartAt(double level) {
        curve.clear();
        turn.forgetLast();
        lowerProbe.cancel();
        slopeSearch.restartAt(level);
    }

    /** How the search goes on from a level that another rule found. */
    SlopeSearch slopeSearch() {
        return slopeSearch;
    }

    /** The best known limit; turns are measured beside it. */
    double level() {
        return slopeSearch.level();
    }

    /** Whether a turn was measured since the last restart. */
    boolean hasMeasured() {
        return turn.lastPermits() > 0;
    }

    /** What the last turn or test has shown: one sentence. */
    String reason() {
        return reason;
    }

    LimitingFactor factor() {
        return factor;
    }

    @Nullable
    Plateau plateau() {
        return plateau;
    }
}
