package dev.penstock.meter;

/**
 * Notices when a kind of result, such as answers with status 5xx, becomes more frequent than it usually is.
 *
 * <h2>Design note</h2>
 *
 * <p>Two shares are kept, both with exponential decay: the recent one of about 10 s, and the usual one of about 10 min. Where
 * little happens they cover 20 and 1,000 results instead, so that a flow with one call a minute is judged too. The usual share
 * leaves the recent results out.
 *
 * <p>The share has risen when it is at least {@value #MIN_SHARE} and {@value #TIMES} times the usual one, or half of the way
 * from the usual one to everything. While the usual one is not known, at the start, it must be {@value #MIN_AT_START}. It has
 * fallen when it is below half of the value at which it had risen: a steady state is
 * reported once.
 *
 * <p>No clock, no side effects. Not thread-safe.
 */
public final class RisingShare {
    private static final double RECENT_NANOS = 10e9;
    private static final double RECENT_RESULTS = 20;
    private static final double USUAL_NANOS = 600e9;
    private static final double USUAL_RESULTS = 1_000;
    private static final double MIN_SHARE = 0.05;
    private static final double TIMES = 5;
    private static final double MIN_AT_START = 0.5;
    /** The fewest results before the recent ones for a usual share. */
    private static final double MIN_USUAL = 40;
    /** The fewest recent results of the kind, slightly decayed: five in a row are enough. */
    private static final double MIN_RECENT = 4;

    private double recent;
    private double recentOfAll;
    private double usual;
    private double usualOfAll;
    private double usualBefore;
    private double fallsBelow;
    private boolean risen;
    private long last;

    /**
     * A share of nothing yet.
     *
     * @param now the reading of the ticker
     */
    public RisingShare(long now) {
        this.last = now;
    }

    /**
     * Adds results.
     *
     * @param ofKind the number of results of the kind since the last call
     * @param all the number of all results since the last call, those of the kind included
     * @param now the reading of the ticker
     * @return whether the share has risen or fallen by this call
     */
    public boolean add(long ofKind, long all, long now) {
        if (all <= 0) {
            return false;
        }
        double ofRecent = decay(now - last, all, RECENT_NANOS, RECENT_RESULTS);
        double ofUsual = decay(now - last, all, USUAL_NANOS, USUAL_RESULTS);
        last = now;
        recent = ofRecent * recent + ofKind;
        recentOfAll = ofRecent * recentOfAll + all;
        usual = ofUsual * usual + ofKind;
        usualOfAll = ofUsual * usualOfAll + all;
        return risen ? hasFallen() : hasRisen();
    }

    private static double decay(long nanos, long results, double window, double fewest) {
        return Math.exp(-Math.min(Math.max(0, nanos) / window, results / fewest));
    }

    private boolean hasRisen() {
        double older = usualOfAll - recentOfAll;
        double normal = older < MIN_USUAL ? -1 : Math.max(0, usual - recent) / older;
        double bound = normal < 0 ? MIN_AT_START : Math.max(MIN_SHARE, Math.min(TIMES * normal, (1 + normal) / 2));
        if (recent < MIN_RECENT || share() < bound) {
            return false;
        }
        risen = true;
        usualBefore = normal;
        fallsBelow = bound / 2;
        return true;
    }

    private boolean hasFallen() {
        risen = share() >= fallsBelow;
        return !risen;
    }

    /** Whether the share has risen and not fallen since. */
    public boolean isRisen() {
        return risen;
    }

    /** The share of recent results, 0 to 1. */
    public double share() {
        return recentOfAll == 0 ? 0 : recent / recentOfAll;
    }

    /** The usual share when it rose; negative when it was not known. */
    public double usual() {
        return usualBefore;
    }
}
