package dev.penstock.limit;

/**
 * Tells from dropped attempts what kind of trouble the target is in. Counts fade by 5 % with each sample. Pure; not safe for
 * many threads.
 */
final class Drops {
    /** What is wrong. */
    enum Trouble {
        NONE,
        /** Most attempts take too long to be of use. */
        DROWNS
    }

    private static final double KEPT = 0.95;
    private static final int FEWEST_DROWNED = 20;

    private double answered;
    private double answeredNanos;
    private double dropped;
    private double droppedNanos;
    private double nanos;

    /**
     * Takes a stretch into account.
     *
     * @param sample the stretch
     * @param typicalNanos how long an answered attempt takes; 0 while none was answered
     */
    Trouble add(LoadSample sample, double typicalNanos) {
        answered = KEPT * answered + sample.answered();
        answeredNanos = KEPT * answeredNanos + sample.answeredNanos();
        dropped = KEPT * dropped + sample.dropped();
        droppedNanos = KEPT * droppedNanos + sample.droppedNanos();
        nanos = KEPT * nanos + (sample.to() - sample.from());
        if (sample.dropped() == 0) {
            return Trouble.NONE;
        }
        double took = took();
        if (took < 0.3 * typicalNanos) {
            return Trouble.NONE;
        }
        boolean most = dropped > 4 * answered || (dropped > answered && took > 1.3 * typicalNanos);
        return most && answered + dropped >= FEWEST_DROWNED ? Trouble.DROWNS : Trouble.NONE;
    }

    /** How long a dropped attempt took, in nanoseconds. */
    double took() {
        return droppedNanos / dropped;
    }

    /** Which share of attempts was dropped. */
    double share() {
        return dropped / (dropped + answered);
    }

    /** Whether hardly anything was answered at all. */
    boolean silent() {
        return answered < 0.5;
    }

    /** How many attempts that were answered in the end were at the target at once (Little's law). */
    double useful() {
        return answeredNanos / nanos;
    }

    void clear() {
        answered = 0;
        answeredNanos = 0;
        dropped = 0;
        droppedNanos = 0;
        nanos = 0;
    }
}
