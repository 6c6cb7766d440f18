package dev.penstock.limit;

import dev.penstock.Durations;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Limits concurrent calls to the number that gives the highest throughput of useful answers. The limit adapts to measured
 * throughput.
 *
 * <h2>Design note</h2>
 *
 * <p>It learns only while all permits are in use and requests wait. Then the first applicable rule decides:
 *
 * <ol>
 *   <li>{@link RefusalCap}: stay below the concurrency above which the target refuses calls immediately.
 *   <li>{@link OverloadSignals}: halve when most attempts time out or get a busy answer. {@link Recovery} restores the limit
 *       when the target had only stopped answering for a while.
 *   <li>Deadline: cut in proportion when an attempt takes more than half of the deadline.
 *   <li>{@link LowerLimitProbe}: test a much lower limit when calls are queued at the target.
 *   <li>{@link SlowStart}: double the limit while the target shows no sign of load.
 *   <li>{@link ThroughputCurve}: otherwise move in small steps along the slope of throughput against in-flight: up while it
 *       rises, down where it is flat or falls. In between, try slightly higher and lower limits in turn, to detect changes of
 *       the target.
 * </ol>
 *
 * <p>The limit does not follow response times alone: these grow for other reasons than load, and a target that has become
 * permanently slower would look overloaded forever. No request is ever rejected to measure the unloaded time of the target.
 *
 * <p>Sources: the slope of throughput against in-flight as the signal is that of PCC Vivace (Dong et al., NSDI 2018) and of
 * Uber's Cinnamon; steps that grow while they pay are Vivace's; the bound by Little's law is that of BBR's bandwidth-delay
 * product (Cardwell et al., ACM Queue 2016). The fitted curve with its standard error is our addition: at a hundred answers a
 * second, noise is larger than the gain of one step.
 */
public final class AdaptiveLimit implements LimitController {
    /** The initial number of permits, unless the bounds exclude it. */
    public static final int INITIAL = 200;

    /** The minimum gain of a higher limit: percent more answers for each percent more in flight. */
    private static final double MIN_GAIN = 0.05;

    private static final double CLEAR_GAIN = 0.3;
    private static final double FLAT_SLOPE = 0.08;
    private static final double STEEP_SLOPE = 0.7;
    private static final double GAIN = 0.5;
    private static final double INITIAL_PACE = 1.4;
    private static final double FAST_PACE = 0.4;
    private static final double SLOW_PACE = 0.1;
    private static final double MAX_CUT = 0.2;
    private static final double MIN_STEP = 0.04;
    private static final double MAX_STEP = 0.25;
    private static final double NOISY_STEP = 0.1;
    private static final double STEP_PER_NOISE = 1.5;
    private static final double STEP_PER_ERROR = 0.4;
    private static final int MIN_ATTEMPTS = 20;
    private static final int ENOUGH_ANSWERS = 500;
    private static final double PRECISION = 0.3;
    private static final double MIN_TURN_NANOS = 250e6;
    private static final double MAX_TURN_NANOS = 1e9;
    private static final double SETTLE_FACTOR = 1.1;
    private static final long HOLD_NANOS = 2_500_000_000L;
    private static final long CUT_INTERVAL_NANOS = 100_000_000L;

    private final int min;
    private final int max;
    private final double ceilingNanos;
    private final ThroughputCurve curve = new ThroughputCurve();
    private final LoadWindow window = new LoadWindow();
    private final OverloadSignals overloadSignals = new OverloadSignals();
    private final UnloadedTime unloadedTime = new UnloadedTime();
    private final SlowStart slowStart = new SlowStart();
    private final RefusalCap refusalCap = new RefusalCap();
    private final Recovery recovery = new Recovery();
    private final LowerLimitProbe lowerProbe = new LowerLimitProbe();

    private volatile int permits;
    private volatile String reason;
    private volatile LimitingFactor factor = LimitingFactor.MEASURING;
    private volatile @Nullable Plateau plateau;
    private volatile int learned;

    private double level;
    private double typicalNanos;
    private boolean breakerOpen;
    private boolean pinned;

    private int lastPermits;
    private double lastVariance;
    private double noise = 0.05;
    private int direction = 1;
    private int trySide = 1;
    private double pace = INITIAL_PACE;
    private boolean started;
    private long holdUntil;
    private long settleUntil;
    private long noCutBefore;

