package dev.penstock.limit.simulate;

import dev.penstock.limit.LoadSample;
import dev.penstock.text.Durations;
import org.jspecify.annotations.Nullable;

/**
 * Limits concurrent calls to the number that gives the highest throughput of useful answers, by paired trials while all permits
 * are in use and requests wait.
 *
 * <ol>
 *   <li>Before the first answers it grows with the answers, or doubles where requests come fast; then by one for each answer,
 *       but not above what arrives needs by Little's law.
 *   <li>Then turns come in pairs, at slightly fewer and slightly more permits, in random order, so that drift of the target cancels
 *       (PCC, Dong et al., NSDI 2015). {@link PairSearch} follows the {@link Elasticity} of times that pairs show.
 *   <li>One bound: {@link Times}, half of the deadline and a multiple of the unloaded time.
 *   <li>{@link Refusals}: what a target refuses at once bounds the number in flight, or the rate.
 * </ol>
 *
 * <p>While nothing waits, the limit leaves room for a pause of the target. No request is ever rejected to measure anything.
 *
 * <p>A candidate: it is to replace the rules of {@code AdaptiveLimit}.
 */
final class PairedTrials implements Tuner {
    private static final int ENOUGH = 25;
    private static final int SAMPLES = 30;
    private static final int MIN_TIMES = 3;
    private static final double TURN_SHARE = 0.6;
    private static final double ENDED = 0.98;
    private static final long SHORTEST_TURN = 20_000_000;
    private static final long SECOND = 1_000_000_000;
    private static final long BLIND = 50_000_000;
    private static final double UNKNOWN_FAST = 100e6;
    private static final long BETWEEN_PAIRS_AT_CAP = 5 * SECOND;

    private enum Phase {
        BLIND,
        SLOW_START,
        REST,
        FIRST,
        SECOND,
        TRIAL
    }

    /** A turn, with so many in flight on average. */
    private record Followed(Turn turn, double inFlight) {}

    private final int min;
    private final int max;
    private final double allowedNanos;
    private final RateBound rateBound = new RateBound();

    private long blockedBefore;
    private int permits;
    private @Nullable Turn turn;
    private String reason = "initial value, until throughput has been measured";
    private final Turn.Totals totals = new Turn.Totals();
    private final Times times;
    private Traffic traffic = new Traffic(totals, 0);
    private Refusals refusals = new Refusals(totals, rateBound, 0);
    private final PairSearch search = new PairSearch();
    private Phase phase = Phase.BLIND;
    private double level;
    private @Nullable Turn first;
    private @Nullable Turn second;
    private @Nullable Followed following;
    private boolean settling;
    private boolean holding;
    private long heldFrom;
    private boolean isLate;
    private long credited;
    private long fullAt;
    private long blockedThen = -1;
    private long grownAt;
    private long pairAtCap;

    PairedTrials(int initial, int min, int max, long deadlineNanos) {
        this.min = min;
        this.max = max;
        this.allowedNanos = deadlineNanos == 0 ? Double.POSITIVE_INFINITY : deadlineNanos / 2.0;
        this.times = new Times(allowedNanos);
        this.permits = initial;
        this.level = initial;
    }

    @Override
    public void started(Attempt attempt) {
        Turn current = turn(attempt.sentAt);
        current.start(attempt.sentAt);
        attempt.turn = current;
    }

    @Override
    public void finished(long now, long nanos, int inFlight, Outcome outcome) {
        update(now, inFlight - 1);
    }

    @Override
    public void sample(LoadSample sample) {
        turn(sample.to()).block(sample.blocked());
        blockedBefore += sample.blocked();
    }

    @Override
    public void blocked(long now, long total) {
        turn(now).block(total - blockedBefore);
        blockedBefore = total;
        update(now, permits);
    }

    private Turn turn(long now) {
        Turn current = turn;
        return current != null ? current : begin(now);
    }

