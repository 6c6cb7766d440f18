package dev.penstock.limit;

/**
 * Detects overload of the target from timeouts and busy answers. Fast refusals are handled by {@link RefusalCap}. Counts decay
 * by 5 % with each sample. No side effects; not thread-safe.
 */
final class OverloadSignals {
    private static final double DECAY = 0.95;
    private static final int MIN_ATTEMPTS = 20;

    private double answered;
    private double dropped;
    private double droppedNanos;

    /**
     * Takes a sample into account.
     *
     * @param sample the sample
     * @param typicalNanos the typical time of an answered attempt; 0 while none was answered
     * @return whether the target is overloaded: most attempts were dropped, and not quickly
     */
    boolean add(LoadSample sample, double typicalNanos) {
        answered = DECAY * answered + sample.answered();
        dropped = DECAY * dropped + sample.dropped();
        droppedNanos = DECAY * droppedNanos + sample.droppedNanos();
        if (sample.dropped() == 0) {
            return false;
        }
        double took = meanDroppedNanos();
        if (took < 0.3 * typicalNanos) {
            return false;
        }
        boolean mostDropped = dropped > 4 * answered || (dropped > answered && took > 1.3 * typicalNanos);
        return mostDropped && answered + dropped >= MIN_ATTEMPTS;
    }

    /** The mean time of a dropped attempt, in nanoseconds. */
    double meanDroppedNanos() {
        return droppedNanos / dropped;
    }

    /** The share of attempts that were dropped. */
    double share() {
        return dropped / (dropped + answered);
    }

    /** Whether practically no attempt was answered. */
    boolean noneAnswered() {
        return answered < 0.5;
    }

    void clear() {
        answered = 0;
        dropped = 0;
        droppedNanos = 0;
    }
}