    /**
     * A limit without measurements.
     *
     * @param initial the initial number of permits; clamped to the bounds
     * @param min the lower bound; 1 to 1,000,000
     * @param max the upper bound; {@code min} to 1,000,000
     * @param deadline of transactions; attempts should take at most half of it. Zero for none
     * @throws IllegalArgumentException when out of range
     */
    public AdaptiveLimit(int initial, int min, int max, Duration deadline) {
        this(initial, min, max, deadline, "initial value, until throughput has been measured");
    }

    private AdaptiveLimit(int initial, int min, int max, Duration deadline, String reason) {
        if (min < 1 || max < min || max > FixedLimit.MOST) {
            throw new IllegalArgumentException(
                    "the bounds of a limit are 1 <= min <= max <= 1000000, not min " + min + " and max " + max);
        }
        if (deadline.isNegative()) {
            throw new IllegalArgumentException("a deadline must not be negative; zero means none");
        }
        this.min = min;
        this.max = max;
        this.ceilingNanos = deadline.isZero() ? Double.POSITIVE_INFINITY : Durations.nanos(deadline) / 2.0;
        this.level = Math.clamp(initial, min, max);
        this.permits = (int) level;
        this.reason = reason;
    }

    /**
     * A limit that starts at the value {@linkplain #learned learned} by an earlier process for the same target. This is only
     * an initial value: the target may have changed since.
     *
     * @param learned the initial number of permits; clamped to the bounds
     * @param min as above
     * @param max as above
     * @param deadline as above
     * @throws IllegalArgumentException when out of range
     */
    public static AdaptiveLimit restored(int learned, int min, int max, Duration deadline) {
        return new AdaptiveLimit(
                learned, min, max, deadline, "learned before the last restart, until throughput has been measured");
    }

    @Override
    public int permits() {
        return permits;
    }

    @Override
    public String reason() {
        return reason;
    }

    @Override
    public LimitingFactor limitingFactor() {
        return min == max && !pinned ? LimitingFactor.UPPER_BOUND : factor;
    }

    @Override
    public @Nullable Plateau plateau() {
        return plateau;
    }

    /** Excludes cuts made because the target stopped answering: they do not show its capacity once it answers again. */
    @Override
    public int learned() {
        return learned;
    }

    private void recordLearned() {
        learned = Math.clamp(Math.round(Math.max(level, recovery.level())), min, max);
    }

    @Override
    public void cutOff(long now) {
        breakerOpen = true;
        reason = "unchanged while the breaker is open";
    }

    @Override
    public void pin(int wanted) {
        if (wanted < min || wanted > max) {
            throw new IllegalArgumentException("this limit must be %d to %d, not %d".formatted(min, max, wanted));
        }
        pinned = true;
        lowerProbe.cancel();
        level = wanted;
        permits = wanted;
        factor = LimitingFactor.PINNED;
    }

    /** Discards earlier measurements: they were made at another limit than the pinned one. */
    @Override
    public void unpin(long now) {
        if (!pinned) {
            return;
        }
        pinned = false;
        reason = "starting from the pinned %d, until throughput has been measured".formatted(permits);
        recovery.clear();
        refusalCap.clear(now);
        begin(now);
        restart(now, permits);
        factor = LimitingFactor.MEASURING;
    }

    /** Restarts with half of the earlier limit: a recovering target has caches to fill and other clients to serve. */
    @Override
    public void resumed(long now) {
        breakerOpen = false;
        if (pinned) {
            return;
        }
        level = Math.max(min, level / 2);
        reason = "half of the limit before the breaker opened";
        restart(now, (int) level);
        factor = LimitingFactor.MEASURING;
    }

    @Override
    public void sample(LoadSample sample) {
        if (breakerOpen) {
            return;
        }
        if (!started) {
            begin(sample.from());
        }
        if (sample.answered() > 0) {
            double mean = (double) (sample.answeredNanos() + sample.idleNanos()) / sample.answered();
            double weight = typicalNanos == 0 ? 1 : Math.min(1, sample.answered() / 20.0);
            typicalNanos += weight * (mean - typicalNanos);
        }
        unloadedTime.add(sample, slowStart.threshold() < Double.POSITIVE_INFINITY);
        if (pinned || appliesRefusalCap(sample) || cuts(sample)) {
            return;
        }
        if (learned == 0 && unloadedTime.isKnown()) {
            // The limit may have doubled before the first answer, and load may then stay below it: record it now.
            recordLearned();
        }
        if (lowerProbe.isRunning()) {
            endLowerProbe(sample.to(), lowerProbe.add(sample, unloadedTime));
            return;
        }
        boolean binds = sample.refused() > 0 || sample.inFlight() >= permits;
        if (binds && recoversLimit(sample)) {
            return;
        }
        if (!binds || (unloadedTime.isKnown() && doubles(sample.to())) || sample.from() - settleUntil < 0) {
            return;
        }
        window.add(sample);
        if (isTurnComplete()) {
            decide(sample.to());
        }
    }