    /** Readings of a ticker have an arbitrary origin, so all times that are compared with them start at the first one. */
    private Turn begin(long now) {
        Turn begun = newTurn(now);
        traffic = new Traffic(totals, now);
        refusals = new Refusals(totals, rateBound, now);
        grownAt = now;
        pairAtCap = now;
        turn = begun;
        return begun;
    }

    private Turn newTurn(long now) {
        return new Turn(totals, now, permits, times.usualNanos(), Math.min(UNKNOWN_FAST, allowedNanos / 2));
    }

    private void update(long now, int inFlight) {
        Turn current = turn(now);
        traffic.measure(now, inFlight, current);
        if (settling) {
            if (inFlight <= permits || now - current.from() > 2 * times.usualNanos()) {
                settle(now);
            }
            return;
        }
        int next = refusals.next(now, inFlight, current, permits, current.blocked() > 0, times.usualNanos());
        if (next != permits || refusals.isTrying() || refusals.isPaced()) {
            followRefusals(now, next);
        } else if (!cuts(now, current) && !cuts(now, earlier())) {
            continuePhase(now, current);
        }
    }

    /** The turn whose calls are followed to their ends, if any. */
    private @Nullable Turn earlier() {
        return switch (phase) {
            case FIRST -> first;
            case SECOND -> second;
            default -> following == null ? null : following.turn;
        };
    }

    private void continuePhase(long now, Turn current) {
        switch (phase) {
            case BLIND -> blind(now, current);
            case SLOW_START -> slowStart(now, current);
            case REST, TRIAL -> rest(now, current);
            case FIRST -> {
                if (isOver(now)) {
                    phase = Phase.SECOND;
                    turnTo(now, search.beside(level, permitsOf(first) > level ? -1 : 1));
                }
            }
            case SECOND -> {
                if (isOver(now)) {
                    judge(now);
                }
            }
        }
    }

    private static int permitsOf(@Nullable Turn half) {
        return half == null ? 0 : half.permits();
    }

    // ---- turns

    private void turnTo(long now, double wanted) {
        settling = true;
        following = null;
        holding = false;
        permits = Math.clamp(Math.round(Math.min(wanted, refusals.cap())), min, max);
        fresh(now);
    }

    private Turn fresh(long now) {
        Turn next = newTurn(now);
        traffic.turned(turn);
        turn = next;
        return next;
    }

    /** When the surplus of the last turn has ended, the calls that begin are at the new limit. */
    private void settle(long now) {
        settling = false;
        Turn next = fresh(now);
        first = phase == Phase.FIRST ? next : first;
        second = phase == Phase.SECOND ? next : second;
    }

    /** Whether a half of a pair is over: enough calls began, and nearly all of them have ended at the same limit. */
    private boolean isOver(long now) {
        Turn half = phase == Phase.FIRST ? first : second;
        if (half == null) {
            rest(now, level);
            return false;
        }
        long took = now - half.from();
        double usual = Math.max(SHORTEST_TURN, times.usualNanos());
        if (holding) {
            return half.hasEnded(ENDED) || now - heldFrom > 3 * Math.max(usual, half.cost(now));
        }
        boolean isLong = took >= Math.max(SHORTEST_TURN, TURN_SHARE * times.usualNanos()) * Math.sqrt(search.stretch())
                && half.started() >= SAMPLES * search.stretch();
        if (half.blocked() == 0 && (isLong || took > 3 * usual)) {
            rest(now, level);
        } else if (isLong) {
            holding = true;
            heldFrom = now;
            fresh(now);
        }
        return false;
    }

    private void rest(long now, double next) {
        phase = Phase.REST;
        level = next;
        turnTo(now, level);
    }

    private void beginPair(long now) {
        if (level >= refusals.cap()) {
            // A pair would have to be below it.
            if (now - pairAtCap < BETWEEN_PAIRS_AT_CAP) {
                rest(now, level);
                return;
            }
            pairAtCap = now;
            level = search.below(refusals.cap());
        }
        phase = Phase.FIRST;
        turnTo(now, search.beside(level, search.firstSide()));
    }

