package dev.penstock.limit;

/**
 * Finds out what refusals depend on, whatever form they have: a busy answer, an error or a closed connection, sooner than a call
 * can have been worked on. One alone does not show it, so two short trials do: with as many in flight as were accepted, then
 * with as many a second. What costs least refusals stays, as a cap of the number in flight or as a {@link RateBound}. If neither
 * halves their share, they have nothing to do with load, and are ignored for {@value #IGNORED_NANOS} ns, then for twice as long, and
 * so on.
 *
 * <p>A call above the cap is refused at once, and so is the next one that takes its permit: a limit that is one too high lets all
 * excess load through. So the cap is raised in steps of 1, 2, 4 ... while nothing is refused, and lowered again at the first
 * refusals. Then, but ever more seldom, more calls a second than that many in flight gave are tried, evenly spaced: calls of equal
 * length that began together keep coming together, and a limiter of their rate refuses most of such a bunch.
 *
 * <p>Not thread-safe.
 */
final class Refusals {
    private static final long WINDOW_NANOS = 250_000_000;
    private static final long TRIAL_NANOS = 100_000_000;
    private static final long SHORTEST_HOLD_NANOS = 1_000_000_000;
    private static final long LONGEST_HOLD_NANOS = 2_000_000_000;
    private static final long IGNORED_NANOS = 1_000_000_000;
    private static final long LONGEST_IGNORED_NANOS = 300_000_000_000L;
    private static final int ENOUGH_CALLS = 20;
    private static final int MIN_REFUSALS = 3;
    private static final double MIN_SHARE = 0.04;
    private static final double FEW = 0.02;
    private static final double FEWER = 0.5;
    private static final double RATE_TRIAL = 0.95;
    private static final double SPREAD = 1.2;
    private static final int SPREAD_CALLS = 4;
    private static final double MOST_PACED = 0.2;
    private static final double ROOM = 1.1;
    private static final double CLOSE = 0.1;
    private static final int FEW_WAIT = 6;
    private static final int MOST_REFUSING = 2;

    private enum State {
        NONE,
        CAP_TRIAL,
        RATE_TRIAL,
        CAPPED,
        RAISED,
        PACED
    }

    private final Turn.Totals totals;
    private final RateBound rate;
    private State state = State.NONE;
    private double cap = Double.POSITIVE_INFINITY;
    private int before;
    private int tried;
    private int step = 1;
    private long holdUntil;
    private long ignoredUntil;
    private long ignoredNanos = IGNORED_NANOS;
    private double share;
    private double refusedShare;
    private int refusedAt;
    private double capShare;
    private double acceptedPerNano;
    private int accepted;
    private double least;
    private double trialNanos;
    private long heldFrom;
    private long answeredAtCap;
    private double cappedPerNano;
    private long spreadAt;
    private long spreadNanos = SHORTEST_HOLD_NANOS;
    private int refusing;

    private long windowFrom;
    private long lastNow;
    private double area;
    private long answeredBefore;
    private long refusedBefore;
    private long refusedNanosBefore;
    private int inFlightBefore;
    private long refusedSeen;
    private long startedSeen;

    Refusals(Turn.Totals totals, RateBound rate, long now) {
        this.totals = totals;
        this.rate = rate;
        this.holdUntil = now;
        this.ignoredUntil = now;
        this.spreadAt = now;
        this.lastNow = now;
        openWindow(now, 0);
    }

    /**
     * Looks at what was refused.
     *
     * @param turn the calls that began since the number of permits was last changed
     * @param permits the current number
     * @param isFull whether requests wait
     * @return the next number of permits; the current one for no change
     */
    int next(long now, int inFlight, Turn turn, int permits, boolean isFull, double usualNanos) {
        area += inFlight * (double) (now - lastNow);
        lastNow = now;
        return switch (state) {
            case NONE -> watch(now, inFlight, permits);
            case CAP_TRIAL -> isLongEnough(turn, now, 0) ? endCapTrial(turn, now, usualNanos) : permits;
            case RATE_TRIAL ->
                isLongEnough(turn, now, trialNanos) ? endRateTrial(turn, now, inFlight, permits, usualNanos) : permits;
            case CAPPED ->
                now - holdUntil >= 0 && isFull && permits >= cap ? raise(now) : watch(now, inFlight, permits);
            case RAISED ->
                isLongEnough(turn, now, usualNanos) || refuses(turn) ? endRaise(turn, now, usualNanos) : permits;
            case PACED -> follow(now, inFlight, permits, usualNanos);
        };
    }

