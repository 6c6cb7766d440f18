package dev.penstock.races.survive;

/** Reduces a failing schedule to the fewest faults that still fail. */
final class Shrinker {
    /** Runs per reduced schedule, because a schedule may fail only some of the time. */
    private static final int TRIES = 3;

    private Shrinker() {}

    /** Runs a schedule. */
    interface Runner {
        Experiment.Result run(FaultPlan schedule) throws Exception;
    }

    /**
     * Removes one fault after another, as long as the remaining schedule fails.
     *
     * @param failed the failed result
     * @param runner runs schedules
     * @return the result of the smallest schedule that failed
     */
    static Experiment.Result shrink(Experiment.Result failed, Runner runner) throws Exception {
        Experiment.Result smallest = failed;
        for (FaultPlan.Step step : failed.schedule().steps()) {
            FaultPlan fewer = smallest.schedule().without(step);
            for (int i = 0; i < TRIES; i++) {
                Experiment.Result result = runner.run(fewer);
                if (result.failed()) {
                    smallest = result;
                    break;
                }
            }
        }
        return smallest;
    }
}
