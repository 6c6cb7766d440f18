package dev.penstock.limit;

import dev.penstock.limit.OverloadCut.Cut;
import dev.penstock.text.Durations;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Limits concurrent calls to the number that gives the highest throughput of useful answers. The limit adapts to measured
 * throughput, while all permits are in use and requests wait. The first applicable rule decides:
 *
 * <ol>
 *   <li>{@link RefusalCap}: stay below the concurrency above which the target refuses calls immediately.
 *   <li>{@link OverloadCut}: halve when most attempts time out; cut in proportion when they take more than half of the
 *       deadline; recover when the target had only stopped answering for a while.
 *   <li>{@link SlowStart}: double while the target shows no sign of load.
 *   <li>{@link LowerLimitProbe}: test a much lower limit when calls are queued at the target.
 *   <li>{@link SlopeSearch}: otherwise follow the slope of throughput against in-flight in small steps.
 * </ol>
 *
 * <h2>Design note</h2>
 *
 * <p>The limit does not follow response times alone: these grow for other reasons than load, and a target that has become
 * permanently slower would look overloaded forever. No request is ever rejected to measure the unloaded time of the target.
 * The concurrency that a throughput needs follows from Little's law, as in the bandwidth-delay product of BBR (Cardwell et al.,
 * ACM Queue 2016). The sources of each rule are in its class.
 */
public final class AdaptiveLimit implements LimitController {
    /** The initial number of permits, unless the bounds exclude it. */
    public static final int INITIAL = 200;

    private final int min;
    private final int max;
    private final double allowedNanos;
    private final TargetTimes times = new TargetTimes();
    private final RefusalCap refusalCap = new RefusalCap();
    private final OverloadCut overloadCut = new OverloadCut();
    private final SlowStart slowStart = new SlowStart();
    private final ThroughputSearch search;

    // Mutable state, read by any thread.
    private volatile int permits;
    private volatile String reason;
    private volatile LimitingFactor factor = LimitingFactor.MEASURING;
    private volatile @Nullable Plateau plateau;
    private volatile int learned;

    // Mutable state, used by one thread at a time.
    private boolean started;

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
        this.allowedNanos = deadline.isZero() ? Double.POSITIVE_INFINITY : Durations.nanos(deadline) / 2.0;
        this.permits = Math.clamp(initial, min, max);
        this.search = new ThroughputSearch(permits, min, max, times, slowStart);
        this.reason = reason;
    }

    /** As above, from the value {@linkplain #learned learned} by an earlier process; the target may have changed since. */
    public static AdaptiveLimit restored(int learned, int min, int max, Duration deadline) {
        return new AdaptiveLimit(
                learned, min, max, deadline, "learned before the last restart, until throughput has been measured");
    }

    @Override
    public void sample(LoadSample sample) {
        begin(sample.from());
        times.add(sample, slowStart.hasSeenLoad());
        if (appliesRefusalCap(sample) || cuts(sample)) {
            return;
        }
        if (learned == 0 && times.isKnown()) {
            // The limit may have doubled before the first answer, and load may then stay below it: record it now.
            recordLearned();
        }
        if (search.isProbing()) {
            follow(search.endProbe(sample, permits), sample.to());
            return;
        }
        boolean binds = sample.blocked() > 0 || sample.inFlight() >= permits;
        if (binds && !recovers(sample) && !(times.isKnown() && doubles(sample.to()))) {
            follow(search.next(sample, permits, refusalCap.cap()), sample.to());
        }
    }

    @Override
    public void blocked(long now, long blocked) {
        if (times.isKnown()) {
            return;
        }
        begin(now);
        if (slowStart.mayGrowBlindly(permits, allowedNanos, now, blocked)) {
            doubles(now);
        }
    }

    /** Readings of a ticker have an arbitrary origin, so all times that are compared with them start at the first one. */
    private void begin(long now) {
        if (!started) {
            refusalCap.begin(now);
            overloadCut.begin(now);
            slowStart.begin(now);
            search.begin(now);
            started = true;
        }
    }

    // ---- the rules

    private boolean appliesRefusalCap(LoadSample sample) {
        int next = refusalCap.next(sample, permits, min, times.typicalNanos());
        if (next == permits) {
            return refusalCap.isTrial();
        }
        reason = refusalCap.reason(permits, next);
        factor = LimitingFactor.MEASURED;
        search.cancelProbe();
        search.slopeSearch().continueAt(next);
        search.slopeSearch().hold(sample.to());
        slowStart.stopAt(next, sample.to());
        recordLearned();
        startTurn(sample.to(), next);
        return true;
    }

    private boolean cuts(LoadSample sample) {
        long now = sample.to();
        if (overloadCut.isSettling(now)) {
            overloadCut.clear();
            times.restartWindow();
            return false;
        }
        double before = search.level();
        Cut cut = overloadCut.add(sample, permits, before, search.hasMeasured(), times.typicalNanos(), allowedNanos);
        if (cut == null) {
            return false;
        }
        double level = Math.clamp(cut.level(), min, Math.max(min, before));
        restartAt(level, (int) Math.round(level), now, cut.reason());
        search.settleUntil(now + cut.settleNanos());
        switch (cut.why()) {
            case DROPS -> recordLearned();
            case SILENCE -> slowStart.stopAt(Math.max(level, overloadCut.recovery()), now);
            case DEADLINE -> {
                search.slopeSearch().goDown();
                recordLearned();
            }
        }
        return true;
    }

    private boolean recovers(LoadSample sample) {
        int next = overloadCut.recover(permits, sample);
        return next > permits && growsTo(next, sample.to(), overloadCut.recoveryReason());
    }

    private boolean doubles(long now) {
        if (search.isProbing() || refusalCap.isCapped() || permits < Math.round(search.level())) {
            return false;
        }
        int next = slowStart.grow(permits, times, allowedNanos, now);
        if (next <= permits || !growsTo(next, now, SlowStart.reason(times))) {
            return false;
        }
        if (times.isKnown()) {
            recordLearned();
        }
        return true;
    }

    private boolean growsTo(int wanted, long now, String why) {
        int next = Math.min(max, wanted);
        boolean grows = next > permits;
        if (grows) {
            reason = why;
            search.slopeSearch().moveTo(next);
            startTurn(now, next);
        }
        return grows;
    }

    /** Follows the search, when a turn or a test is complete. */
    private void follow(int next, long now) {
        if (next > 0) {
            overloadCut.endRecovery();
            reason = search.reason();
            factor = search.factor();
            plateau = search.plateau();
            recordLearned();
            startTurn(now, next);
        }
    }

    /** Discards what was measured at other limits. */
    private void restartAt(double level, int next, long now, String why) {
        reason = why;
        factor = LimitingFactor.MEASURED;
        plateau = null;
        overloadCut.clear();
        slowStart.stopAt(level, now);
        search.restartAt(level);
        startTurn(now, next);
    }

    private void startTurn(long now, int next) {
        int before = permits;
        permits = Math.clamp(next, min, max);
        search.startTurn(now, before, permits);
    }

    private void recordLearned() {
        learned = Math.clamp(Math.round(Math.max(search.level(), overloadCut.recovery())), min, max);
    }

    // ---- after a pin, or an open breaker

    @Override
    public void restart(int from, long now, String why) {
        started = false;
        begin(now);
        overloadCut.endRecovery();
        refusalCap.clear(now);
        restartAt(from, from, now, why);
        factor = LimitingFactor.MEASURING;
    }

    // ---- what it shows

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
        return min == max ? LimitingFactor.UPPER_BOUND : factor;
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
}
