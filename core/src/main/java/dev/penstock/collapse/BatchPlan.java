package dev.penstock.collapse;

import dev.penstock.collapse.CallTimeModel.Fit;

/**
 * Between which sizes a batch is to be.
 *
 * @param least a batch waits for so many, for a smaller one makes all callers slower; 1 where nobody needs to be waited for
 * @param waits nobody waits for more than so many, as the wait would cost the callers more than the budget
 * @param most nobody joins beyond that, as the items would
 */
record BatchPlan(int least, int waits, int most) {
    /** While nothing is known: no bounds. */
    static final BatchPlan ANY = new BatchPlan(1, Collapse.MOST, Collapse.MOST);

    /** A budget bounds the longest wait; with requests at random the mean wait is half of that. */
    private static final double MEAN_OF_LONGEST = 0.5;

    /**
     * The plan for what was learned.
     *
     * @param perNano how many requests come
     * @param share of the shortest time, which a caller may wait at most for the sake of fewer calls
     * @param given that time in nanoseconds, in place of the share; negative for the share
     */
    static BatchPlan of(Prefer prefer, Fit fit, double perNano, double share, long given) {
        if (prefer == Prefer.CALLS || perNano <= 0 || !fit.isKnown()) {
            return ANY;
        }
        double load = fit.perCall() * perNano;
        BatchSize waiting = new BatchSize(fit.base(), fit.perItem(), load, 1 / (2 * perNano));
        BatchSize joining = new BatchSize(fit.base(), fit.perItem(), load, 0);
        double best = waiting.best();
        double shortest = waiting.time(best);
        double budget = given >= 0 ? given : share * shortest;
        double spare = prefer == Prefer.LATENCY && best == 1 ? 0 : MEAN_OF_LONGEST * budget;
        int least = requests(best);
        int waits = Math.max(least, requests(waiting.largest(shortest + spare)));
        return new BatchPlan(least, waits, Math.max(waits, requests(joining.largest(shortest + spare))));
    }

    private static int requests(double size) {
        return (int) Math.clamp(size, 1.0, Collapse.MOST);
    }
}
