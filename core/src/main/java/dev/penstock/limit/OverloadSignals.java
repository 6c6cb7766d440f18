package dev.penstock.limit;

/**
 * Detects from timeouts and busy answers that a target is overloaded. Fast ones are no such sign: see {@link RefusalCap}. Counts
 * fade by 5 % with each sample. Pure; not safe for many threads.
 */
final class OverloadSignals {
    private static final double KEPT = 0.95;
    private static final int FEWEST = 20;

    private double answered;
    private double dropped;
    private double droppedNanos;

    /**
     * Takes a stretch into account; true when most attempts take too long to be of use.
     *
     * @param sample the stretch
     * @param typicalNanos how long an answered attempt takes; 0 while none was answered
     */
    boolean add(LoadSample sample, double typicalNanos) {
        answered = KEPT * answered + sample.answered();
        dropped = KEPT * dropped + sample.dropped();
        droppedNanos = KEPT * droppedNanos + sample.droppedNanos();
        if (sample.dropped() == 0) {
            return false;
        }
        double took = took();
        if (took < 0.3 * typicalNanos) {
            return false;
        }
        boolean most = dropped > 4 * answered || (dropped > answered && took > 1.3 * typicalNanos);
        return most && answered + dropped >= FEWEST;
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

    void clear() {
        answered = 0;
        dropped = 0;
        droppedNanos = 0;
    }
}
