package dev.penstock.limit.simulate;

import dev.penstock.limit.LoadSample;
import java.util.SplittableRandom;

/**
 * A candidate: one principle instead of several rules. Turns come in pairs at a slightly lower and a slightly higher limit, in
 * random order (PCC, Dong et al., NSDI 2015), so that drift of the target cancels. A call belongs to the turn in which it began.
 * The limit follows the {@link Elasticity} of times: up while a call takes hardly longer with more in flight, down where it takes
 * longer in proportion. It halves the way to a limit that was too high or too low. One bound: half of the deadline, and four
 * times the unloaded time. Before the first pair it grows by one for each answer, but not above what arrives needs by Little's
 * law; while nothing waits it leaves room for a pause of the target.
 *
 * <p>It does not know refusals yet.
 */
final class PairedTrials implements Tuner {
    private static final double GOAL = 0.95;
    private static final double LEAST_STEP = 0.2;
    private static final double MOST_STEP = 0.8;
    private static final double SURE_STEP = 0.4;
    private static final double MOST_DOWN = 0.25;
    private static final double DAMPING = 3;
    private static final double LEAST_DELTA = 0.04;
    private static final double MOST_DELTA = 0.1;
    private static final double WANTED_VARIANCE = 0.2;
    private static final double MOST_STRETCH = 8;
    private static final double RELAX = 1.1;
    private static final double UNLOADED_MULTIPLE = 4;
    private static final double SLOW_START = 1.5;
    private static final int ENOUGH = 25;
    private static final int SAMPLES = 30;
    private static final double TURN_SHARE = 0.6;
    private static final long SHORTEST_TURN = 20_000_000;
    private static final long SECOND = 1_000_000_000;
    private static final long BLIND = 50_000_000;

    private enum Phase {
        BLIND,
        SLOW_START,
        REST,
        FIRST,
        SECOND
    }

    private final int max;
    private final double allowed;
    private final SplittableRandom random = new SplittableRandom(7);
    private final Elasticity elasticity = new Elasticity();

    private Phase phase = Phase.BLIND;
    private double level;
    private int permits;
    private TrialTurn turn;
    private TrialTurn first;
    private TrialTurn second;
    private boolean settling;
    private boolean holding;
    private long heldFrom;

    private double usual;
    private double unloaded = Double.NaN;
    private double unloadedAt;
    private double area;
    private double elapsed;
    private long lastNow;
    private long blockedBefore;
    private long lastBlocked;
    private long answers;
    private long credited;
    private long answersBefore;
    private double rate;
    private double arrivals;
    private long arrivedEarlier;
    private long arrivedBefore;
    private long arrivalsAt;
    private long fullAt = -1;
    private long blockedThen;
    private long grownAt;

    private double delta = MOST_DELTA;
    private double stretch = 1;
    private double step = 0.5;
    private int direction;
    private int run;
    private double moved;
    private double tooLow;
    private double tooHigh = Double.POSITIVE_INFINITY;

    PairedTrials(int initial, int max, long deadlineNanos) {
        this.level = initial;
        this.permits = initial;
        this.max = max;
        this.allowed = deadlineNanos == 0 ? Double.POSITIVE_INFINITY : deadlineNanos / 2.0;
        this.turn = newTurn(0);
        this.first = turn;
        this.second = turn;
    }

    private TrialTurn fresh(long now) {
        arrivedEarlier += turn.arrived();
        return newTurn(now);
    }

    private TrialTurn newTurn(long now) {
        area = 0;
        elapsed = 0;
        return new TrialTurn(now, permits, usual, allowed == Double.POSITIVE_INFINITY ? 0 : allowed / 2);
    }

    @Override
    public int permits() {
        return permits;
    }

    @Override
    public void started(Attempt attempt) {
        attempt.turn = turn;
        turn.start(attempt.sentAt);
    }

    @Override
    public void finished(long now, long nanos, int inFlight, Outcome outcome) {
        answers += outcome == Outcome.SUCCESS ? 1 : 0;
        update(now, inFlight - 1);
    }

    @Override
    public void sample(LoadSample sample) {
        turn.block(sample.blocked());
        blockedBefore += sample.blocked();
    }

    @Override
    public void blocked(long now, long total) {
        turn.block(total - blockedBefore);
        blockedBefore = total;
        update(now, permits);
    }

    private void update(long now, int inFlight) {
        measure(now, inFlight);
        if (settling) {
            if (now > turn.from() && (inFlight <= permits || now - turn.from() > 2 * usual)) {
                settle(now);
            }
            return;
        }
        if (endsForDrops(now) || (phase != Phase.BLIND && cutsForTime(now))) {
            return;
        }
        switch (phase) {
            case BLIND -> blind(now);
            case SLOW_START -> slowStart(now);
            case REST -> rest(now);
            case FIRST -> {
                if (isOver(first, now)) {
                    phase = Phase.SECOND;
                    turnTo(now, beside(first.permits() > level ? -1 : 1));
                }
            }
            case SECOND -> {
                if (isOver(second, now)) {
                    judge(now);
                }
            }
        }
    }

