package dev.penstock.races.survive;

/** Finds the fewest faults of a failing schedule that still fail. */
final class Shrinker {
    /** A schedule that fails by chance fails in one of so many runs, mostly. */
    private static final int TRIES = 3;

    private Shrinker() {}

    /** Runs a schedule. */
    interface Runner {
        Experiment.Result run(FaultPlan schedule) throws Exception;
    }

    /**
     * Leaves out one fault after the other, as long as what is left fails.
     *
     * @param failed what failed
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