    @Override
    public void blocked(long now, long refused) {
        if (breakerOpen || pinned || unloadedTime.isKnown()) {
            return;
        }
        if (!started) {
            begin(now);
        }
        if (slowStart.mayGrowBlindly(permits, ceilingNanos, now, refused)) {
            doubles(now);
        }
    }

    private boolean recoversLimit(LoadSample sample) {
        if (sample.to() - noCutBefore < 0) {
            return false;
        }
        int next = Math.min(max, recovery.grow(permits, sample));
        if (next <= permits) {
            return false;
        }
        reason = "the target answers again: growing to %.0f, half of the earlier limit".formatted(recovery.level());
        level = next;
        startTurn(sample.to(), next);
        return true;
    }

    private boolean doubles(long now) {
        if (lowerProbe.isRunning() || refusalCap.isCapped() || permits < Math.round(level)) {
            return false;
        }
        int next = Math.min(max, slowStart.grow(permits, unloadedTime, ceilingNanos, now));
        if (next <= permits) {
            return false;
        }
        reason = unloadedTime.isKnown()
                ? "calls take %s with %.0f in flight, and %s with %.0f: no sign of load"
                        .formatted(
                                format((long) unloadedTime.nanos()),
                                unloadedTime.inFlight(),
                                format((long) unloadedTime.unloadedNanos()),
                                unloadedTime.unloadedInFlight())
                : "no call has returned yet";
        level = next;
        if (unloadedTime.isKnown()) {
            recordLearned();
        }
        startTurn(now, next);
        return true;
    }

    /** Readings of a ticker have an arbitrary origin, so all times that are compared with them start at the first one. */
    private void begin(long now) {
        holdUntil = now;
        settleUntil = now;
        noCutBefore = now;
        refusalCap.begin(now);
        slowStart.begin(now);
        lowerProbe.begin(now);
        started = true;
    }

    /** A turn ends when its error is small compared with the expected difference, or when it has taken too long. */
    private boolean isTurnComplete() {
        if (window.answered() == 0 || window.finished() < MIN_ATTEMPTS) {
            return false;
        }
        if (window.nanos() < Math.max(typicalNanos, unloadedTime.nanos())
                || (window.nanos() < MIN_TURN_NANOS && window.answered() < ENOUGH_ANSWERS)) {
            return false;
        }
        double change =
                lastPermits == 0 || lastPermits == permits ? MIN_STEP : Math.log((double) permits / lastPermits);
        return window.variance() + lastVariance < PRECISION * PRECISION * change * change
                || window.nanos() >= Math.max(MAX_TURN_NANOS, 2 * typicalNanos);
    }

    // ---- immediate cuts

    private boolean cuts(LoadSample sample) {
        long now = sample.to();
        if (now - noCutBefore < 0) {
            // These attempts began before the last cut.
            overloadSignals.clear();
            unloadedTime.restartWindow();
            return false;
        }
        return overloadSignals.add(sample, typicalNanos)
                ? cutForOverload(now)
                : typicalNanos > 1.2 * ceilingNanos && sample.answered() > 0 && cutForDeadline(now);
    }

    private boolean cutForOverload(long now) {
        long took = (long) overloadSignals.meanDroppedNanos();
        reason = "%.0f %% of attempts with %d in flight timed out or got a busy answer, after %s"
                .formatted(100 * overloadSignals.share(), permits, format(took));
        double back = recovery.onCut(lastPermits > 0 ? level : 0, overloadSignals.noneAnswered());
        level = Math.max(min, overloadSignals.noneAnswered() && lastPermits == 0 ? level / 4 : level / 2);
        if (!overloadSignals.noneAnswered()) {
            recordLearned();
        }
        restart(now, (int) Math.round(level));
        slowStart.stopAt(Math.max(level, back), now);
        settleFor(now, took);
        return true;
    }

