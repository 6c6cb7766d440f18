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
    private static final double WORTH = 0.05;

    private static final double SURE_UP = 0.3;
    private static final double FLAT = 0.08;
    private static final double STEEP = 0.7;
    private static final double GAIN = 0.5;
    private static final double FIRST_PACE = 1.4;
    private static final double QUICK_PACE = 0.4;
    private static final double CALM_PACE = 0.1;
    private static final double LARGEST_CUT = 0.2;
    private static final double SMALLEST_TRY = 0.04;
    private static final double LARGEST_TRY = 0.25;
    private static final double NOISY = 0.1;
    private static final double TRY_FOR_NOISE = 1.5;
    private static final double TRY_FOR_DOUBT = 0.4;
    private static final int FEWEST = 20;
    private static final int PLENTY = 500;
    private static final double PRECISE = 0.3;
    private static final double SHORTEST_NANOS = 250e6;
    private static final double LONGEST_NANOS = 1e9;
    private static final double SETTLE = 1.1;
    private static final long KEEP_NANOS = 2_500_000_000L;
    private static final long BETWEEN_CUTS_NANOS = 100_000_000L;

    private final int least;
    private final int most;
    private final double ceilingNanos;
    private final ThroughputCurve curve = new ThroughputCurve();
    private final LoadWindow window = new LoadWindow();
    private final OverloadSignals overload = new OverloadSignals();
    private final UnloadedTime time = new UnloadedTime();
    private final SlowStart slowStart = new SlowStart();
    private final RefusalCap refusals = new RefusalCap();
    private final Recovery recovery = new Recovery();
    private final LowerLimitProbe lower = new LowerLimitProbe();

    private volatile int permits;
    private volatile String reason;
    private volatile LimitingFactor held = LimitingFactor.LOOKING;
    private volatile @Nullable Plateau flat;
    private volatile int learned;

    private double level;
    private double typicalNanos;
    private boolean away;
    private boolean pinned;

    private int last;
    private double lastDoubt;
    private double noise = 0.05;
    private int way = 1;
    private int side = 1;
    private double pace = FIRST_PACE;
    private boolean begun;
    private long keepUntil;
    private long settleUntil;
    private long noCutBefore;

    /**
     * A limit without measurements.
     *
     * @param initial the initial number of permits; clamped to the bounds
     * @param least the lower bound; 1 to 1,000,000
     * @param most the upper bound; {@code least} to 1,000,000
     * @param deadline of transactions; attempts should take at most half of it. Zero for none
     * @throws IllegalArgumentException when out of range
     */
    public AdaptiveLimit(int initial, int least, int most, Duration deadline) {
        this(initial, least, most, deadline, "initial value, until throughput has been measured");
    }

    private AdaptiveLimit(int initial, int least, int most, Duration deadline, String reason) {
        if (least < 1 || most < least || most > FixedLimit.MOST) {
            throw new IllegalArgumentException(
                    "the bounds of a limit are 1 <= min <= max <= 1000000, not min " + least + " and max " + most);
        }
        if (deadline.isNegative()) {
            throw new IllegalArgumentException("a deadline must not be negative; zero means none");
        }
        this.least = least;
        this.most = most;
        this.ceilingNanos = deadline.isZero() ? Double.POSITIVE_INFINITY : Durations.nanos(deadline) / 2.0;
        this.level = Math.clamp(initial, least, most);
        this.permits = (int) level;
        this.reason = reason;
    }

    /**
     * A limit that starts at the value {@linkplain #learned learned} by an earlier process for the same target. This is only
     * an initial value: the target may have changed since.
     *
     * @param learned the initial number of permits; clamped to the bounds
     * @param least as above
     * @param most as above
     * @param deadline as above
     * @throws IllegalArgumentException when out of range
     */
    public static AdaptiveLimit restored(int learned, int least, int most, Duration deadline) {
        return new AdaptiveLimit(
                learned, least, most, deadline, "learned before the last restart, until throughput has been measured");
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
    public LimitingFactor held() {
        return least == most && !pinned ? LimitingFactor.AT_MOST : held;
    }

    @Override
    public @Nullable Plateau flat() {
        return flat;
    }

    /** Excludes cuts made because the target stopped answering: they do not show its capacity once it answers again. */
    @Override
    public int learned() {
        return learned;
    }

    private void learn() {
        learned = Math.clamp(Math.round(Math.max(level, recovery.level())), least, most);
    }

    @Override
    public void cutOff(long now) {
        away = true;
        reason = "unchanged while the breaker is open";
    }

    @Override
    public void pin(int wanted) {
        if (wanted < least || wanted > most) {
            throw new IllegalArgumentException("this limit must be %d to %d, not %d".formatted(least, most, wanted));
        }
        pinned = true;
        lower.cancel();
        level = wanted;
        permits = wanted;
        held = LimitingFactor.PINNED;
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
        refusals.clear(now);
        begin(now);
        startAnew(now, permits);
        held = LimitingFactor.LOOKING;
    }

    /** Restarts with half of the earlier limit: a recovering target has caches to fill and other clients to serve. */
    @Override
    public void resumed(long now) {
        away = false;
        if (pinned) {
            return;
        }
        level = Math.max(least, level / 2);
        reason = "half of the limit before the breaker opened";
        startAnew(now, (int) level);
        held = LimitingFactor.LOOKING;
    }

    @Override
    public void sample(LoadSample sample) {
        if (away) {
            return;
        }
        if (!begun) {
            begin(sample.from());
        }
        if (sample.answered() > 0) {
            double mean = (double) (sample.answeredNanos() + sample.idleNanos()) / sample.answered();
            double weight = typicalNanos == 0 ? 1 : Math.min(1, sample.answered() / 20.0);
            typicalNanos += weight * (mean - typicalNanos);
        }
        time.add(sample, slowStart.threshold() < Double.POSITIVE_INFINITY);
        if (pinned || refuses(sample) || cutsAtOnce(sample)) {
            return;
        }
        if (learned == 0 && time.isKnown()) {
            // The limit may have doubled before the first answer, and load may then stay below it: record it now.
            learn();
        }
        if (lower.isRunning()) {
            afterLower(sample.to(), lower.add(sample, time));
            return;
        }
        boolean binds = sample.refused() > 0 || sample.inFlight() >= permits;
        if (binds && recovers(sample)) {
            return;
        }
        if (!binds || (time.isKnown() && grows(sample.to())) || sample.from() - settleUntil < 0) {
            return;
        }
        window.add(sample);
        if (isEnough()) {
            decide(sample.to());
        }
    }

    @Override
    public void blocked(long now, long refused) {
        if (away || pinned || time.isKnown()) {
            return;
        }
        if (!begun) {
            begin(now);
        }
        if (slowStart.mayGrowBlindly(permits, ceilingNanos, now, refused)) {
            grows(now);
        }
    }

    private boolean recovers(LoadSample sample) {
        if (sample.to() - noCutBefore < 0) {
            return false;
        }
        int next = Math.min(most, recovery.grow(permits, sample));
        if (next <= permits) {
            return false;
        }
        reason = "the target answers again: growing to %.0f, half of the earlier limit".formatted(recovery.level());
        level = next;
        turn(sample.to(), next);
        return true;
    }

    private boolean grows(long now) {
        if (lower.isRunning() || refusals.isCapped() || permits < Math.round(level)) {
            return false;
        }
        int next = Math.min(most, slowStart.grow(permits, time, ceilingNanos, now));
        if (next <= permits) {
            return false;
        }
        reason = time.isKnown()
                ? "calls take %s with %.0f in flight, and %s with %.0f: no sign of load"
                        .formatted(
                                words((long) time.nanos()),
                                time.inFlight(),
                                words((long) time.unloadedNanos()),
                                time.unloadedInFlight())
                : "no call has returned yet";
        level = next;
        if (time.isKnown()) {
            learn();
        }
        turn(now, next);
        return true;
    }

    /** Readings of a ticker have an arbitrary origin, so all times that are compared with them start at the first one. */
    private void begin(long now) {
        keepUntil = now;
        settleUntil = now;
        noCutBefore = now;
        refusals.begin(now);
        slowStart.begin(now);
        lower.begin(now);
        begun = true;
    }

    /** A turn ends when its error is small compared with the expected difference, or when it has taken too long. */
    private boolean isEnough() {
        if (window.answered() == 0 || window.finished() < FEWEST) {
            return false;
        }
        if (window.nanos() < Math.max(typicalNanos, time.nanos())
                || (window.nanos() < SHORTEST_NANOS && window.answered() < PLENTY)) {
            return false;
        }
        double tried = last == 0 || last == permits ? SMALLEST_TRY : Math.log((double) permits / last);
        return window.doubt() + lastDoubt < PRECISE * PRECISE * tried * tried
                || window.nanos() >= Math.max(LONGEST_NANOS, 2 * typicalNanos);
    }

    // ---- immediate cuts

    private boolean cutsAtOnce(LoadSample sample) {
        long now = sample.to();
        if (now - noCutBefore < 0) {
            // These attempts began before the last cut.
            overload.clear();
            time.restartWindow();
            return false;
        }
        return overload.add(sample, typicalNanos)
                ? drown(now)
                : typicalNanos > 1.2 * ceilingNanos && sample.answered() > 0 && slow(now);
    }

    private boolean drown(long now) {
        long took = (long) overload.took();
        reason = "%.0f %% of attempts with %d in flight timed out or got a busy answer, after %s"
                .formatted(100 * overload.share(), permits, words(took));
        double back = recovery.lost(last > 0 ? level : 0, overload.silent());
        level = Math.max(least, overload.silent() && last == 0 ? level / 4 : level / 2);
        if (!overload.silent()) {
            learn();
        }
        startAnew(now, (int) Math.round(level));
        slowStart.stopAt(Math.max(level, back), now);
        waitFor(now, took);
        return true;
    }

    private boolean slow(long now) {
        reason = "attempts with %d in flight took %s, and half of the deadline is %s"
                .formatted(permits, words((long) typicalNanos), words((long) ceilingNanos));
        level = Math.clamp(permits * Math.max(0.3, 0.8 * ceilingNanos / typicalNanos), least, Math.max(least, level));
        learn();
        startAnew(now, (int) Math.round(level));
        way = -1;
        pace = QUICK_PACE;
        waitFor(now, (long) (1.5 * typicalNanos));
        return true;
    }

    /** Waits for the attempts that began before a cut to end, before measuring or cutting again. */
    private void waitFor(long now, long nanos) {
        settleUntil = now + nanos;
        noCutBefore = now + Math.max(nanos, BETWEEN_CUTS_NANOS);
    }

    /** Stays below the concurrency above which the target refuses calls. */
    private boolean refuses(LoadSample sample) {
        int next = refusals.next(sample, permits, least, typicalNanos);
        if (next == permits) {
            return refusals.isTrial();
        }
        lower.cancel();
        reason = next > permits
                ? "no refusals with %d in flight".formatted(permits)
                : "the target refused %.0f %% of calls with %d in flight"
                        .formatted(100 * refusals.shareBefore(), permits);
        held = LimitingFactor.MEASURED;
        level = next;
        slowStart.stopAt(level, sample.to());
        learn();
        pace = CALM_PACE;
        turn(sample.to(), next);
        keepUntil = sample.to() + KEEP_NANOS;
        return true;
    }

    private void startAnew(long now, int next) {
        curve.clear();
        flat = null;
        held = LimitingFactor.MEASURED;
        overload.clear();
        lower.cancel();
        slowStart.stopAt(level, now);
        last = 0;
        pace = FIRST_PACE;
        turn(now, next);
    }

    // ---- decisions at the end of a turn

    private void decide(long now) {
        double cost = window.cost();
        double doubt = window.doubt();
        recovery.clear();
        noise += (Math.sqrt(doubt) - noise) * 0.2;
        double turns = window.nanos() < LONGEST_NANOS / 2 ? 0.5 : 1;
        ThroughputCurve.Change change = curve.add(permits, 1e9 * permits / cost, doubt, turns);
        curve.fit(level);
        if (change == ThroughputCurve.Change.ROSE) {
            slowStart.clear();
        } else if (curve.size() > 1 && curve.slope() - curve.error() > STEEP) {
            slowStart.raise(2 * level);
        }
        int next = change != ThroughputCurve.Change.FELL && testsLower(now)
                ? lower.permits()
                : curve.size() == 1 ? first(change) : next(now);
        reason = "10 %% more in flight gives %.1f %% more answers (+-%.1f), at %.0f/s and %s each"
                .formatted(10 * curve.slope(), 10 * curve.error(), 1e9 * permits / cost, words((long) cost));
        held = limitingFactor();
        flat = curve.flat();
        last = permits;
        lastDoubt = doubt;
        learn();
        turn(now, next);
    }

    private boolean testsLower(long now) {
        boolean rises = curve.size() > 1 && curve.slope() - WORTH > 2 * curve.error();
        return !rises && lower.start(now, permits, least, window, time);
    }

    /** Adopts the lower limit if it gave as many answers; otherwise returns to the earlier limit. */
    private void afterLower(long now, LowerLimitProbe.Result result) {
        if (result == LowerLimitProbe.Result.NONE) {
            return;
        }
        reason = "%d in flight gave %.0f answers/s, and %d in flight gave %.0f"
                .formatted(lower.from(), lower.fromRate(), lower.permits(), lower.rate());
        if (result == LowerLimitProbe.Result.FEWER) {
            slowStart.stopAt(lower.from(), now);
            time.restartWindow();
            turn(now, lower.from());
            return;
        }
        level = permits;
        slowStart.stopAt(Math.sqrt(level * lower.from()), now);
        curve.add(permits, lower.rate(), lower.doubt(), 1);
        curve.fit(level);
        last = 0;
        pace = CALM_PACE;
        learn();
        turn(now, permits);
    }

    private LimitingFactor limitingFactor() {
        boolean rises = curve.slope() - WORTH > SURE_UP * curve.error() && !refusals.isCapped();
        return rises ? (level >= most ? LimitingFactor.AT_MOST : LimitingFactor.LOOKING) : LimitingFactor.MEASURED;
    }

    private int first(ThroughputCurve.Change change) {
        if (change != ThroughputCurve.Change.NONE) {
            way = change == ThroughputCurve.Change.ROSE ? 1 : -1;
            pace = QUICK_PACE;
        }
        return tried(way);
    }

    private int next(long now) {
        double gain = curve.slope() - WORTH;
        // A line fitted through a peak still rises when its last point is just past the peak.
        int refuted = curve.worsened() ? Integer.compare(permits, last) : 0;
        if (gain > SURE_UP * curve.error() && refuted != 1) {
            return level >= most() ? atMost(now) : move(now, 1, gain);
        }
        if (curve.slope() + curve.error() < FLAT && refuted != -1) {
            return move(now, -1, Math.min(gain, -WORTH));
        }
        pace = CALM_PACE;
        if (now - keepUntil < 0) {
            return rest();
        }
        side = -side;
        if (side > 0) {
            keepUntil = now + KEEP_NANOS;
        }
        return tried(side);
    }

    /** The upper bound, or the cap by refusals if that is lower. */
    private int most() {
        return (int) Math.max(least, Math.min(most, refusals.cap()));
    }

    /** Stays at the upper bound while throughput still rises, and sometimes tries whether fewer give as many answers. */
    private int atMost(long now) {
        if (permits < most()) {
            keepUntil = now + KEEP_NANOS;
            return most();
        }
        return now - keepUntil < 0 ? most() : tried(-1);
    }

    private int move(long now, int to, double gain) {
        boolean again = to == way && Integer.compare(permits, last) == to;
        boolean steep = gain - curve.error() > 0.5;
        pace = again ? Math.min(FIRST_PACE, (steep ? 3 : 2) * pace) : CALM_PACE;
        way = to;
        if (to < 0) {
            slowStart.stopAt(level, now);
        }
        double step = to > 0 ? pace * GAIN * gain : Math.max(-LARGEST_CUT, 2 * pace * GAIN * gain);
        // A small limit grows by at least one permit.
        double aim = Math.max(
                level * Math.exp(step),
                gain - curve.error() > STEEP ? permits : steep ? Math.min(permits, level + 1) : 0);
        level = Math.clamp(within(aim, to), least, most());
        keepUntil = now + KEEP_NANOS;
        return to > 0 && level >= most() ? most() : tried(to);
    }

    /** Halves the distance to a limit that was worse or was refused, rather than stepping over it. */
    private double within(double aim, int to) {
        double worse = curve.worse(level, to);
        double bound = to > 0 ? Math.min(refusals.cap(), worse) : worse;
        return to * (bound - aim) > 0 ? aim : Math.sqrt(level * bound);
    }

    /**
     * The limit between two tries. With so much noise that the level is a guess, it is slightly above the level: too few
     * permits cost throughput, too many only latency.
     */
    private int rest() {
        double far = far();
        return (int) Math.round(far > NOISY ? within(level * (1 + far), 1) : level);
    }

    /** Slightly above or below the level, but never close to the current limit: that would show no difference. */
    private int tried(int to) {
        int next = beside(to);
        if (tooNear(next)) {
            next = besideNow(to);
        }
        if (next < least || next > most || next > refusals.cap()) {
            next = beside(-to);
        }
        return tooNear(next) ? besideNow(-to) : next;
    }

    private int besideNow(int to) {
        return permits + to * Math.max(1, (int) Math.round(permits * SMALLEST_TRY));
    }

    private boolean tooNear(int next) {
        return Math.abs(next - permits) < permits * SMALLEST_TRY / 2;
    }

    /** The size of a try, relative to the level: it grows with the noise and with the error of the slope. */
    private double far() {
        return Math.clamp(Math.max(TRY_FOR_NOISE * noise, TRY_FOR_DOUBT * curve.error()), SMALLEST_TRY, LARGEST_TRY);
    }

    private int beside(int to) {
        int middle = (int) Math.round(level);
        int there = (int) Math.round(within(level * (1 + to * far()), to));
        return to > 0 ? Math.max(there, middle + 1) : Math.min(there, middle - 1);
    }

    /** Starts the next turn, which measures nothing until the attempts of the last one have ended. */
    private void turn(long now, int next) {
        int before = permits;
        permits = Math.clamp(next, least, most);
        if (permits != before) {
            // With more in flight calls take longer, unless throughput rises in proportion.
            double longer = curve.slope() > 0.7 ? 1 : Math.max(1, (double) permits / before);
            settleUntil = now + (long) (SETTLE * Math.max(typicalNanos, time.nanos()) * longer);
        }
        window.clear();
    }

    private static String words(long nanos) {
        return Durations.words(nanos);
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%d permits: %s", permits, reason);
    }
}