    private int watch(long now, int inFlight, int permits) {
        if (!closesWindow(now, inFlight) || share <= MIN_SHARE || acceptedPerNano <= 0 || now - ignoredUntil < 0) {
            return permits;
        }
        before = permits;
        refusedShare = share;
        refusedAt = permits;
        tried = Math.max(1, Math.min(accepted, permits - 1));
        state = State.CAP_TRIAL;
        return tried;
    }

    /** Measures the share of refusals, and what was accepted, once there are enough calls. */
    private boolean closesWindow(long now, int inFlight) {
        long refused = totals.refused() - refusedBefore;
        long taken = Math.max(0, totals.answered() - answeredBefore + inFlight - inFlightBefore);
        double took = now - windowFrom;
        if (took < WINDOW_NANOS || refused + taken < ENOUGH_CALLS) {
            return false;
        }
        share = refused < MIN_REFUSALS ? 0 : refused / (double) (refused + taken);
        accepted = (int) Math.round((area - totals.refusedNanos() + refusedNanosBefore) / took);
        // One more interval may begin in a window than fits into it.
        acceptedPerNano = Math.max(0, taken - 1) / took;
        openWindow(now, inFlight);
        return true;
    }

    private void openWindow(long now, int inFlight) {
        windowFrom = now;
        area = 0;
        answeredBefore = totals.answered();
        refusedBefore = totals.refused();
        refusedNanosBefore = totals.refusedNanos();
        inFlightBefore = inFlight;
    }

    private static boolean isLongEnough(Turn turn, long now, double least) {
        return turn.started() >= ENOUGH_CALLS && now - turn.from() >= Math.max(TRIAL_NANOS, least);
    }

    private static double share(Turn turn) {
        return turn.refused() / (double) turn.started();
    }

    private int endCapTrial(Turn turn, long now, double usualNanos) {
        capShare = share(turn);
        if (capShare <= FEW) {
            return stayCapped(now);
        }
        return tryRate(RATE_TRIAL * acceptedPerNano, 1, now, 0, usualNanos);
    }

    private int tryRate(double accepted, double factor, long now, double longEnough, double usualNanos) {
        state = State.RATE_TRIAL;
        trialNanos = longEnough;
        cap = Double.POSITIVE_INFINITY;
        least = accepted;
        rate.set(factor * least, now);
        return needed(usualNanos);
    }

    /** By Little's law, with some that wait for their slots. */
    private int needed(double usualNanos) {
        double inFlight = usualNanos == 0 ? tried : ROOM * rate.perNano() * usualNanos;
        return Math.min(FixedLimit.MOST, (int) inFlight + FEW_WAIT);
    }

    private int endRateTrial(Turn turn, long now, int inFlight, int permits, double usualNanos) {
        double rateShare = share(turn);
        if (Math.min(rateShare, capShare) > FEWER * share) {
            return ignore(now);
        }
        ignoredNanos = IGNORED_NANOS;
        if (capShare < rateShare) {
            return backToCap(now, usualNanos);
        }
        state = State.PACED;
        refusing = 0;
        openWindow(now, inFlight);
        cap = Double.POSITIVE_INFINITY;
        refusedSeen = totals.refused();
        startedSeen = totals.started();
        return permits;
    }

    /** What was begun at the rate, and is refused, shows nothing. */
    private int backToCap(long now, double usualNanos) {
        rate.clear();
        ignoredUntil = now + (long) Math.max(WINDOW_NANOS, usualNanos);
        return stayCapped(now);
    }