    private boolean cutForDeadline(long now) {
        reason = "attempts with %d in flight took %s, and half of the deadline is %s"
                .formatted(permits, format((long) typicalNanos), format((long) ceilingNanos));
        level = Math.clamp(permits * Math.max(0.3, 0.8 * ceilingNanos / typicalNanos), min, Math.max(min, level));
        recordLearned();
        restart(now, (int) Math.round(level));
        direction = -1;
        pace = FAST_PACE;
        settleFor(now, (long) (1.5 * typicalNanos));
        return true;
    }

    /** Waits for the attempts that began before a cut to end, before measuring or cutting again. */
    private void settleFor(long now, long nanos) {
        settleUntil = now + nanos;
        noCutBefore = now + Math.max(nanos, CUT_INTERVAL_NANOS);
    }

    /** Stays below the concurrency above which the target refuses calls. */
    private boolean appliesRefusalCap(LoadSample sample) {
        int next = refusalCap.next(sample, permits, min, typicalNanos);
        if (next == permits) {
            return refusalCap.isTrial();
        }
        lowerProbe.cancel();
        reason = next > permits
                ? "no refusals with %d in flight".formatted(permits)
                : "the target refused %.0f %% of calls with %d in flight"
                        .formatted(100 * refusalCap.shareBefore(), permits);
        factor = LimitingFactor.MEASURED;
        level = next;
        slowStart.stopAt(level, sample.to());
        recordLearned();
        pace = SLOW_PACE;
        startTurn(sample.to(), next);
        holdUntil = sample.to() + HOLD_NANOS;
        return true;
    }

    private void restart(long now, int next) {
        curve.clear();
        plateau = null;
        factor = LimitingFactor.MEASURED;
        overloadSignals.clear();
        lowerProbe.cancel();
        slowStart.stopAt(level, now);
        lastPermits = 0;
        pace = INITIAL_PACE;
        startTurn(now, next);
    }

    // ---- decisions at the end of a turn

    private void decide(long now) {
        double cost = window.cost();
        double variance = window.variance();
        recovery.clear();
        noise += (Math.sqrt(variance) - noise) * 0.2;
        double turns = window.nanos() < MAX_TURN_NANOS / 2 ? 0.5 : 1;
        ThroughputCurve.Change change = curve.add(permits, 1e9 * permits / cost, variance, turns);
        curve.fit(level);
        if (change == ThroughputCurve.Change.ROSE) {
            slowStart.clear();
        } else if (curve.size() > 1 && curve.slope() - curve.error() > STEEP_SLOPE) {
            slowStart.raise(2 * level);
        }
        int next = change != ThroughputCurve.Change.FELL && startsLowerProbe(now)
                ? lowerProbe.permits()
                : curve.size() == 1 ? firstStep(change) : nextLimit(now);
        reason = "10 %% more in flight gives %.1f %% more answers (+-%.1f), at %.0f/s and %s each"
                .formatted(10 * curve.slope(), 10 * curve.error(), 1e9 * permits / cost, format((long) cost));
        factor = currentFactor();
        plateau = curve.plateau();
        lastPermits = permits;
        lastVariance = variance;
        recordLearned();
        startTurn(now, next);
    }

    private boolean startsLowerProbe(long now) {
        boolean rises = curve.size() > 1 && curve.slope() - MIN_GAIN > 2 * curve.error();
        return !rises && lowerProbe.start(now, permits, min, window, unloadedTime);
    }

    /** Adopts the lower limit if it gave as many answers; otherwise returns to the earlier limit. */
    private void endLowerProbe(long now, LowerLimitProbe.Result result) {
        if (result == LowerLimitProbe.Result.NONE) {
            return;
        }
        reason = "%d in flight gave %.0f answers/s, and %d in flight gave %.0f"
                .formatted(lowerProbe.from(), lowerProbe.fromRate(), lowerProbe.permits(), lowerProbe.rate());
        if (result == LowerLimitProbe.Result.FEWER) {
            slowStart.stopAt(lowerProbe.from(), now);
            unloadedTime.restartWindow();
            startTurn(now, lowerProbe.from());
            return;
        }
        level = permits;
        slowStart.stopAt(Math.sqrt(level * lowerProbe.from()), now);
        curve.add(permits, lowerProbe.rate(), lowerProbe.variance(), 1);
        curve.fit(level);
        lastPermits = 0;
        pace = SLOW_PACE;
        recordLearned();
        startTurn(now, permits);
    }