    private void measure(long now, int inFlight) {
        double stretchOfTime = now - lastNow;
        if (stretchOfTime > 0) {
            area += inFlight * stretchOfTime;
            elapsed += stretchOfTime;
            double kept = Math.exp(-2 * stretchOfTime / SECOND);
            rate = kept * rate + (1 - kept) * (answers - answersBefore) / stretchOfTime;
            answersBefore = answers;
            lastNow = now;
        }
        long arrived = arrivedEarlier + turn.arrived();
        if (now - arrivalsAt > (arrivals == 0 ? SECOND / 10 : SECOND)) {
            double current = (arrived - arrivedBefore) / (double) (now - arrivalsAt);
            arrivals = arrivals == 0 ? current : (arrivals + current) / 2;
            arrivedBefore = arrived;
            arrivalsAt = now;
        }
        lastBlocked = turn.blocked() > 0 ? now : lastBlocked;
    }

    // ---- turns

    private void turnTo(long now, double wanted) {
        settling = true;
        holding = false;
        permits = Math.clamp(Math.round(wanted), 1, max);
        turn = fresh(now);
    }

    /** When the surplus of the last turn has ended, the calls that begin are at the new limit. */
    private void settle(long now) {
        settling = false;
        turn = fresh(now);
        first = phase == Phase.FIRST ? turn : first;
        second = phase == Phase.SECOND ? turn : second;
    }

    /** Whether a half of a pair is over: enough calls began, and nearly all of them have ended at the same limit. */
    private boolean isOver(TrialTurn half, long now) {
        long took = now - half.from();
        if (holding) {
            return half.hasEnded(0.98) || now - heldFrom > 3 * Math.max(Math.max(SHORTEST_TURN, usual), half.cost(now));
        }
        boolean isLong = took >= Math.max(SHORTEST_TURN, TURN_SHARE * usual) * Math.sqrt(stretch)
                && half.started() >= SAMPLES * stretch;
        if (half.blocked() == 0 && (isLong || took > 3 * Math.max(SHORTEST_TURN, usual))) {
            phase = Phase.REST;
            turnTo(now, level);
        } else if (isLong) {
            holding = true;
            heldFrom = now;
            turn = fresh(now);
        }
        return false;
    }

    private void begin(long now) {
        phase = Phase.FIRST;
        turnTo(now, beside(random.nextBoolean() ? 1 : -1));
    }

    private double beside(int side) {
        double there = level * (1 + side * delta);
        double middle = Math.round(level);
        return side > 0 ? Math.max(there, middle + 1) : Math.min(there, middle - 1);
    }

    // ---- before the first pair

    private void blind(long now) {
        if (turn.timed() >= ENOUGH) {
            learn(turn, area / Math.max(1, elapsed));
            double needed = 1.1 * turn.arrived() * usual / (now - turn.from());
            level = turn.blocked() > 0 && usual <= allowed ? Math.min(max, Math.max(level, needed)) : level;
            phase = Phase.SLOW_START;
            credited = answers;
            turnTo(now, level);
        } else if (turn.blocked() > 0) {
            growBlindly(now);
        }
    }

    private void growBlindly(long now) {
        if (answers > 0) {
            level = Math.min(max, level + answers - credited);
            credited = answers;
        } else if (fullAt < 0) {
            fullAt = now;
            blockedThen = turn.blocked();
        } else {
            long more = turn.blocked() - blockedThen;
            boolean isFast = more >= 10 && level * (now - fullAt) / more <= allowed / 8;
            if (isFast && now - grownAt >= BLIND) {
                grownAt = now;
                level = Math.min(max, 2 * level);
            }
        }
        permits = (int) level;
    }

    private void slowStart(long now) {
        double needed = 1.2 * arrivals * Math.exp(unloaded);
        if (turn.blocked() > 0 && level < needed) {
            level = Math.min(max, Math.min(needed, level + answers - credited));
            permits = (int) level;
        }
        credited = answers;
        if (turn.timed() < ENOUGH || now - turn.from() < Math.min(SHORTEST_TURN, usual)) {
            return;
        }
        learn(turn, area / Math.max(1, elapsed));
        boolean isFast =
                turn.meanLog() - Math.sqrt(turn.variance()) <= unloaded + Math.log(SLOW_START) && usual <= allowed;
        if (turn.blocked() > 0 && !isFast) {
            begin(now);
        } else {
            leaveRoom(now);
            permits = (int) level;
            turn = fresh(now);
        }
    }

    private void rest(long now) {
        if (turn.timed() >= ENOUGH && now - turn.from() >= Math.min(SHORTEST_TURN, usual)) {
            learn(turn, area / Math.max(1, elapsed));
            if (turn.blocked() > 0) {
                begin(now);
            } else {
                leaveRoom(now);
                turnTo(now, level);
            }
        }
    }

    /** While nothing waits, a pause of the target is not to fill the limit. */
    private void leaveRoom(long now) {
        if (now - lastBlocked > 2 * SECOND) {
            level = Math.clamp(rate * Math.min(2 * SECOND, allowed), level, max);
        }
    }

    // ---- the bound

