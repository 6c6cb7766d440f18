package dev.penstock.collapse;

import dev.penstock.Collapse;
import dev.penstock.collapse.CallTimeModel.Fit;

/**
 * The range of batch sizes to aim for.
 *
 * @param minSize a batch waits until it has this many requests, since smaller ones make all callers slower; 1 for no wait
 * @param maxWaitSize a batch does not wait for more requests than this, since the wait would cost callers more than
 *     the budget
 * @param maxSize the size at which a batch is full, since more items would cost callers more than the budget
 */
record BatchPlan(int minSize, int maxWaitSize, int maxSize) {
    /** No limits, while nothing is known. */
    static final BatchPlan ANY = new BatchPlan(1, Collapse.LARGEST_BATCH, Collapse.LARGEST_BATCH);

    /** The budget limits the longest wait; with random arrivals the mean wait is half of that. */
    private static final double MEAN_OF_LONGEST = 0.5;

    /**
     * Computes the plan.
     *
     * @param perNano the arrival rate per nanosecond
     * @param share the budget, as a share of the shortest possible latency
     * @param given the budget in nanoseconds, which replaces the share; negative: use the share
     */
    static BatchPlan of(Fit fit, double perNano, double share, long given) {
        if (perNano <= 0 || !fit.isKnown()) {
            return ANY;
        }
        double load = fit.perCall() * perNano;
        BatchSize waiting = new BatchSize(fit.base(), fit.perItem(), load, 1 / (2 * perNano));
        BatchSize joining = new BatchSize(fit.base(), fit.perItem(), load, 0);
        double best = waiting.best();
        double shortest = waiting.time(best);
        double budget = given >= 0 ? given : share * shortest;
        double spare = MEAN_OF_LONGEST * budget;
        int minSize = requests(best);
        int maxWaitSize = Math.max(minSize, requests(waiting.largest(shortest + spare)));
        return new BatchPlan(minSize, maxWaitSize, Math.max(maxWaitSize, requests(joining.largest(shortest + spare))));
    }

    /** The same plan with batches of at most this many requests. */
    BatchPlan cappedAt(int size) {
        return new BatchPlan(Math.min(minSize, size), Math.min(maxWaitSize, size), Math.min(maxSize, size));
    }

    private static int requests(double size) {
        return (int) Math.clamp(size, 1.0, Collapse.LARGEST_BATCH);
    }
}
