package dev.penstock.limit;

import dev.penstock.text.Durations;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Limits concurrent calls to the number that gives the highest throughput of useful answers, by paired trials while all permits
 * are in use and requests wait.
 *
 * <p>The first rule that applies decides, in this order:
 *
 * <ol>
 *   <li>{@link Refusals}: what a target refuses at once bounds the number in flight, or the rate.
 *   <li>Drops: where 30 % of the calls of a turn time out or get a busy answer, half of the limit; a quarter of it where none is
 *       answered.
 *   <li>{@link Times}: where calls take longer than half of the deadline or, unless longer calls pay, than a multiple of the
 *       unloaded time, less in proportion.
 *   <li>Before the first answers it grows with the answers, or doubles where requests come fast; then by one for each answer,
 *       but not above what arrives needs by Little's law.
 *   <li>Then turns come in pairs, at slightly fewer and slightly more permits, in random order, so that drift of the target cancels
 *       (PCC, Dong et al., NSDI 2015). {@link PairSearch} moves the limit by the {@link Elasticity} of times that pairs show.
 * </ol>
 *
 * <p>While nothing waits, the limit leaves room for a pause of the target. Only a pair that looks far down holds requests back in
 * order to measure, for half of its time, and only while calls take much longer than without load.
 *
 * <p>{@link #turn} and what it shows are thread-safe; see {@link LimitController} for the rest.
 */
public final class AdaptiveLimit implements LimitController {
    /** The initial number of permits, unless the bounds exclude it. */
    public static final int INITIAL = 200;

    /** A turn with this many calls shows how long calls take. */
    private static final int ENOUGH = 25;

    /** This many calls of later turns replace the first turn, if too few of its calls return. */
    private static final int ENOUGH_OF_OTHERS = 100;

    private static final double HALF = 0.5;
    private static final long SECOND = 1_000_000_000;

    /** Until it is known how long calls take, a failure within this time is a refusal, in nanoseconds. */
    private static final double UNKNOWN_FAST = 100e6;

    private static final long BETWEEN_PAIRS_AT_CAP = 5 * SECOND;

    /** Arrivals up to this multiple of what the target has answered without load are no more load. */
    private static final double SAME_RATE = 1.1;

    /** The limit may exceed what arrives needs by this factor, before and during the slow start. */
    private static final double MORE_THAN_ARRIVED = 1.1;

    private static final double MORE_THAN_ARRIVES = 1.2;

    /** The share of calls that must be dropped to cut the limit, and the number of drops that shows it. */
    private static final double DROPPED_SHARE = 0.3;

    private static final int MIN_DROPS = 10;

    /** The number of drops when none is answered for twice the usual time. */
    private static final int MIN_DROPS_IN_SILENCE = 3;

    /** A cut for time aims at this share of what fits, so that the next turn is not cut again. */
    private static final double BELOW_BOUND = 0.85;

    /** From this elasticity on, more in flight gives hardly more answers. */
    private static final double ON_PLATEAU = 0.8;

    /** At the upper bound and below this elasticity, more in flight would give more answers. */
    private static final double BELOW_PLATEAU = 0.9;

    /** The reason shows what 10 % more in flight give. */
    private static final double MORE_IN_FLIGHT = 1.1;

    private enum Phase {
        /** No call has returned, or too few. */
        BLIND,
        SLOW_START,
        /** Between pairs, or while nothing waits. */
        REST,
        PAIR
    }

    /** A turn whose calls are followed to their ends, since some time, with so many in flight on average. */
    private record Followed(Turn turn, double inFlight, long since) {}

    /** What users see beside the number. */
    private record Shown(
            String reason, LimitingFactor factor, @Nullable Plateau plateau) {}

    private final int min;
    private final int max;
    private final double allowedNanos;
    private final RateBound rateBound = new RateBound();

    // Mutable state, read by any thread.
    private volatile int permits;
    private volatile @Nullable Turn turn;
    private volatile Shown shown;
    private volatile int learned;

    // Mutable state, used by one thread at a time.
    /** Of all turns since the beginning or the last restart. */
    private Turn.Totals totals = new Turn.Totals();

    private Times times;
    private Traffic traffic = new Traffic(totals, 0);
    private Refusals refusals = new Refusals(totals, rateBound, 0);
    private ColdStart coldStart;
    private PairSearch search = new PairSearch();
    private TurnPair pair = new TurnPair();
    private Phase phase = Phase.BLIND;

    /** The limit that was found; {@link #permits} differs from it by rounding, by the cap, and during a pair. */
    private double level;

    /** The most that the target has answered while it was not loaded. */
    private double unloadedPerNano;

    private Turn first;
    private @Nullable Followed following;

    /** Calls above the new limit are still in flight. */
    private boolean settling;

    /** While settling: fewer than the new limit are in flight. */
    private boolean filling;

    /** No call has returned within the time allowed, and the limit was halved for that. */
    private boolean isLate;

    /** Half of the first turn has ended, so the unloaded time is that of usual calls, not of the shortest. */
    private boolean isSure;

    /** When a pair last looked below the cap. */
    private long pairAtCap;

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
        this.times = new Times(allowedNanos);
        this.coldStart = new ColdStart(totals, max, allowedNanos, 0);
        this.permits = Math.clamp(initial, min, max);
        this.level = permits;
        this.first = newTurn(0);
        this.shown = new Shown(reason, LimitingFactor.MEASURING, null);
    }

    /** As above, from the value {@linkplain #learned learned} by an earlier process; the target may have changed since. */
    public static AdaptiveLimit restored(int learned, int min, int max, Duration deadline) {
        return new AdaptiveLimit(
                learned, min, max, deadline, "learned before the last restart, until throughput has been measured");
    }

    @Override
    public Turn turn(long now) {
        Turn current = turn;
        return current != null ? current.open() : begin(now);
    }

    /** Readings of a ticker have an arbitrary origin, so all times that are compared with them start at the first one. */
    private synchronized Turn begin(long now) {
        Turn current = turn;
        if (current == null) {
            current = new Turn(newTurn(now), ENOUGH);
            first = current;
            traffic = new Traffic(totals, now);
            refusals = new Refusals(totals, rateBound, now);
            coldStart = new ColdStart(totals, max, allowedNanos, now);
            pairAtCap = now;
            turn = current;
        }
        return current;
    }

    private Turn newTurn(long now) {
        return new Turn(totals, now, permits, times.usualNanos(), Math.min(UNKNOWN_FAST, allowedNanos / 2));
    }

    @Override
    public void restart(int from, long now, String why) {
        totals = new Turn.Totals();
        times = new Times(allowedNanos);
        search = new PairSearch();
        rateBound.clear();
        level = Math.clamp(from, min, max);
        permits = (int) level;
        phase = Phase.BLIND;
        settling = false;
        following = null;
        isLate = false;
        isSure = false;
        unloadedPerNano = 0;
        turn = null;
        begin(now);
        shown = new Shown(why, LimitingFactor.MEASURING, null);
    }

    @Override
    public void update(long now, int inFlight) {
        Turn current = turn(now);
        if (current != turn) {
            traffic.turned(turn);
            turn = current;
        }
        traffic.measure(now, inFlight, current);
        if (settling) {
            if (hasSettled(inFlight, current) || now - current.from() > 2 * times.usualNanos()) {
                settle(now);
            }
            return;
        }
        int next = refusals.next(now, inFlight, current, permits, current.blocked() > 0, times.usualNanos());
        if (next != permits || refusals.isTrying() || refusals.isPaced()) {
            applyRefusals(now, next);
        } else if (!cuts(now, current) && !cuts(now, earlier())) {
            switch (phase) {
                case BLIND -> blind(now, current);
                case SLOW_START -> slowStart(now, current);
                case REST -> rest(now, current);
                case PAIR -> compare(now);
            }
        }
    }

    // ---- turns

    private void turnTo(long now, double wanted) {
        settling = true;
        following = null;
        int next = bounded(wanted);
        filling = phase == Phase.PAIR && search.isFar() && next > permits;
        permits = next;
        fresh(now);
    }

    private int bounded(double wanted) {
        return Math.clamp(Math.round(Math.min(wanted, refusals.cap())), min, max);
    }

    private Turn fresh(long now) {
        Turn next = newTurn(now);
        traffic.turned(turn);
        turn = next;
        return next;
    }

    /** Whether the surplus of the last turn has ended, or where many more are in flight, the first calls that met fewer. */
    private boolean hasSettled(int inFlight, Turn current) {
        return filling ? current.started() >= permits : inFlight <= permits;
    }

    /** The calls that begin are at the new limit. */
    private void settle(long now) {
        settling = false;
        Turn next = fresh(now);
        if (phase == Phase.PAIR) {
            pair.begin(next);
        }
    }

    /**
     * Follows the calls of a turn to their ends, since those that end first are the shortest; the calls that begin meanwhile belong to
     * another turn. Not null when nearly all have ended, and then their times are known.
     */
    private @Nullable Followed followed(long now, Turn current) {
        Followed last = following;
        if (last == null) {
            long took = now - current.from();
            if (current.started() >= ENOUGH && took >= Math.min(TurnPair.SHORTEST_TURN, times.usualNanos())) {
                following = new Followed(current, traffic.meanInFlight(), now);
                fresh(now);
            }
            return null;
        }
        boolean hasEnded = last.turn.hasEnded(TurnPair.ENDED);
        boolean waitedEnough = times.isKnown() && now - last.since > Turn.LONGEST * times.usualNanos();
        if (!hasEnded && !waitedEnough) {
            return null;
        }
        following = null;
        if (!hasEnded && last.turn.cost(now) > Turn.LONGEST * times.usualNanos() && isSlower(last.turn, last.since)) {
            measureAnew(now);
            return null;
        }
        if (last.turn.timed() < TurnPair.MIN_TIMES) {
            return null;
        }
        times.add(last.turn, last.inFlight);
        if (times.isUnloaded(last.turn)) {
            unloadedPerNano = Math.max(unloadedPerNano, traffic.answersPerNano());
        }
        return last;
    }

    /** Whether a target that was never loaded is slower by itself: no more calls come than it has answered. */
    private boolean isSlower(Turn of, long until) {
        double arrivalsPerNano = (double) of.arrived() / Math.max(1, until - of.from());
        return phase == Phase.SLOW_START && !refusals.decide() && arrivalsPerNano <= SAME_RATE * unloadedPerNano;
    }

    private void measureAnew(long now) {
        restart(
                permits,
                now,
                "calls take much longer than %s, though no more come".formatted(time(times.unloadedNanos())));
    }

    /** The turn whose calls are followed to their ends, if any. */
    private @Nullable Turn earlier() {
        if (phase == Phase.PAIR) {
            return pair.half();
        }
        return following == null ? null : following.turn;
    }

    // ---- before the first pair, and while nothing waits

    private void blind(long now, Turn current) {
        long timed = first.timed() + (current == first ? 0 : current.timed());
        if (first.timed() >= TurnPair.MIN_TIMES && timed >= ENOUGH) {
            knowTimes(now, first);
        } else if (first.timed() < TurnPair.MIN_TIMES && timed >= ENOUGH_OF_OTHERS) {
            knowTimes(now, current);
        } else if (totals.blocked() > 0 && !isLate && totals.answered() == 0 && now - first.from() > allowedNanos) {
            isLate = true;
            show("no call has returned within %s".formatted(time(allowedNanos)));
            level = Math.max(min, level / 2);
            turnTo(now, level);
        } else if (!isLate) {
            level = coldStart.blindly(level, now);
            if ((int) level > permits) {
                show("no call has returned yet");
            }
            permits = (int) level;
        }
    }

    /** The first calls to begin have met the fewest others at the target. */
    private void knowTimes(long now, Turn seen) {
        times.begin(seen, traffic.meanInFlight(), now);
        if (times.isTooLong()) {
            cutFor(seen);
            beginRest(now);
            return;
        }
        growToArrivals(now);
        beginSlowStart(now);
        show("calls take %s with %.0f in flight".formatted(time(times.usualNanos()), times.unloadedInFlight()));
    }

    /** By Little's law, for what has come so far. */
    private void growToArrivals(long now) {
        if (totals.blocked() > 0 && !coldStart.isLoaded(traffic.inFlight(), times.usualNanos(), now)) {
            double arrived = totals.started() + totals.blocked();
            level = Math.max(
                    level, Math.min(max, MORE_THAN_ARRIVED * arrived * times.usualNanos() / (now - first.from())));
        }
    }

    private void beginSlowStart(long now) {
        phase = Phase.SLOW_START;
        coldStart.skipAnswers();
        turnTo(now, level);
    }

    private void slowStart(long now, Turn current) {
        if (!isSure && first.hasEnded(HALF)) {
            isSure = true;
            times.begin(first, times.unloadedInFlight(), now);
        }
        if (current.blocked() > 0) {
            level = coldStart.byAnswers(level, MORE_THAN_ARRIVES * traffic.arrivalsPerNano() * times.unloadedNanos());
            permits = bounded(level);
        } else {
            coldStart.skipAnswers();
        }
        Followed last = followed(now, current);
        if (last == null) {
            return;
        }
        learn(last.turn, permits);
        if (last.turn.blocked() > 0 && (times.isTooLong() || !times.isUnloaded(last.turn))) {
            beginPair(now);
            return;
        }
        leaveRoom(now);
        permits = bounded(level);
        fresh(now);
        boolean bound = last.turn.blocked() > 0 && level >= max;
        shown = new Shown(
                "calls take %s with %d in flight, and %s with %.0f: no sign of load"
                        .formatted(
                                time(times.usualNanos()),
                                traffic.inFlight(),
                                time(times.unloadedNanos()),
                                times.unloadedInFlight()),
                bound ? LimitingFactor.UPPER_BOUND : LimitingFactor.MEASURING,
                null);
    }

    private void beginRest(long now) {
        phase = Phase.REST;
        turnTo(now, level);
    }

    private void rest(long now, Turn current) {
        Followed last = followed(now, current);
        if (last != null && last.turn.blocked() > 0) {
            beginPair(now);
        } else if (last != null) {
            leaveRoom(now);
            turnTo(now, level);
        }
    }

    /** While nothing waits, a pause of the target is not to fill the limit. */
    private void leaveRoom(long now) {
        double pause = Math.min(2 * SECOND, 2 * allowedNanos);
        double room = traffic.answersPerNano() * pause;
        if (now - traffic.lastBlocked() > 2 * SECOND && room > level) {
            level = Math.min(room, max);
            show("nothing waits: room for what comes while the target pauses for %s".formatted(time(pause)));
        }
    }

    // ---- what keeps it low

    private void applyRefusals(long now, int next) {
        if (next != permits) {
            level = Math.clamp(next, min, max);
            pairAtCap = now;
            shown = new Shown(shown.reason, LimitingFactor.MEASURED, null);
            phase = Phase.REST;
            turnTo(now, level);
            learned = refusals.isTrying() ? learned : permits;
        }
        if (refusals.decide()) {
            show(refusals.reason());
        }
        if (refusals.isPaced()) {
            followed(now, turn(now));
        }
    }

    private boolean cuts(long now, @Nullable Turn of) {
        return of != null && (cutsForDrops(now, of) || (phase != Phase.BLIND && cutsForTime(now, of)));
    }

    private boolean cutsForDrops(long now, Turn of) {
        long dropped = of.dropped();
        boolean none = of.answered() == 0;
        boolean isSilent =
                none && dropped >= MIN_DROPS_IN_SILENCE && times.isKnown() && now - of.from() > 2 * times.usualNanos();
        if ((dropped < MIN_DROPS && !isSilent) || dropped < DROPPED_SHARE * of.timed()) {
            return false;
        }
        shown = new Shown(
                "%.0f %% of attempts with %d in flight timed out or got a busy answer"
                        .formatted(100.0 * dropped / of.timed(), of.permits()),
                LimitingFactor.MEASURED,
                null);
        level = Math.max(min, Math.min(level, of.permits()) / (none ? 4 : 2));
        if (none && times.isKnown()) {
            beginSlowStart(now);
        } else {
            beginRest(now);
        }
        return true;
    }

    private boolean cutsForTime(long now, Turn of) {
        if (!times.isKnown() || of.timed() < ENOUGH || of.blocked() == 0 || !times.isTooSlow(of)) {
            return false;
        }
        if (isSlower(of, following != null && following.turn == of ? following.since : now)) {
            measureAnew(now);
            return true;
        }
        cutFor(of);
        times.add(of, of.permits());
        beginRest(now);
        return true;
    }

    private void cutFor(Turn slow) {
        double fits = BELOW_BOUND * Math.min(level, slow.permits()) * Math.exp(times.boundLog() - slow.meanLog());
        shown = new Shown(
                "attempts with %d in flight took %s; %s is allowed"
                        .formatted(slow.permits(), time(Math.exp(slow.meanLog())), time(Math.exp(times.boundLog()))),
                LimitingFactor.MEASURED,
                shown.plateau);
        level = Math.max(min, Math.clamp(fits, level / 2, level));
        learn(slow, level);
    }

    // ---- pairs

    private void beginPair(long now) {
        if (level >= refusals.cap()) {
            // A pair would have to be below it.
            if (now - pairAtCap < BETWEEN_PAIRS_AT_CAP) {
                beginRest(now);
                return;
            }
            pairAtCap = now;
            level = search.below(refusals.cap());
        }
        phase = Phase.PAIR;
        pair = new TurnPair();
        turnTo(now, search.first(level));
    }

    private void compare(long now) {
        switch (pair.progress(now, times.usualNanos(), search.stretch())) {
            case RUNNING -> {}
            case ENDING -> fresh(now);
            case IDLE -> beginRest(now);
            case OVER -> {
                if (pair.hasBoth()) {
                    judge(now);
                } else {
                    turnTo(now, search.second(level));
                }
            }
        }
    }

    private void judge(long now) {
        if (!pair.isConclusive()) {
            beginRest(now);
            return;
        }
        Turn low = pair.low();
        Turn high = pair.high();
        double before = level;
        if (search.isFar()) {
            times.add(low, low.permits());
            times.add(high, high.permits());
            Turn better = search.isHigherBetter(low, high, now) ? high : low;
            level = better.permits();
            times.longPays(search.longPays());
            search.take(times.excess(better, better), times.room(better));
            show("%d in flight compared with %d".formatted(high.permits(), low.permits()));
        } else {
            move(low, high, now);
        }
        search.moved(before, level);
        learn(high, level);
        beginPair(now);
    }

    private void move(Turn low, Turn high, long now) {
        search.add(low, high, now);
        times.add(low, high, search.elasticity().value() + search.elasticity().error());
        if (times.isTooSlow(high) && high.blocked() > 0) {
            search.tooHigh(level);
            cutFor(high);
        } else {
            search.take(times.excess(low, high), times.room(high));
            double wanted = search.next(level, high.permits());
            level = Math.clamp(wanted, min, Math.min(max, Math.max(min, refusals.cap())));
            explain(low.permits(), high.permits());
        }
    }

    /** A turn without answers shows nothing of what the target takes. */
    private void learn(Turn from, double number) {
        if (from.answered() > 0) {
            learned = (int) Math.round(number);
        }
    }

    private void explain(int low, int high) {
        double elasticity = search.elasticity().value();
        boolean bound = level >= max && elasticity < BELOW_PLATEAU;
        shown = new Shown(
                "10 %% more in flight gives %.1f %% more answers"
                        .formatted(100 * (Math.pow(MORE_IN_FLIGHT, 1 - elasticity) - 1)),
                bound ? LimitingFactor.UPPER_BOUND : LimitingFactor.MEASURED,
                elasticity < ON_PLATEAU ? null : new Plateau(low, high, Math.pow((double) high / low, elasticity) - 1));
    }

    // ---- what it shows

    private void show(String why) {
        shown = new Shown(why, shown.factor, shown.plateau);
    }

    private static String time(double nanos) {
        return Durations.format((long) nanos);
    }

    @Override
    public int permits() {
        return permits;
    }

    @Override
    public long pace(long now, long most) {
        return rateBound.reserve(now, most);
    }

    @Override
    public double callsPerSecond() {
        return rateBound.perSecond();
    }

    @Override
    public String reason() {
        return shown.reason;
    }

    @Override
    public LimitingFactor limitingFactor() {
        return min == max ? LimitingFactor.UPPER_BOUND : shown.factor;
    }

    @Override
    public @Nullable Plateau plateau() {
        return shown.plateau;
    }

    /** Excludes cuts made because the target stopped answering: they do not show its capacity once it answers again. */
    @Override
    public int learned() {
        return learned;
    }
}