    // ---- before the first pair

    private void blind(long now, Turn current) {
        if (current.timed() >= ENOUGH) {
            // Those that end first are the shortest, but waiting for the others would take too long.
            times.add(current, traffic.meanInFlight());
            if (times.isTooLong()) {
                cutFor(current);
                rest(now, level);
                return;
            }
            // What waits comes at once, and what arrives afterwards finds it still in flight.
            double needed = current.blocked() + 1.1 * current.arrived() * times.usualNanos() / (now - current.from());
            level = current.blocked() > 0 ? Math.clamp(needed, level, Math.max(level, max)) : level;
            phase = Phase.SLOW_START;
            credited = totals.answered();
            turnTo(now, level);
            reason = "calls take %s with %.0f in flight"
                    .formatted(Durations.format((long) times.usualNanos()), times.unloadedInFlight());
        } else if (current.blocked() > 0 && !isLate && totals.answered() == 0 && now - current.from() > allowedNanos) {
            isLate = true;
            reason = "no call has returned within %s".formatted(Durations.format((long) allowedNanos));
            level = Math.max(min, level / 2);
            turnTo(now, level);
        } else if (totals.blocked() > 0 && !isLate) {
            growBlindly(now, totals.blocked());
        }
    }

    private void growBlindly(long now, long blocked) {
        long answers = totals.answered();
        if (answers > 0) {
            level = Math.min(max, level + answers - credited);
            credited = answers;
        } else if (blockedThen < 0) {
            fullAt = now;
            blockedThen = blocked;
        } else {
            long more = blocked - blockedThen;
            boolean isFast = more >= 10 && level * (now - fullAt) / more <= allowedNanos / 8;
            if (isFast && now - grownAt >= BLIND) {
                grownAt = now;
                level = Math.min(max, 2 * level);
            }
        }
        if ((int) level > permits) {
            reason = "no call has returned yet";
        }
        permits = (int) level;
    }

    private void slowStart(long now, Turn current) {
        double needed = 1.2 * traffic.arrivalsPerNano() * times.unloadedNanos();
        if (current.blocked() > 0 && level < needed) {
            level = Math.min(max, Math.min(needed, level + totals.answered() - credited));
            permits = (int) level;
        }
        credited = totals.answered();
        Followed last = followed(now, current);
        if (last == null) {
            return;
        }
        if (last.turn.blocked() > 0 && (times.isTooLong() || !times.isUnloaded(last.turn))) {
            beginPair(now);
        } else {
            leaveRoom(now);
            permits = (int) level;
            fresh(now);
            reason = "calls take %s with %d in flight, and %s with %.0f: no sign of load"
                    .formatted(
                            Durations.format((long) times.usualNanos()),
                            traffic.inFlight(),
                            Durations.format((long) times.unloadedNanos()),
                            times.unloadedInFlight());
        }
    }

    private void rest(long now, Turn current) {
        phase = Phase.REST;
        Followed last = followed(now, current);
        if (last == null) {
            return;
        }
        if (last.turn.blocked() > 0) {
            beginPair(now);
        } else {
            leaveRoom(now);
            turnTo(now, level);
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
            if (current.started() >= ENOUGH && took >= Math.min(SHORTEST_TURN, times.usualNanos())) {
                following = new Followed(current, traffic.meanInFlight());
                fresh(now);
            }
            return null;
        }
        if (!last.turn.hasEnded(ENDED)) {
            return null;
        }
        following = null;
        if (last.turn.timed() < MIN_TIMES) {
            return null;
        }
        times.add(last.turn, last.inFlight);
        return last;
    }