    private LimitingFactor currentFactor() {
        boolean rises = curve.slope() - MIN_GAIN > CLEAR_GAIN * curve.error() && !refusalCap.isCapped();
        return rises ? (level >= max ? LimitingFactor.UPPER_BOUND : LimitingFactor.MEASURING) : LimitingFactor.MEASURED;
    }

    private int firstStep(ThroughputCurve.Change change) {
        if (change != ThroughputCurve.Change.NONE) {
            direction = change == ThroughputCurve.Change.ROSE ? 1 : -1;
            pace = FAST_PACE;
        }
        return tryBeside(direction);
    }

    private int nextLimit(long now) {
        double gain = curve.slope() - MIN_GAIN;
        // A line fitted through a peak still rises when its last point is just past the peak.
        int refuted = curve.worsened() ? Integer.compare(permits, lastPermits) : 0;
        if (gain > CLEAR_GAIN * curve.error() && refuted != 1) {
            return level >= upperBound() ? atUpperBound(now) : move(now, 1, gain);
        }
        if (curve.slope() + curve.error() < FLAT_SLOPE && refuted != -1) {
            return move(now, -1, Math.min(gain, -MIN_GAIN));
        }
        pace = SLOW_PACE;
        if (now - holdUntil < 0) {
            return restingLimit();
        }
        trySide = -trySide;
        if (trySide > 0) {
            holdUntil = now + HOLD_NANOS;
        }
        return tryBeside(trySide);
    }

    /** The upper bound, or the cap by refusals if that is lower. */
    private int upperBound() {
        return (int) Math.max(min, Math.min(max, refusalCap.cap()));
    }

    /** Stays at the upper bound while throughput still rises, and sometimes tries whether fewer give as many answers. */
    private int atUpperBound(long now) {
        if (permits < upperBound()) {
            holdUntil = now + HOLD_NANOS;
            return upperBound();
        }
        return now - holdUntil < 0 ? upperBound() : tryBeside(-1);
    }

    private int move(long now, int to, double gain) {
        boolean again = to == direction && Integer.compare(permits, lastPermits) == to;
        boolean steep = gain - curve.error() > 0.5;
        pace = again ? Math.min(INITIAL_PACE, (steep ? 3 : 2) * pace) : SLOW_PACE;
        direction = to;
        if (to < 0) {
            slowStart.stopAt(level, now);
        }
        double step = to > 0 ? pace * GAIN * gain : Math.max(-MAX_CUT, 2 * pace * GAIN * gain);
        // A small limit grows by at least one permit.
        double aim = Math.max(
                level * Math.exp(step),
                gain - curve.error() > STEEP_SLOPE ? permits : steep ? Math.min(permits, level + 1) : 0);
        level = Math.clamp(bounded(aim, to), min, upperBound());
        holdUntil = now + HOLD_NANOS;
        return to > 0 && level >= upperBound() ? upperBound() : tryBeside(to);
    }

    /** Halves the distance to a limit that was worse or was refused, rather than stepping over it. */
    private double bounded(double aim, int to) {
        double nearestWorse = curve.nearestWorse(level, to);
        double bound = to > 0 ? Math.min(refusalCap.cap(), nearestWorse) : nearestWorse;
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
        if (next < min || next > max || next > refusalCap.cap()) {
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

    /** The size of a try, relative to the level: it grows with the noise and with the error of the slope. */
    private double stepSize() {
        return Math.clamp(Math.max(STEP_PER_NOISE * noise, STEP_PER_ERROR * curve.error()), MIN_STEP, MAX_STEP);
    }

    private int besideLevel(int to) {
        int middle = (int) Math.round(level);
        int there = (int) Math.round(bounded(level * (1 + to * stepSize()), to));
        return to > 0 ? Math.max(there, middle + 1) : Math.min(there, middle - 1);
    }

    /** Starts the next turn, which measures nothing until the attempts of the last one have ended. */
    private void startTurn(long now, int next) {
        int before = permits;
        permits = Math.clamp(next, min, max);
        if (permits != before) {
            // With more in flight calls take longer, unless throughput rises in proportion.
            double longer = curve.slope() > 0.7 ? 1 : Math.max(1, (double) permits / before);
            settleUntil = now + (long) (SETTLE_FACTOR * Math.max(typicalNanos, unloadedTime.nanos()) * longer);
        }
        window.clear();
    }

    private static String format(long nanos) {
        return Durations.format(nanos);
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%d permits: %s", permits, reason);
    }
}