    private boolean endsForDrops(long now) {
        boolean isSilent = turn.dropped() >= 3 && turn.answered() == 0 && usual > 0 && now - turn.from() > 2 * usual;
        if ((turn.dropped() < 10 && !isSilent) || turn.dropped() < 0.3 * turn.timed()) {
            return false;
        }
        level = Math.max(1, Math.min(level, turn.permits()) / (turn.answered() == 0 ? 4 : 2));
        phase = turn.answered() == 0 ? Phase.SLOW_START : Phase.REST;
        credited = answers;
        turnTo(now, level);
        return true;
    }

    private boolean cutsForTime(long now) {
        TrialTurn half = phase == Phase.FIRST ? first : phase == Phase.SECOND ? second : turn;
        for (TrialTurn each : new TrialTurn[] {turn, half}) {
            if (each.timed() >= ENOUGH && isTooSlow(each)) {
                cutFor(each);
                learn(each, each.permits());
                phase = Phase.REST;
                turnTo(now, level);
                return true;
            }
        }
        return false;
    }

    private boolean isTooSlow(TrialTurn of) {
        return of.blocked() > 0 && of.meanLog() - 2 * Math.sqrt(of.variance()) > boundLog();
    }

    private double boundLog() {
        return Math.min(Math.log(allowed), unloaded + Math.log(UNLOADED_MULTIPLE));
    }

    private void cutFor(TrialTurn slow) {
        double fits = 0.85 * Math.min(level, slow.permits()) * Math.exp(boundLog() - slow.meanLog());
        level = Math.max(1, Math.clamp(fits, level / 2, level));
    }

    private void learn(TrialTurn of, double inFlight) {
        double time = of.meanLog();
        usual = usual == 0 ? Math.exp(time) : Math.sqrt(usual * Math.exp(time));
        if (Double.isNaN(unloaded) || time + 2 * Math.sqrt(of.variance()) < unloaded) {
            unloaded = time;
            unloadedAt = inFlight;
        } else if (inFlight <= 0.8 * unloadedAt) {
            unloaded = Math.min(time, (unloaded + time) / 2);
            unloadedAt = inFlight;
        }
    }

    // ---- the pair

    private void judge(long now) {
        TrialTurn high = first.permits() > second.permits() ? first : second;
        TrialTurn low = high == first ? second : first;
        if (high.timed() < 3 || low.timed() < 3) {
            phase = Phase.REST;
            return;
        }
        if (elasticity.add(low, high, now, moved)) {
            tooLow = 0;
            tooHigh = Double.POSITIVE_INFINITY;
            step = Math.max(step, SURE_STEP);
        }
        learn(low, low.permits());
        learn(high, high.permits());
        double load = Math.clamp(2 * elasticity.value(), 0, 1);
        double time = (low.meanLog() + high.meanLog()) / 2;
        unloaded += 0.3 * (1 - load) * Math.max(0, time - unloaded);
        double before = level;
        if (isTooSlow(high)) {
            cutFor(high);
            tooHigh = before;
            tooLow = 0;
        } else {
            level = next(high.permits());
        }
        moved = Math.log(level / before);
        adaptPrecision();
        begin(now);
    }

    private double next(int highest) {
        double gain = Math.clamp(GOAL - elasticity.value(), -1, GOAL);
        double surplus = Math.max(0, elasticity.value() - elasticity.error() - GOAL);
        int side = gain > 0 ? 1 : -1;
        run = side == direction ? Math.min(run + 1, 5) : 1;
        step = side == direction ? Math.min(MOST_STEP, 1.3 * step) : Math.max(LEAST_STEP, step / 2);
        direction = side;
        step = gain - 1.5 * elasticity.error() > 0.5 ? Math.max(step, SURE_STEP) : step;
        double move = step * (gain - 3 * surplus) / (1 + DAMPING * elasticity.variance());
        double wanted = level * Math.exp(Math.clamp(move, -MOST_DOWN, 0.7));
        wanted = gain > 0.5 ? Math.max(wanted, Math.min(level + 1, highest)) : wanted;
        return Math.clamp(bisected(wanted, gain), 1, max);
    }

    /** Goes at most half of the way to a limit that was too high or too low; that knowledge fades, faster the longer it stops it. */
    private double bisected(double wanted, double gain) {
        double relaxed = Math.pow(RELAX, 1 << (run - 1));
        tooHigh *= direction > 0 ? relaxed : RELAX;
        tooLow /= direction < 0 ? relaxed : RELAX;
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

    /** Noisy pairs get wider, then longer. */
    private void adaptPrecision() {
        if (elasticity.pairVariance() > WANTED_VARIANCE) {
            stretch = delta < MOST_DELTA ? stretch : Math.min(MOST_STRETCH, 1.5 * stretch);
            delta = Math.min(MOST_DELTA, 1.2 * delta);
        } else if (elasticity.pairVariance() < WANTED_VARIANCE / 3) {
            delta = stretch > 1 ? delta : Math.max(LEAST_DELTA, delta / 1.2);
            stretch = Math.max(1, stretch / 1.5);
        }
    }
}