    /** While nothing waits, a pause of the target is not to fill the limit. */
    private void leaveRoom(long now) {
        double pause = Math.min(2 * SECOND, 2 * allowedNanos);
        double room = traffic.answersPerNano() * pause;
        if (now - traffic.lastBlocked() > 2 * SECOND && room > level) {
            level = Math.min(room, max);
            reason = "nothing waits: room for what comes while the target pauses for " + Durations.format((long) pause);
        }
    }

    // ---- what keeps it low

    private void followRefusals(long now, int next) {
        if (next != permits) {
            level = Math.clamp(next, min, max);
            pairAtCap = now;
            phase = Phase.TRIAL;
            turnTo(now, level);
        }
        reason = refusals.decide() ? refusals.reason() : reason;
        Turn current = turn(now);
        if (refusals.isPaced()) {
            followed(now, current);
        }
    }

    private boolean endsForDrops(long now, Turn current) {
        long dropped = current.dropped();
        boolean isSilent = dropped >= 3
                && current.answered() == 0
                && times.isKnown()
                && now - current.from() > 2 * times.usualNanos();
        if ((dropped < 10 && !isSilent) || dropped < 0.3 * current.timed()) {
            return false;
        }
        boolean none = current.answered() == 0;
        reason = "%.0f %% of attempts with %d in flight timed out or got a busy answer"
                .formatted(100.0 * dropped / current.timed(), current.permits());
        level = Math.max(min, Math.min(level, current.permits()) / (none ? 4 : 2));
        phase = none && times.isKnown() ? Phase.SLOW_START : Phase.REST;
        credited = totals.answered();
        turnTo(now, level);
        return true;
    }

    private boolean cutsForTime(long now, Turn of) {
        if (!times.isKnown() || !isTooSlow(of)) {
            return false;
        }
        cutFor(of);
        times.add(of, of.permits());
        rest(now, level);
        return true;
    }

    private boolean cuts(long now, @Nullable Turn of) {
        return of != null && (endsForDrops(now, of) || (phase != Phase.BLIND && cutsForTime(now, of)));
    }

    private boolean isTooSlow(Turn of) {
        return of.timed() >= ENOUGH && of.blocked() > 0 && times.isTooSlow(of);
    }

    private void cutFor(Turn slow) {
        double fits = 0.85 * Math.min(level, slow.permits()) * Math.exp(times.boundLog() - slow.meanLog());
        reason = "attempts with %d in flight took %s; %s is allowed"
                .formatted(slow.permits(), Durations.format((long) Math.exp(slow.meanLog())), Durations.format((long)
                        Math.exp(times.boundLog())));
        level = Math.max(min, Math.clamp(fits, level / 2, level));
    }

    // ---- the pair

    private void judge(long now) {
        if (first == null || second == null || first.timed() < MIN_TIMES || second.timed() < MIN_TIMES) {
            phase = Phase.REST;
            return;
        }
        Turn high = first.permits() > second.permits() ? first : second;
        Turn low = high == first ? second : first;
        if (high.permits() == low.permits()) {
            rest(now, level);
            return;
        }
        search.add(low, high, now);
        times.add(low, high, search.elasticity().value());
        double before = level;
        if (times.isTooSlow(high) && high.blocked() > 0) {
            cutFor(high);
            search.tooHigh(before);
        } else {
            level = Math.clamp(search.next(level, high.permits()), min, Math.min(max, Math.max(min, refusals.cap())));
            explain(low, high);
        }
        search.moved(before, level);
        beginPair(now);
    }

    private void explain(Turn low, Turn high) {
        double elasticity = search.elasticity().value();
        double more = 100 * (Math.pow(1.1, 1 - elasticity) - 1);
        reason = "10 %% more in flight gives %.1f %% more answers".formatted(more);
    }

    // ---- what it shows

    @Override
    public int permits() {
        return permits;
    }

    @Override
    public long pace(long now) {
        return rateBound.reserve(now, Long.MAX_VALUE);
    }

    @Override
    public String reason() {
        return reason;
    }
}