    private int ignore(long now) {
        rate.clear();
        cappedPerNano = 0;
        state = State.NONE;
        cap = Double.POSITIVE_INFINITY;
        ignoredUntil = now + ignoredNanos;
        ignoredNanos = Math.min(LONGEST_IGNORED_NANOS, 2 * ignoredNanos);
        openWindow(now, before);
        return before;
    }

    private int stayCapped(long now) {
        state = State.CAPPED;
        cap = tried;
        step = 1;
        holdUntil = now + SHORTEST_HOLD_NANOS;
        openWindow(now, tried);
        holdFrom(now);
        return tried;
    }

    private void holdFrom(long now) {
        heldFrom = now;
        answeredAtCap = totals.answered();
    }

    private int raise(long now) {
        cappedPerNano = step == 1 ? (totals.answered() - answeredAtCap) / (double) (now - heldFrom) : 0;
        state = State.RAISED;
        before = (int) cap;
        return before + step;
    }

    /** Above the cap most calls are refused, but at first they are few among all. */
    private static boolean refuses(Turn turn) {
        return turn.refused() >= MIN_REFUSALS + FEW * turn.started();
    }

    private int endRaise(Turn turn, long now, double usualNanos) {
        if (refuses(turn) && cappedPerNano > 0 && now - spreadAt >= 0) {
            spreadAt = now + spreadNanos;
            spreadNanos = Math.min(LONGEST_IGNORED_NANOS, 2 * spreadNanos);
            tried = before;
            share = 1;
            capShare = FEW;
            return tryRate(RATE_TRIAL * cappedPerNano, SPREAD, now, SPREAD_CALLS * usualNanos, usualNanos);
        }
        state = State.CAPPED;
        if (refuses(turn)) {
            holdUntil = now + (step == 1 ? LONGEST_HOLD_NANOS : SHORTEST_HOLD_NANOS);
            step = 1;
        } else {
            cap = before + step;
            step *= 2;
        }
        openWindow(now, turn.permits());
        holdFrom(now);
        return (int) cap;
    }

    private int follow(long now, int inFlight, int permits, double usualNanos) {
        long refused = totals.refused();
        long started = totals.started();
        rate.follow(now, started - startedSeen, refused - refusedSeen, least);
        boolean isRefused = refused > refusedSeen;
        startedSeen = started;
        refusedSeen = refused;
        if (isRefused && rate.perNano() < ROOM * cappedPerNano) {
            return backToCap(now, usualNanos);
        }
        if (closesWindow(now, inFlight)) {
            refusing = share > MOST_PACED ? refusing + 1 : 0;
            // A target that accepts nothing is down, which shows no rate.
            if (refusing > 0 && (acceptedPerNano <= 0 || refusing > MOST_REFUSING)) {
                return ignore(now);
            }
            if (refusing == MOST_REFUSING) {
                least = Math.min(least, RATE_TRIAL * acceptedPerNano);
                rate.lowerTo(acceptedPerNano);
            }
        }
        // Calls that wait for slots know nothing of later changes of the rate, so few are to wait.
        int most = (int) (inFlight - rate.waiting(now) + FEW_WAIT + permits * CLOSE);
        int next = Math.min(needed(usualNanos), Math.max(most, FEW_WAIT));
        return Math.abs(next - permits) > CLOSE * permits ? next : permits;
    }

    /** Whether refusals decide. */
    boolean decide() {
        return isPaced() || (cap < Double.POSITIVE_INFINITY && !isTrying());
    }

    /** Whether a trial runs, so that the number of permits is not to be changed. */
    boolean isTrying() {
        return state == State.CAP_TRIAL || state == State.RATE_TRIAL || state == State.RAISED;
    }

    /** Whether the target bounds the rate of calls. */
    boolean isPaced() {
        return state == State.PACED;
    }

    /** The most calls in flight that the target accepts; infinite when not known. */
    double cap() {
        return state == State.RAISED ? before + step : cap;
    }

    /** Why the number of permits is what it is: one sentence. */
    String reason() {
        return isPaced()
                ? "the target takes %.1f calls/s, and refuses more whatever the number in flight"
                        .formatted(rate.perSecond())
                : "the target refused %.0f %% of calls with %d in flight".formatted(100 * refusedShare, refusedAt);
    }
}
